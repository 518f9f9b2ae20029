"""Follows the stream of a log table: writes its events into files, each exactly once.

Up to which record a file goes is stored before it is written (`rangeEnd`), on the condition of the lease. After a crash
the next follower reads the same records again and replaces the same file. The file counts from the moment when one
transaction adds it to the manifest and moves the checkpoint, again on the condition of the lease: a follower that has
lost the shard without noticing it can add nothing.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Sequence

from activity.archive import files
from activity.archive.changes import NotAnEvent, rows_of_record
from activity.archive.items import IncomingFile
from activity.archive.storage import Storage
from dashboard.core.errors import Conflict, Unavailable
from dashboard.platform.stream import shards
from dashboard.platform.stream.items import StreamShard
from dashboard.platform.stream.queries import shard_state
from dashboard.platform.stream.records import Record, sequence_number
from dashboard.platform.stream.shard_follower import LeasedShard, ShardFollower
from dashboard.table.commands import SYSTEM, new_command
from dashboard.table.items import key_of
from dashboard.table.keypattern import Key
from dashboard.table.transactions import Transaction

logger = logging.getLogger("trastienda.activity")

# A file is written when so many rows wait, or so much text, or the oldest of them for so long.
ROWS_PER_FILE = 5000
SIZE_PER_FILE = 32_000_000
SECONDS_PER_FILE = 60.0


class LogFollower(ShardFollower):
    """One follower of the log table of a month."""

    batch = 1000

    def __init__(
        self,
        storage: Storage,
        table: str,
        *,
        owner: str = "",
        lease: float = shards.LEASE_SECONDS,
        seconds_per_file: float = SECONDS_PER_FILE,
    ) -> None:
        super().__init__(table, owner, lease)
        self.archived = 0
        self._storage = storage
        self._seconds_per_file = seconds_per_file

    # --- Records ---------------------------------------------------------------------------------
    def _work(self, leased: LeasedShard, records: Sequence[Record]) -> None:
        for record in records:
            if self._is_beyond_range(leased, record):
                self._forget_range(leased)
            if not leased.waiting:
                leased.waiting_since = time.monotonic()
            self._take(leased, record)
            leased.position = sequence_number(record)
            if self._is_full(leased) and not self._commit(leased):
                return

    def _take(self, leased: LeasedShard, record: Record) -> None:
        leased.tally.records += 1
        self.records += 1
        try:
            rows = list(rows_of_record(record))
            leased.waiting += rows
            leased.waiting_size += sum(len(value) for row in rows for value in row if isinstance(value, str))
        except NotAnEvent as error:
            key = key_of(record["dynamodb"]["Keys"])
            leased.tally.fail("activity", key, error)
            self.failed += 1
            self.failures.append(leased.tally.failures[-1])

    def _is_full(self, leased: LeasedShard) -> bool:
        """Whether a file is complete: the declared one, or one that has become large."""
        if leased.state.range_end is not None:
            return bool(leased.position == leased.state.range_end)
        return len(leased.waiting) >= ROWS_PER_FILE or leased.waiting_size >= SIZE_PER_FILE

    def _is_beyond_range(self, leased: LeasedShard, record: Record) -> bool:
        end = leased.state.range_end
        return bool(end) and _number(sequence_number(record)) > _number(str(end))

    def _forget_range(self, leased: LeasedShard) -> None:
        """The declared range can no longer be read: its last record has expired from the stream."""
        self._storage.remove(files.incoming_path(self._file_name(leased, str(leased.state.range_end))))
        leased.state.range_end = None

    # --- Files -----------------------------------------------------------------------------------
    def _must_save(self, leased: LeasedShard) -> bool:
        return bool(leased.waiting) and time.monotonic() >= leased.waiting_since + self._seconds_per_file

    def _save(self, shard: str, leased: LeasedShard, *, is_last: bool = False) -> bool:
        is_in_range = leased.state.range_end is not None
        if (
            leased.position is not None
            and not is_in_range
            and (is_last or not leased.waiting or self._must_save(leased))
        ):
            return self._commit(leased)
        # What waits is read again by whoever continues.
        state = shards.renew(leased.state, self.lease, is_caught_up=not (leased.lag or leased.waiting or is_in_range))
        if state is None:
            self._lose(shard)
            return False
        leased.state, leased.renew_at = state, self._renew_at()
        return True

    def _commit(self, leased: LeasedShard) -> bool:
        """Write what waits into a file, and add it to the manifest together with the checkpoint."""
        shard = str(leased.state.key_parts["shard"])
        try:
            state = self._write(leased)
        except Unavailable:
            # Whether it was added is not known. The shard is taken again, from its checkpoint.
            self._lose(shard)
            raise
        if state is None:
            logger.info("another follower has taken a shard", extra={"shard": shard, "owner": self.owner})
            self._lose(shard)
            return False
        self.archived += len(leased.waiting)
        leased.moved_to(state, self._renew_at())
        return True

    def _write(self, leased: LeasedShard) -> StreamShard | None:
        last = str(leased.position)
        if not leased.waiting:
            return shards.checkpoint(leased.state, last, leased.tally, leased.lag, self.lease)
        name = self._file_name(leased, last)
        if leased.state.range_end != last:
            declared = shards.declare_range(leased.state, last, self.lease)
            if declared is None:
                return None
            leased.state = declared
        rows = files.incoming_table(leased.waiting)
        files.write_table(self._storage, files.incoming_path(name), rows)
        return self._add(leased, last, files.incoming_entry(name, rows))

    def _add(self, leased: LeasedShard, last: str, entry: IncomingFile) -> StreamShard | None:
        transaction = Transaction(new_command(SYSTEM))
        actions = shards.checkpoint_actions(leased.state, last, leased.tally, leased.lag, self.lease)
        actions.append(StreamShard.range_end.remove())
        is_same = leased.state.unchanged("owner", "sequenceNumber", "rangeEnd")
        transaction.update(leased.state.key, actions, is_same, Conflict)
        transaction.update(entry.key, files.entry_actions(entry), None, Conflict)
        try:
            transaction.commit(None)
        except Conflict:
            return None
        return self._current(leased.state.key, last)

    def _current(self, key: Key, last: str) -> StreamShard | None:
        state = shard_state(key)
        return state if state and state.owner == self.owner and state.sequence_number == last else None

    def _file_name(self, leased: LeasedShard, last: str) -> str:
        """From the table, the stream, the shard and the range of records, so that a repetition has the same name."""
        stream = hashlib.sha256(self._stream.arn.encode()).hexdigest()[:8]
        after = leased.state.sequence_number or "start"
        return f"{self.table}/{stream}/{leased.state.key_parts['shard']}/{after}-{last}"


def _number(sequence: str) -> int:
    return int(sequence) if sequence.isdigit() else 0
