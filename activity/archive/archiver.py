"""Follows the log tables of all months, with one follower for each."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

from activity.archive.follower import SECONDS_PER_FILE, LogFollower
from activity.archive.months import has_stream, log_tables
from activity.archive.storage import Storage
from dashboard.core.clock import now
from dashboard.core.errors import Unavailable
from dashboard.platform.stream import shards
from dashboard.platform.stream.shard_follower import IDLE_SECONDS

# A table is created in advance: it is found long before its first event.
LIST_SECONDS = 60.0
# Only late events come from the table of a past month.
QUIET_SECONDS = 4.0


class Archiver:
    """One process that archives activity. Several at once share the work."""

    def __init__(
        self, storage: Storage, lease: float = shards.LEASE_SECONDS, seconds_per_file: float = SECONDS_PER_FILE
    ) -> None:
        self._storage = storage
        self._lease = lease
        self._seconds_per_file = seconds_per_file
        self.followers: dict[str, LogFollower] = {}
        self._next_at: dict[str, float] = {}
        self._next_listing_at = 0.0

    @property
    def archived(self) -> int:
        return sum(each.archived for each in self.followers.values())

    @property
    def failed(self) -> int:
        return sum(each.failed for each in self.followers.values())

    def failures(self) -> Iterator[dict[str, str]]:
        """What could not be archived since the last call."""
        for each in self.followers.values():
            while each.failures:
                yield each.failures.popleft()

    def step(self) -> int:
        """Process one batch of each shard of each table; returns the number of records that were read."""
        self._find_tables()
        return sum(self._step(table, follower) for table, follower in self.followers.items())

    def catch_up(self) -> None:
        """Archive everything that is in the streams now, as far as this process gets the shards."""
        self._find_tables()
        for each in self.followers.values():
            each.catch_up()

    def watch(self, stop: threading.Event, idle: float = IDLE_SECONDS) -> Iterator[str]:
        """Archive until `stop` is set. Yields a text for each interruption, and an empty one after a failure."""
        while not stop.is_set():
            try:
                if not self.step():
                    stop.wait(idle)
                if any(each.failures for each in self.followers.values()):
                    yield ""
            except Unavailable as error:
                yield f"The table, a stream or the archive does not answer: {error.__cause__ or error}"
                stop.wait(max(idle, 1.0))

    def release(self) -> None:
        """Write what waits, and give the leases back."""
        for each in self.followers.values():
            each.release()

    def _step(self, table: str, follower: LogFollower) -> int:
        if time.monotonic() < self._next_at[table]:
            return 0
        count = follower.step()
        is_quiet = not count and table not in log_tables(now())[:2]
        self._next_at[table] = time.monotonic() + (min(QUIET_SECONDS, self._lease / 4) if is_quiet else 0.0)
        return count

    def _find_tables(self) -> None:
        if time.monotonic() < self._next_listing_at:
            return
        candidates = log_tables(now())
        for table in [each for each in self.followers if each not in candidates]:
            self.followers.pop(table).release()
        for table in candidates:
            if table not in self.followers and has_stream(table):
                self.followers[table] = LogFollower(
                    self._storage, table, lease=self._lease, seconds_per_file=self._seconds_per_file
                )
                self._next_at[table] = 0.0
        self._next_listing_at = time.monotonic() + LIST_SECONDS
