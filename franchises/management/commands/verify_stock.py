"""Replay the movements of all stock items and report the first inconsistent one of each."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from dashboard.core.errors import Unavailable
from dashboard.core.names import printable
from franchises.queries.verification import all_businesses
from franchises.verification import StockCount, StockProblem, verify

FINE, TO_DO, UNREACHABLE = 0, 1, 2


class Command(BaseCommand):
    help = (
        "Replay the movements of all stock items. Exit code 0: everything is consistent, 1: something is not, "
        "2: the table does not answer."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--business", help="verify only this franchise")
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        count = StockCount()
        businesses = [options["business"]] if options["business"] else all_businesses()
        try:
            problems = list(verify(businesses, count))
        except Unavailable as error:
            reason = str(error.__cause__ or error)
            self._say(json.dumps({"error": reason}) if options["json"] else f"The table does not answer: {reason}")
            sys.exit(UNREACHABLE)
        if options["json"]:
            report = asdict(count) | {"problems": [asdict(each) for each in problems]}
            self._say(json.dumps(report, ensure_ascii=False, indent=2))
        else:
            self._print(count, problems)
        if problems:
            sys.exit(TO_DO)

    def _print(self, count: StockCount, problems: list[StockProblem]) -> None:
        for each in problems:
            where = f"{each.business} / {each.product or each.branch}"
            self._say(f"{where}: {f'movement {each.movement}: ' if each.movement else ''}{each.text}")
        summary = f"{count.movements:,} movements of {count.products:,} products in {count.franchises:,} franchises"
        self._say(f"{summary}: {f'{len(problems):,} problems' if problems else 'consistent'}.")

    def _say(self, text: str) -> None:
        self.stdout.write(printable(text) if "\n" not in text else text)
