"""Follows the stream of the table: takes shards, repairs the items of their records and stores checkpoints.

The checkpoint is written after the repairs. After a crash the records since the last checkpoint are processed again;
their repairs find nothing to do.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Unavailable
from dashboard.platform.stream import batches, queries, shards
from dashboard.platform.stream.batches import RepairTally
from dashboard.platform.stream.items import StreamShard
from dashboard.platform.stream.records import Record, created_at, is_own, sequence_number
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


class Follower:
    """One follower. `step` does one round of work; several followers share the shards."""

    def __init__(self, owner: str = "", lease: float = shards.LEASE_SECONDS) -> None:
        self.owner = owner or shards.new_owner()
        self.lease = lease
        self.records = self.repairs = self.failed = 0
        self.failures: deque[dict[str, str]] = deque(maxlen=100)
        self._leased: dict[str, LeasedShard] = {}
        self._stream = Stream("")
        self._next_listing_at = 0.0
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="shard")

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
                if self._save(shard, leased):
                    shards.release(leased.state)
        self._leased.clear()

    # --- Shards ----------------------------------------------------------------------------------
    def _take_shards(self) -> None:
        stream = Stream.of_table()
        if stream.arn != self._stream.arn:
            self._stream = stream
            self._leased.clear()
        listed = stream.shards()
        for _ in range(2 * len(listed) + 1):
            states = {str(each.key_parts["shard"]): each for each in queries.shard_states()}
            current = {shard: state for shard, state in states.items() if state.stream_arn == stream.arn}
            self._finish_unlisted(states, listed)
            chosen = shards.choose(shards.ready(listed, current), current, self.owner, shards.milliseconds())
            if chosen is None:
                break
            acquired = shards.acquire(chosen, states.get(chosen.id), self.owner, stream.arn, self.lease)
            if acquired is not None:
                logger.info("a shard was taken", extra={"shard": chosen.id, "owner": self.owner})
                self._leased[chosen.id] = LeasedShard(acquired, None, self._renew_at())
        self._next_listing_at = time.monotonic() + (LIST_SECONDS if self._leased else self.lease / 3)

    def _finish_unlisted(self, states: dict[str, StreamShard], listed: list[Shard]) -> None:
        """Shards of an earlier stream, and old ones that DynamoDB no longer lists, have no more records."""
        names = {each.id for each in listed}
        for shard, state in states.items():
            is_old = state.caught_up_at is None or state.caught_up_at < now() - RETENTION
            is_current = state.stream_arn == self._stream.arn and (shard in names or not is_old)
            if not is_current and not state.is_finished and state.lease_until < shards.milliseconds():
                with suppress(Conflict):  # Another follower does it.
                    shards.finish(state)

    def _renew_at(self) -> float:
        return time.monotonic() + self.lease / 3

    # --- Records ---------------------------------------------------------------------------------
    def _process(self, shard: str, leased: LeasedShard) -> int:
        """Process one batch of a shard. The checkpoint is stored every few seconds and at the end of the shard."""
        records, next_iterator = self._read(shard, leased)
        others = [record for record in records if not is_own(record)]
        tally = RepairTally()
        batches.process(others, tally)
        leased.tally.add(tally)
        leased.lag = max(time.time() - created_at(records[-1]), 0.0) if len(records) >= BATCH else 0.0
        if others:
            leased.position = sequence_number(records[-1])
        self.records += tally.records
        self.repairs += tally.repairs
        self.failed += tally.failed
        self.failures.extend(tally.failures)
        leased.iterator = next_iterator
        is_closed = next_iterator is None
        if (is_closed or time.monotonic() >= leased.renew_at) and self._save(shard, leased) and is_closed:
            with suppress(Conflict):  # Another follower has taken the shard and finishes it.
                shards.finish(leased.state)
            del self._leased[shard]
            self._next_listing_at = 0.0
        return len(records)

    def _read(self, shard: str, leased: LeasedShard) -> tuple[list[Record], str | None]:
        """The next records of a shard."""
        after = leased.position or leased.state.sequence_number
        try:
            return self._stream.records(leased.iterator or self._stream.iterator(shard, after))
        except IteratorExpired:
            return self._stream.records(self._stream.iterator(shard, after))
        except Trimmed as error:
            # Nothing can be read again. `reindex` repairs what was missed.
            logger.error("records of the stream were lost", extra={"shard": shard})
            leased.tally.fail("stream", shards.key_of(shard), error)
            self.failed += 1
            self.failures.append(leased.tally.failures[-1])
            return self._stream.records(self._stream.iterator(shard, None))

    def _save(self, shard: str, leased: LeasedShard) -> bool:
        """Store the checkpoint, or only extend the lease if there was no record of others. False if it is lost."""
        if leased.position is None and not leased.tally.failed:
            state = shards.renew(leased.state, self.lease, is_caught_up=not leased.lag)
        else:
            position = leased.position or leased.state.sequence_number
            state = shards.checkpoint(leased.state, position, leased.tally, leased.lag, self.lease)
        if state is None:
            logger.info("another follower has taken a shard", extra={"shard": shard, "owner": self.owner})
            self._leased.pop(shard, None)
            self._next_listing_at = 0.0
            return False
        leased.state, leased.tally, leased.position, leased.renew_at = state, RepairTally(), None, self._renew_at()
        return True
