"""Do what is due: once, or again and again."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dashboard.core.errors import Unavailable
from dashboard.platform.due import runner


class Command(BaseCommand):
    help = "Do the work that is due by now. Safe to run twice at once; meant for every minute."

    def add_arguments(self, parser: CommandParser) -> None:
        how_often = parser.add_mutually_exclusive_group()
        how_often.add_argument("--once", action="store_true", help="run once and end, which is the default")
        how_often.add_argument("--watch", type=float, metavar="SECONDS", help="run again after this many seconds")
        parser.add_argument("--limit", type=int, default=runner.MAX_ITEMS, help="begin at most this many")

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = options["verbosity"] == 0
        if options["watch"] is None:
            failed = self._run(options["limit"], quiet)
            if failed:
                raise CommandError(f"{failed} failed.")
            return
        while True:
            try:
                self._run(options["limit"], quiet)
            except Unavailable as error:
                self.stderr.write(str(error))
            time.sleep(max(options["watch"], 1))

    def _run(self, limit: int, quiet: bool) -> int:
        """Say in a line each what was done, and to the other stream what was not; how many were not."""
        failed = 0
        for told in runner.run(limit):
            failed += told.failed
            if told.failed:
                self.stderr.write(str(told))
            elif not quiet:
                self.stdout.write(str(told))
        return failed
