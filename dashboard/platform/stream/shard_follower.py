"""Follows the stream of a table: takes shards, reads their records and keeps the leases. What is done with the records
is defined by a subclass: the repairs of the main table, and the archive of activity.

A checkpoint is written after the work that it covers. After a crash the records since the last one are read again.
"""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Unavailable
from dashboard.platform.stream import queries, shards
from dashboard.platform.stream.batches import RepairTally
from dashboard.platform.stream.items import StreamShard
from dashboard.platform.stream.records import Record, created_at
from dashboard.platform.stream.source import BATCH, IteratorExpired, Shard, Stream, Trimmed

logger = logging.getLogger("trastienda.stream")

IDLE_SECONDS = 0.5
# New shards appear when a shard is closed, about every four hours.
LIST_SECONDS = 10.0
THREADS = 8
# DynamoDB deletes records after a day.
RETENTION = timedelta(hours=25)


@dataclass
class LeasedShard:
    """A shard that this follower has leased."""

    state: StreamShard
    iterator: str | None
    renew_at: float
    # What was done since the last checkpoint, and the last processed record; None if there were only our own.
    tally: RepairTally = field(default_factory=RepairTally)
    position: str | None = None
    lag: float = 0.0
    # What the next checkpoint covers, of work that is done together with it, and since when it waits.
    waiting: list[Any] = field(default_factory=list)
    waiting_size: int = 0
    waiting_since: float = 0.0

    def moved_to(self, state: StreamShard, renew_at: float) -> None:
        """Continue after a checkpoint."""
        self.state, self.tally, self.position, self.renew_at = state, RepairTally(), None, renew_at
        self.waiting, self.waiting_size = [], 0


