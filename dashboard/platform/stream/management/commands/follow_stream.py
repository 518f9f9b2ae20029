"""Follow the stream of the table and repair what outside writers change."""

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from dashboard.core.errors import Unavailable
from dashboard.core.names import printable
from dashboard.platform.stream.follower import IDLE_SECONDS, Follower
from dashboard.platform.stream.records import NoImages
from dashboard.platform.stream.shards import LEASE_SECONDS
from dashboard.platform.stream.source import NoStream


class Command(BaseCommand):
    help = "Repair the items that outside writers change in the table. Several can run at once: they share the work."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="process what is in the stream now, and exit")
        parser.add_argument(
            "--idle", type=float, default=IDLE_SECONDS, help="seconds between two reads without records"
        )
        parser.add_argument("--lease", type=float, default=LEASE_SECONDS, help="seconds until another one takes over")

    def handle(self, *args: Any, **options: Any) -> None:
        follower = Follower(lease=max(options["lease"], 1.0))
        stop = threading.Event()
        try:
            if options["once"]:
                follower.catch_up()
            else:
                self._watch(follower, stop, max(options["idle"], 0.05))
        except Unavailable as error:
            raise CommandError(str(error.__cause__ or error)) from error
        except (NoStream, NoImages) as error:
            raise CommandError(str(error)) from error
        finally:
            follower.release()
        self._print_failures(follower)
        if options["verbosity"] > 0:
            self.stdout.write(f"{follower.records} records, {follower.repairs} repaired.")
        if options["once"] and follower.failed:
            raise CommandError(f"{follower.failed} could not be repaired. Run reindex after the cause is removed.")

    def _watch(self, follower: Follower, stop: threading.Event, idle: float) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        for interruption in follower.watch(stop, idle):
            if interruption:
                self.stderr.write(interruption)
            self._print_failures(follower)

    def _print_failures(self, follower: Follower) -> None:
        while follower.failures:
            each = follower.failures.popleft()
            self.stderr.write(printable(f"{each['kind']} {each['pk']} / {each['sk']}: {each['reason']}"))
