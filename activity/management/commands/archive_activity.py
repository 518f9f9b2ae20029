"""Archive activity: follow the streams of the log tables and write their events into Parquet files."""

from __future__ import annotations

import signal
import threading
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from activity.archive import erasure, schedule, verification
from activity.archive.archiver import Archiver
from activity.archive.follower import SECONDS_PER_FILE
from activity.archive.storage import NoArchive, Storage, default_storage
from dashboard.core.errors import Unavailable
from dashboard.core.names import printable
from dashboard.platform.stream.shard_follower import IDLE_SECONDS
from dashboard.platform.stream.shards import LEASE_SECONDS


class Command(BaseCommand):
    help = "Archive the activity of the log tables as Parquet files. Several can run at once: they share the work."

    def add_arguments(self, parser: CommandParser) -> None:
        task = parser.add_mutually_exclusive_group()
        task.add_argument("--once", action="store_true", help="archive what is there now, seal what is due, and exit")
        task.add_argument("--verify", action="store_true", help="compare files, manifest and counts, and exit")
        task.add_argument("--erase", metavar="EMAIL", help="remove all events of a person from the archive, and exit")
        parser.add_argument(
            "--idle", type=float, default=IDLE_SECONDS, help="seconds between two reads without records"
        )
        parser.add_argument("--lease", type=float, default=LEASE_SECONDS, help="seconds until another one takes over")
        parser.add_argument(
            "--file-seconds", type=float, default=SECONDS_PER_FILE, help="how long an event waits for others"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            storage = default_storage()
            if options["verify"]:
                self._verify(storage)
            elif options["erase"]:
                self.stdout.write(f"{erasure.erase(storage, options['erase'])} events were erased.")
            else:
                self._archive(storage, options)
        except Unavailable as error:
            raise CommandError(str(error.__cause__ or error)) from error
        except (NoArchive, schedule.NotSealed) as error:
            raise CommandError(str(error)) from error

    def _archive(self, storage: Storage, options: dict[str, Any]) -> None:
        archiver = Archiver(storage, max(options["lease"], 1.0), max(options["file_seconds"], 0.1))
        try:
            if options["once"]:
                archiver.catch_up()
            else:
                self._watch(archiver, max(options["idle"], 0.05))
        finally:
            archiver.release()
        self._print_failures(archiver)
        sealed = schedule.seal_due(storage) if options["once"] else []
        if options["verbosity"] > 0:
            self.stdout.write(f"{archiver.archived} rows archived, {len(sealed)} days sealed.")
        if options["once"] and archiver.failed:
            raise CommandError(f"{archiver.failed} changes could not be archived.")

    def _watch(self, archiver: Archiver, idle: float) -> None:
        stop = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stop.set())
        for interruption in archiver.watch(stop, idle):
            if interruption:
                self.stderr.write(interruption)
            self._print_failures(archiver)

    def _print_failures(self, archiver: Archiver) -> None:
        for each in archiver.failures():
            self.stderr.write(printable(f"{each['kind']} {each['pk']} / {each['sk']}: {each['reason']}"))

    def _verify(self, storage: Storage) -> None:
        checked = verification.verify(storage)
        for problem in checked.problems:
            self.stderr.write(printable(problem))
        self.stdout.write(f"{checked.days} sealed days, {checked.rows} events, {checked.waiting} rows not yet sealed.")
        if checked.problems:
            raise CommandError(f"{len(checked.problems)} problems.")