class ShardFollower(ABC):
    """One follower of one stream. `step` does one round of work; several followers share the shards."""

    # How many records are read at once.
    batch = BATCH

    def __init__(self, table: str = "", owner: str = "", lease: float = shards.LEASE_SECONDS) -> None:
        self.table = table
        self.owner = owner or shards.new_owner()
        self.lease = lease
        self.records = self.failed = 0
        self.failures: deque[dict[str, str]] = deque(maxlen=100)
        self._leased: dict[str, LeasedShard] = {}
        self._stream = Stream("")
        self._next_listing_at = 0.0
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="shard")

    @abstractmethod
    def _work(self, leased: LeasedShard, records: Sequence[Record]) -> None:
        """Do what is to be done with the records of a shard, now or before the next checkpoint."""

    @abstractmethod
    def _save(self, shard: str, leased: LeasedShard, *, is_last: bool = False) -> bool:
        """Store the checkpoint, or only extend the lease if there was nothing to do. False if it is lost.

        `is_last` demands a checkpoint of everything: the shard is closed or given back.
        """

    def _must_save(self, leased: LeasedShard) -> bool:
        """Whether the checkpoint cannot wait for the next renewal of the lease."""
        return False

    def step(self) -> int:
        """Process one batch of each shard; returns the number of records that were read."""
        if time.monotonic() >= self._next_listing_at:
            self._take_shards()
        leased = list(self._leased.items())
        if len(leased) == 1:
            return self._process(*leased[0])
        return sum(self._threads.map(lambda each: self._process(*each), leased))

    def catch_up(self) -> None:
        """Process everything that is in the stream now, as far as this follower gets the shards."""
        idle = 0
        while idle < 2:
            has_finished_shard = self._next_listing_at == 0
            idle = 0 if self.step() or has_finished_shard else idle + 1

    def watch(self, stop: threading.Event, idle: float = IDLE_SECONDS) -> Iterator[str]:
        """Follow until `stop` is set. Yields a text for each interruption, and an empty one after a failure."""
        while not stop.is_set():
            try:
                if not self.step():
                    stop.wait(idle)
                if self.failures:
                    yield ""
            except Unavailable as error:
                yield f"The table or its stream does not answer: {error.__cause__ or error}"
                stop.wait(max(idle, 1.0))

    def release(self) -> None:
        """Store the checkpoints and give the leases back."""
        for shard, leased in list(self._leased.items()):
            with suppress(Unavailable):
                if self._save(shard, leased, is_last=True):
                    shards.release(leased.state)
        self._leased.clear()

    # --- Shards ----------------------------------------------------------------------------------
    def _take_shards(self) -> None:
        stream = Stream.of_table(self.table)
        if stream.arn != self._stream.arn:
            self._stream = stream
            self._leased.clear()
        listed = stream.shards()
        for _ in range(2 * len(listed) + 1):
            states = {str(each.key_parts["shard"]): each for each in queries.shard_states(self.table)}
            current = {shard: state for shard, state in states.items() if self._is_current(shard, state)}
            self._finish_unlisted(states, listed)
            chosen = shards.choose(shards.ready(listed, current), current, self.owner, shards.milliseconds())
            if chosen is None:
                break
            acquired = self._acquire(chosen, states.get(chosen.id))
            if acquired is not None:
                logger.info("a shard was taken", extra={"shard": chosen.id, "owner": self.owner})
                self._leased[chosen.id] = LeasedShard(acquired, None, self._renew_at())
        self._next_listing_at = time.monotonic() + (LIST_SECONDS if self._leased else self.lease / 3)

    def _is_current(self, shard: str, state: StreamShard) -> bool:
        """Whether a state counts: of this stream, and not of a shard of ours that an error made us drop."""
        return state.stream_arn == self._stream.arn and (state.owner != self.owner or shard in self._leased)

    def _acquire(self, chosen: Shard, state: StreamShard | None) -> StreamShard | None:
        return shards.acquire(chosen, state, self.owner, self._stream.arn, self.lease, self.table)

    def _lose(self, shard: str) -> None:
        """Continue without a shard, and look for shards again."""
        self._leased.pop(shard, None)
        self._next_listing_at = 0.0

    def _finish_unlisted(self, states: dict[str, StreamShard], listed: list[Shard]) -> None:
        """Shards of an earlier stream, and old ones that DynamoDB no longer lists, have no more records."""
        names = {each.id for each in listed}
        for shard, state in states.items():
            is_old = state.caught_up_at is None or state.caught_up_at < now() - RETENTION
            is_current = state.stream_arn == self._stream.arn and (shard in names or not is_old)
            if not is_current and not state.is_finished and state.lease_until < shards.milliseconds():
                with suppress(Conflict):  # Another follower does it.
                    shards.finish(state, self.table)

    def _renew_at(self) -> float:
        return time.monotonic() + self.lease / 3

    # --- Records ---------------------------------------------------------------------------------
    def _process(self, shard: str, leased: LeasedShard) -> int:
        """Process one batch of a shard. The checkpoint is stored every few seconds and at the end of the shard."""
        records, next_iterator = self._read(shard, leased)
        self._work(leased, records)
        leased.lag = max(time.time() - created_at(records[-1]), 0.0) if len(records) >= self.batch else 0.0
        leased.iterator = next_iterator
        is_closed = next_iterator is None
        is_due = is_closed or time.monotonic() >= leased.renew_at or self._must_save(leased)
        if is_due and self._save(shard, leased, is_last=is_closed) and is_closed:
            with suppress(Conflict):  # Another follower has taken the shard and finishes it.
                shards.finish(leased.state, self.table)
            del self._leased[shard]
            self._next_listing_at = 0.0
        return len(records)

    def _read(self, shard: str, leased: LeasedShard) -> tuple[list[Record], str | None]:
        """The next records of a shard."""
        after = leased.position or leased.state.sequence_number
        try:
            return self._stream.records(leased.iterator or self._stream.iterator(shard, after), self.batch)
        except IteratorExpired:
            return self._stream.records(self._stream.iterator(shard, after), self.batch)
        except Trimmed as error:
            # Nothing can be read again. `reindex` repairs what was missed in the main table.
            logger.error("records of the stream were lost", extra={"shard": shard})
            leased.tally.fail("stream", shards.key_of(shard, self.table), error)
            self.failed += 1
            self.failures.append(leased.tally.failures[-1])
            return self._stream.records(self._stream.iterator(shard, None), self.batch)
