"""Who processes which shard, and how far: leases and checkpoints, as items of the table.

Parents are processed before their children. A lease only divides the work: repairs are conditional and can be repeated,
so that two followers on one shard would waste work but do no harm.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.update import Action

from dashboard.core.clock import now
from dashboard.core.errors import Conflict
from dashboard.platform.stream.batches import MAX_FAILURES, RepairTally, added_kinds
from dashboard.platform.stream.items import StreamShard, StreamTotals, valid_kinds
from dashboard.platform.stream.queries import totals
from dashboard.platform.stream.source import Shard
from dashboard.table import keys, write
from dashboard.table.commands import SYSTEM, new_command
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction

LEASE_SECONDS = 15.0
# Finished shards are listed for a day after their last record.
KEEP_FINISHED_SECONDS = 3 * 24 * 3600


def new_owner() -> str:
    return secrets.token_hex(8)


def key_of(shard: str, table: str = "") -> Key:
    """The key of a shard's state, for the stream of a table; without a name, of the main one."""
    return keys.STREAM_SHARD.key(table=table or settings.DYNAMODB_TABLE, shard=shard)


def milliseconds() -> int:
    """The time of leases. It is the real one, whatever a test sets as the current time."""
    return int(time.time() * 1000)


def ready(shards: Iterable[Shard], states: Mapping[str, StreamShard]) -> list[Shard]:
    """The shards that can be processed now: not finished, and their parent is finished or no longer listed."""
    listed = {shard.id for shard in shards}
    finished = {shard_id for shard_id, state in states.items() if state.is_finished}
    return [
        shard
        for shard in shards
        if shard.id not in finished and (shard.parent not in listed or shard.parent in finished)
    ]


