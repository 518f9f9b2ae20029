"""Events are logged while replies are lost and followers are killed: each must be archived exactly once.

EVENTS, KILLS and LOST_REPLIES choose the size. Prints how many events were lost and how many are in the archive more
than once, and compares the counts of files, log table and counters. It fails if anything differs.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock_time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from django.conf import settings
from django.core.management import call_command

from activity.archive import manifest
from activity.archive.storage import default_storage
from activity.events import Event
from activity.items import event_of, table_of_month
from activity.queries.hours import counts_of_day
from activity.services import LogStatus, log
from dashboard.dev.environment import local_environment
from dashboard.table.admin import create_log_table
from tests.faults import bad_network, lose_reply
from tests.transfer.helpers import stored_items

FOLLOWERS = 2
PEOPLE, BATCH = 7000, 100
COUNTRIES = ["México", "Colombia", "Perú", "Chile", "Uruguay", "El Salvador", None]
ACTIONS = ["room_enter", "video_start", "time_spent", "room_completed", "post_created"]
LOST_REPLIES = float(os.environ.get("LOST_REPLIES", "0.1"))
# The archive of one shard must not wait longer for the lease of a killed follower than the benchmark takes.
OPTIONS = ["--idle=0.1", "--lease=2", "--file-seconds=1", "--verbosity=0"]

Identity = tuple[str, str, datetime]


@dataclass
class Result:
    events: int
    seconds: float
    settled: float
    kills: int
    lost: int
    duplicated: int
    unexpected: int
    in_files: int
    in_table: int
    in_counters: int

    @property
    def is_good(self) -> bool:
        agrees = self.in_files == self.in_table == self.in_counters == self.events
        return agrees and not (self.lost or self.duplicated or self.unexpected)

    def __str__(self) -> str:
        return (
            f"{self.events} events logged in {self.seconds:.0f} s, archived and sealed {self.settled:.0f} s later; "
            f"{LOST_REPLIES:.0%} of replies lost, {FOLLOWERS} followers, {self.kills} kills\n"
            f"events lost:       {self.lost}\n"
            f"events duplicated: {self.duplicated}\n"
            f"events unexpected: {self.unexpected}\n"
            f"events in files, log table and counters: {self.in_files}, {self.in_table}, {self.in_counters}"
        )


def past_day() -> date:
    """A day that is over, so that it can be sealed at once, and whose events may still be logged."""
    return datetime.now(UTC).date() - timedelta(days=2)


def events_of(day: date, count: int) -> Iterator[Event]:
    choose, start = random.Random(7), datetime.combine(day, clock_time(), UTC)
    for number in range(count):
        yield Event(
            id=f"bench-{number}",
            user=f"person{choose.randrange(PEOPLE)}@example.com",
            at=start + timedelta(milliseconds=number * 86_000_000 // count),
            action=choose.choice(ACTIONS),
            room=f"sala{choose.randrange(1, 6)}",
            country=choose.choice(COUNTRIES),
            metadata={"duration": choose.randrange(600)},
        )


def identity(event: Event) -> Identity:
    return event.user, event.id, event.at


class Follower:
    """A process that archives, with lost replies."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        endpoint = os.environ["AWS_ENDPOINT_URL_DYNAMODB"]
        environment = local_environment(endpoint) | {
            "TRASTIENDA_MODE": "local",
            "DJANGO_SETTINGS_MODULE": "dashboard.settings",
            "DYNAMODB_TABLE": settings.DYNAMODB_TABLE,
            "ACTIVITY_TABLE": settings.ACTIVITY_TABLE,
            "ACTIVITY_ARCHIVE": settings.ACTIVITY_ARCHIVE,
            "LOST_REPLIES": str(LOST_REPLIES),
        }
        line = [sys.executable, "-m", "tests.bench_activity.lossy_command", "archive_activity", *OPTIONS]
        self._process = subprocess.Popen(
            line, cwd=settings.BASE_DIR, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._start()

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()


def measure(count: int, kills: int) -> Result:
    """Run everything at once on the current tables, and compare what they have at the end."""
    day = past_day()
    logged: set[Identity] = set()
    started = time.monotonic()
    followers = [Follower() for _ in range(FOLLOWERS)]
    killed = threading.Thread(target=_kill, args=(followers, logged, count, kills))
    killed.start()
    try:
        with bad_network() as network:
            network.add_random_fault(LOST_REPLIES, lose_reply)
            _log_all(list(events_of(day, count)), logged)
        seconds = time.monotonic() - started
        killed.join()
    finally:
        for each in followers:
            each.stop()
    ended = time.monotonic()
    # Leases of killed followers end after two seconds.
    time.sleep(2)
    call_command("archive_activity", once=True, verbosity=0)
    return _compare(day, logged, Result(count, seconds, time.monotonic() - ended, kills * FOLLOWERS, *[0] * 6))


def _log_all(remaining: list[Event], logged: set[Identity]) -> None:
    moment = remaining[-1].at
    while remaining:
        unanswered = []
        for start in range(0, len(remaining), BATCH):
            for each in log(remaining[start : start + BATCH], moment=moment):
                if each.status == LogStatus.UNAVAILABLE:
                    unanswered.append(each.event)
                else:
                    logged.add(identity(each.event))
        remaining = unanswered


def _kill(followers: list[Follower], logged: set[Identity], count: int, kills: int) -> None:
    """Kill each follower in turn while events are logged."""
    for number in range(kills * len(followers)):
        target = count * (number + 1) // (kills * len(followers) + 1)
        while len(logged) < target:
            time.sleep(0.05)
        followers[number % len(followers)].kill()


def _compare(day: date, logged: set[Identity], result: Result) -> Result:
    archived = [(row["user"], row["event_id"], row["at"].replace(tzinfo=UTC)) for row in _rows(day)]
    raws = stored_items(table_of_month(f"{day:%Y-%m}")).values()
    result.in_table = sum(event_of(raw) is not None for raw in raws)
    result.in_counters = sum(each.events for each in counts_of_day(day).values())
    result.in_files = len(archived)
    result.lost = len(logged - set(archived))
    result.unexpected = len(set(archived) - logged)
    result.duplicated = len(archived) - len(set(archived))
    return result


def _rows(day: date) -> Iterator[dict[str, Any]]:
    storage, columns = default_storage(), ["user", "event_id", "at"]
    for file in manifest.files(day, day):
        yield from pq.read_table(storage.address(file.path), columns=columns, partitioning=None).to_pylist()


def main() -> None:
    from tests import demo

    with demo.engine() as engine, tempfile.TemporaryDirectory() as folder:
        settings.ACTIVITY_ARCHIVE = str(Path(folder) / "archive")
        create_log_table(table_of_month(f"{past_day():%Y-%m}"))
        result = measure(int(os.environ.get("EVENTS", "100000")), int(os.environ.get("KILLS", "5")))
        print(f"{engine}: {result}")
    if not result.is_good:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
