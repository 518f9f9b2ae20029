"""Run due tasks, once or repeatedly."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dashboard.core.errors import Unavailable
from dashboard.platform.due import runner
from dashboard.table import keys

# A queue of its own for mail: a mail server that hangs does not delay other tasks.
QUEUES = {"tasks": keys.DUE, "mail": keys.DUE_MAIL}


class Command(BaseCommand):
    help = "Run the tasks that are due. Run it every minute; two runs at once are safe."

    def add_arguments(self, parser: CommandParser) -> None:
        frequency = parser.add_mutually_exclusive_group()
        frequency.add_argument("--once", action="store_true", help="run once and exit (default)")
        frequency.add_argument("--watch", type=float, metavar="SECONDS", help="run again after this many seconds")
        parser.add_argument("--limit", type=int, default=runner.MAX_ITEMS, help="start at most this many")
        parser.add_argument("--queue", choices=QUEUES, help="run only this queue (default: all, one after the other)")

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = options["verbosity"] == 0
        self._queues = [options["queue"]] if options["queue"] else list(QUEUES)
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
        """Print a line for each task, failures to stderr; returns the number of failures."""
        failed = 0
        for queue in self._queues:
            for result in runner.run(limit, queue=QUEUES[queue]):
                failed += result.failed
                if result.failed:
                    self.stderr.write(str(result))
                elif not quiet:
                    self.stdout.write(str(result))
        return failed
