"""Queries for the state of the stream follower."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings

from dashboard.core.clock import now
from dashboard.platform.stream.items import StreamShard, StreamTotals, valid_kinds
from dashboard.table import keys, read
from dashboard.table.keypattern import Key
from dashboard.table.registry import access_pattern

MAX_SHARDS = 1000


@access_pattern("Which shards of the stream are processed by whom, and how far?", keys.STREAM_SHARD, partition=True)
def shard_states(table: str = "") -> list[StreamShard]:
    """Of the stream of a table; without a name, of the main one."""
    collection = keys.STREAM_SHARD.collection(table=table or settings.DYNAMODB_TABLE)
    return read.page(collection, StreamShard, limit=MAX_SHARDS, consistent=True).items


@access_pattern("How far is this shard processed, and by whom?", keys.STREAM_SHARD)
def shard_state(key: Key) -> StreamShard | None:
    return read.get(StreamShard, key)


@access_pattern("What has the follower done on finished shards, or as a Lambda function?", keys.STREAM_TOTALS)
def totals(table: str = "") -> StreamTotals:
    key = keys.STREAM_TOTALS.key(table=table or settings.DYNAMODB_TABLE)
    return read.get(StreamTotals, key) or StreamTotals.new_at_key(key)


@dataclass(frozen=True)
class FollowerState:
    """The state of the follower as a whole."""

    # How old the oldest change is that may not be processed yet; None if no follower has ever run. Of a Lambda
    # function: how old the last change was when it was processed.
    lag_seconds: float | None
    is_running: bool
    records: int
    repairs: int
    failed: int
    # The newest ones: kind, pk, sk, reason, at.
    failures: list[dict[str, Any]]
    # The number of items by kind since the stream exists: created minus deleted.
    kinds: dict[str, int]
    # When a Lambda function processed its last batch; None while the command follows the stream.
    batch_at: datetime | None = None


def follower_state(shards: list[StreamShard], finished: StreamTotals) -> FollowerState:
    """The state from the items of the shards and the totals of the finished ones."""
    parts = [finished, *shards]
    failures = [each for part in parts for each in part.failures or []]
    kinds: Counter[str] = Counter()
    for part in parts:
        kinds.update(valid_kinds(part.kinds))
    current = [each for each in shards if not each.is_finished]
    batch_at: datetime | None = finished.batch_at
    if batch_at is not None and any(each.caught_up_at and each.caught_up_at >= batch_at for each in current):
        batch_at = None
    lag = max((_lag(each) for each in current), default=None)
    return FollowerState(
        # The shards of a command that was replaced by a function have no more checkpoints.
        lag_seconds=lag if batch_at is None else float(finished.batch_lag),
        batch_at=batch_at,
        is_running=any(each.owner and each.lease_until > now().timestamp() * 1000 for each in shards),
        records=sum(int(part.records) for part in parts),
        repairs=sum(int(part.repairs) for part in parts),
        failed=sum(int(part.failed) for part in parts),
        failures=sorted(failures, key=lambda each: str(each.get("at")), reverse=True)[:20],
        kinds=dict(kinds),
    )


def _lag(shard: StreamShard) -> float:
    if shard.caught_up_at:
        return max((now() - shard.caught_up_at).total_seconds(), 0.0)
    return float(shard.lag_seconds)
