"""Run due tasks, once or repeatedly."""

import logging
import threading
import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dashboard.core.errors import Unavailable
from dashboard.platform.due import runner
from dashboard.table.due_times import QUEUES_BY_NAME

logger = logging.getLogger("trastienda.due")


class Command(BaseCommand):
    help = "Run the tasks that are due. Run it every minute; two runs at once are safe."

    def add_arguments(self, parser: CommandParser) -> None:
        frequency = parser.add_mutually_exclusive_group()
        frequency.add_argument("--once", action="store_true", help="run once and exit (default)")
        frequency.add_argument("--watch", type=float, metavar="SECONDS", help="run again after this many seconds")
        parser.add_argument("--limit", type=int, default=runner.MAX_ITEMS, help="start at most this many")
        parser.add_argument("--queue", choices=QUEUES_BY_NAME, help="run only this queue (default: all)")

    def handle(self, *args: Any, **options: Any) -> None:
        quiet = options["verbosity"] == 0
        queues = [options["queue"]] if options["queue"] else list(QUEUES_BY_NAME)
        if options["watch"] is None:
            # Those that depend on other hosts come last.
            failed = sum(self._run(queue, options["limit"], quiet) for queue in queues)
            if failed:
                raise CommandError(f"{failed} failed.")
            return
        # A thread for each queue, so that one that waits for another host does not delay the others.
        for queue in queues[1:]:
            threading.Thread(target=self._watch, args=(queue, options, quiet), name=queue, daemon=True).start()
        self._watch(queues[0], options, quiet)

    def _watch(self, queue: str, options: dict[str, Any], quiet: bool) -> None:
        while True:
            try:
                self._run(queue, options["limit"], quiet)
            except Unavailable as error:
                self.stderr.write(str(error))
            except Exception:
                # The other queues go on; this one tries again.
                logger.exception("a queue of due tasks could not be run", extra={"queue": queue})
            time.sleep(max(options["watch"], 1))

    def _run(self, queue: str, limit: int, quiet: bool) -> int:
        """Print a line for each task, failures to stderr; returns the number of failures."""
        failed = 0
        for result in runner.run(limit, queue=QUEUES_BY_NAME[queue]):
            failed += result.failed
            if result.failed:
                self.stderr.write(str(result))
            elif not quiet:
                self.stdout.write(str(result))
        return failed
