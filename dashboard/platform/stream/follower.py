"""Follows the stream of the main table: repairs the items of its records and stores checkpoints.

The checkpoint is written after the repairs. After a crash the records since the last checkpoint are processed again;
their repairs find nothing to do.
"""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.platform.stream import batches, shards
from dashboard.platform.stream.batches import RepairTally
from dashboard.platform.stream.records import Record, is_own, sequence_number
from dashboard.platform.stream.shard_follower import IDLE_SECONDS, LeasedShard, ShardFollower, logger

__all__ = ["IDLE_SECONDS", "Follower"]


class Follower(ShardFollower):
    """One follower of the main table."""

    def __init__(self, owner: str = "", lease: float = shards.LEASE_SECONDS) -> None:
        super().__init__(owner=owner, lease=lease)
        self.repairs = 0

    def _work(self, leased: LeasedShard, records: Sequence[Record]) -> None:
        others = [record for record in records if not is_own(record)]
        tally = RepairTally()
        batches.process(others, tally)
        leased.tally.add(tally)
        if others:
            leased.position = sequence_number(records[-1])
        self.records += tally.records
        self.repairs += tally.repairs
        self.failed += tally.failed
        self.failures.extend(tally.failures)

    def _save(self, shard: str, leased: LeasedShard, *, is_last: bool = False) -> bool:
        if leased.position is None and not leased.tally.failed:
            state = shards.renew(leased.state, self.lease, is_caught_up=not leased.lag)
        else:
            position = leased.position or leased.state.sequence_number
            state = shards.checkpoint(leased.state, position, leased.tally, leased.lag, self.lease)
        if state is None:
            logger.info("another follower has taken a shard", extra={"shard": shard, "owner": self.owner})
            self._lose(shard)
            return False
        leased.moved_to(state, self._renew_at())
        return True