def choose(candidates: Iterable[Shard], states: Mapping[str, StreamShard], owner: str, at: int) -> Shard | None:
    """The shard that this follower should take next, or None if it has its share.

    It takes a free shard if it has less than its share, and otherwise one of a follower that has two more than itself.
    """
    free: list[Shard] = []
    shard_counts: Counter[str] = Counter({owner: 0})
    taken: dict[str, list[Shard]] = {}
    for shard in candidates:
        state = states.get(shard.id)
        if state is None or not state.owner or state.lease_until <= at:
            free.append(shard)
        else:
            shard_counts[state.owner] += 1
            taken.setdefault(state.owner, []).append(shard)
    share = -(-(len(free) + shard_counts.total()) // len(shard_counts))
    if free:
        return free[0] if shard_counts[owner] < share else None
    (other, most), *_ = shard_counts.most_common(1)
    return taken[other][-1] if most >= shard_counts[owner] + 2 else None


def acquire(
    shard: Shard, state: StreamShard | None, owner: str, stream_arn: str, lease: float, table: str = ""
) -> StreamShard | None:
    """Take the lease of a shard as it was read; None if another follower was faster."""
    attributes = StreamShard.get_attributes()
    actions: list[Action] = [
        StreamShard.owner.set(owner),
        StreamShard.lease_until.set(_lease_end(lease)),
        StreamShard.stream_arn.set(stream_arn),
    ]
    if state is not None and state.stream_arn != stream_arn:
        # The checkpoint belongs to another stream. The counts continue.
        actions += [attributes[name].remove() for name in ("sequence_number", "range_end", "is_finished", "ttl")]
    if state is None:
        condition: Condition = StreamShard.pk.does_not_exist()
    elif state.owner:
        condition = (StreamShard.owner == state.owner) & (StreamShard.lease_until == state.lease_until)
    else:
        condition = StreamShard.owner.does_not_exist()
    return _shard(write.update(key_of(shard.id, table), actions, condition))


def renew(state: StreamShard, lease: float, *, is_caught_up: bool) -> StreamShard | None:
    """Extend the lease; None if another follower has taken it."""
    actions: list[Action] = [StreamShard.lease_until.set(_lease_end(lease))]
    if is_caught_up:
        actions += [StreamShard.caught_up_at.set(now()), StreamShard.lag_seconds.set(0)]
    return _shard(write.update(state.key, actions, StreamShard.owner == state.owner))


def checkpoint(
    state: StreamShard, sequence_number: str | None, tally: RepairTally, lag: float, lease: float
) -> StreamShard | None:
    """Store that all records up to this one are processed, with the counts; None if the lease was lost."""
    actions = checkpoint_actions(state, sequence_number, tally, lag, lease)
    return _shard(write.update(state.key, actions, StreamShard.owner == state.owner))


def checkpoint_actions(
    state: StreamShard, sequence_number: str | None, tally: RepairTally, lag: float, lease: float
) -> list[Action]:
    return [
        StreamShard.lease_until.set(_lease_end(lease)),
        StreamShard.sequence_number.set(sequence_number) if sequence_number else StreamShard.sequence_number.remove(),
        StreamShard.lag_seconds.set(round(lag, 1)),
        StreamShard.caught_up_at.set(now() - timedelta(seconds=lag)),
        *(StreamShard.get_attributes()[name].set(value) for name, value in counts_after(state, tally).items()),
    ]


def declare_range(state: StreamShard, last: str, lease: float) -> StreamShard | None:
    """Store up to which record the next file goes, before it is written; None if the lease was lost.

    Whoever continues after a crash writes the same file again.
    """
    actions = [StreamShard.range_end.set(last), StreamShard.lease_until.set(_lease_end(lease))]
    is_same = state.unchanged("owner", "sequenceNumber")
    return _shard(write.update(state.key, actions, is_same))


def finish(state: StreamShard, table: str = "") -> None:
    """Mark a closed shard whose records are all processed, and move its counts to the totals."""
    retry_on(_Collided, lambda: _finish(state, table))


class _Collided(Conflict):
    """Another follower changed the totals or took the shard."""


def _finish(state: StreamShard, table: str) -> None:
    tally = RepairTally(
        int(state.records),
        int(state.repairs),
        int(state.failed),
        list(state.failures or []),
        Counter(state.kinds or {}),
    )
    transaction = Transaction(new_command(SYSTEM))
    total = totals(table)
    changes, is_same = added_to(total, tally)
    transaction.update(total.key, changes, is_same, _Collided)
    actions = [
        StreamShard.is_finished.set(True),
        StreamShard.ttl.set(int(time.time()) + KEEP_FINISHED_SECONDS),
        StreamShard.owner.remove(),
        *(StreamShard.get_attributes()[name].remove() for name in counts_after(state, tally)),
    ]
    transaction.update(state.key, actions, state.unchanged("owner"), _Collided)
    transaction.commit(None)


def added_to(total: StreamTotals, tally: RepairTally) -> tuple[list[Action], Condition]:
    """The changes of the totals, and the condition that nobody has changed them since they were read."""
    attributes = StreamTotals.get_attributes()
    changes: list[Action] = [attributes[name].set(value) for name, value in counts_after(total, tally).items()]
    is_same: Condition = StreamTotals.pk.does_not_exist()
    if total.raw:
        is_same = (StreamTotals.records == total.records) & (StreamTotals.failed == total.failed)
    return changes, is_same


def release(state: StreamShard) -> None:
    """Give the lease back, so that another follower can take the shard at once."""
    write.update(state.key, [StreamShard.owner.remove()], StreamShard.owner == state.owner)


def counts_after(state: StreamShard | StreamTotals, tally: RepairTally) -> dict[str, Any]:
    """The counts of an item after these were added to it."""
    kinds = added_kinds(valid_kinds(state.kinds), tally.kinds)
    return {
        "records": int(state.records) + tally.records,
        "repairs": int(state.repairs) + tally.repairs,
        "failed": int(state.failed) + tally.failed,
        "failures": [*(state.failures or []), *tally.failures][-MAX_FAILURES:],
        "kinds": {kind: number for kind, number in kinds.items() if number},
    }


def _lease_end(lease: float) -> int:
    return milliseconds() + int(lease * 1000)


def _shard(raw: Raw | None) -> StreamShard | None:
    return None if raw is None else StreamShard.of(raw)
