"""Report what is wrong with the table and what to do."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand

from dashboard.core.errors import Unavailable
from dashboard.core.names import printable
from dashboard.platform.stream.queries import FollowerState
from dashboard.platform.table_health import queries
from dashboard.platform.table_health.checks import find_all
from dashboard.platform.table_health.findings import Finding
from dashboard.platform.table_health.presenters import index_rows, kind_rows, setting_rows
from dashboard.platform.table_health.state import TableState

FINE, TO_DO, UNREACHABLE = 0, 1, 2


class Command(BaseCommand):
    help = "Report what is wrong with the table. Exit code 0: nothing to do, 1: something to do, 2: no answer."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print the report as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            state = queries.load_state()
        except Unavailable as error:
            reason = str(error.__cause__ or error)
            self._say(json.dumps({"error": reason}) if options["json"] else f"The table does not answer: {reason}")
            sys.exit(UNREACHABLE)
        findings = find_all(state)
        if options["json"]:
            self._say(json.dumps(to_dict(state, findings), ensure_ascii=False, indent=2, default=str))
        else:
            self._print(state, findings)
        if any(finding.is_to_do for finding in findings):
            sys.exit(TO_DO)

    def _print(self, state: TableState, findings: list[Finding]) -> None:
        for setting in setting_rows(state):
            self._say(f"{setting.label}: {setting.value}")
        self._say("")
        for index in index_rows(state):
            self._say(f"{index.name}: {index.keys}, {index.projection}: {index.state}")
        kinds = kind_rows(state)
        if kinds:
            at = f"reindex at {state.report.finished_at}" if state.report else "reindex, which has never run"
            self._say(f"\nItems by kind, counted by {at}; by the follower since the stream exists:")
        for kind in kinds:
            counts = f"{kind.counted_by_reindex:,}; {kind.counted_by_follower:,}"
            self._say(f"  {kind.name}: {counts}{'' if kind.is_known else ' (unknown)'}")
        for finding in findings:
            self._say(f"\n[{finding.level}] {finding.title}\n  {finding.effect}\n  {finding.action}")
            if finding.command:
                self._say(f"  $ {finding.command}")
            for example in finding.examples:
                self._say(f"  - {example.pk} / {example.sk}  {example.detail}")
        if not any(finding.is_to_do for finding in findings):
            self._say("\nNothing to do.")

    def _say(self, text: str) -> None:
        for line in text.split("\n"):
            self.stdout.write(printable(line))


def to_dict(state: TableState, findings: list[Finding]) -> dict[str, Any]:
    """The report as plain values."""
    return {
        "table": state.name,
        "engine": state.endpoint.engine,
        "region": state.endpoint.region,
        "endpoint": state.endpoint.url,
        "settings": [asdict(setting) for setting in setting_rows(state)],
        "indexes": [asdict(index) for index in index_rows(state)],
        "follower": _follower(state.follower),
        "archive": _follower(state.archive),
        "kinds": [
            {
                "kind": kind.name,
                "items": kind.counted_by_reindex,
                "by_follower": kind.counted_by_follower,
                "known": kind.is_known,
            }
            for kind in kind_rows(state)
        ],
        "findings": [asdict(finding) for finding in findings],
    }


def _follower(follower: FollowerState | None) -> dict[str, Any] | None:
    """None if no follower has run."""
    if follower is None or follower.lag_seconds is None:
        return None
    names = ("lag_seconds", "is_running", "records", "repairs", "failed", "batch_at")
    return {name: getattr(follower, name) for name in names}
