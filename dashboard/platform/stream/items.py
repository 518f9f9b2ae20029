"""The follower's own items: a lease and a checkpoint for each shard, and the totals of finished shards."""

from __future__ import annotations

from typing import Any

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from dashboard.table import keys
from dashboard.table.attributes import PlainListAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.nested import StoredMap
from dashboard.table.timestamps import TimestampAttribute


class StreamTotals(Item):
    """What the follower did. Counts are written with the checkpoint, so a repeated record counts once."""

    key_pattern = keys.STREAM_TOTALS
    editable = False

    records = NumberAttribute(default=0)
    repairs = NumberAttribute(default=0)
    failed = NumberAttribute(default=0)
    # The newest items that could not be repaired: kind, pk, sk, reason, at.
    failures = PlainListAttribute(null=True)
    # The number of items by kind since the stream exists: created minus deleted.
    kinds = PlainMapAttribute(null=True)
    # Only in the totals, of a Lambda function, which has no shards: its newest batches (first and last sequence
    # number), when the last one was processed, and how old its last change was.
    batches = PlainListAttribute(null=True)
    batch_at = TimestampAttribute(null=True, attr_name="batchAt")
    batch_lag = NumberAttribute(default=0, attr_name="batchLag")


class StreamShard(StreamTotals):
    key_pattern = keys.STREAM_SHARD

    # A stream that was enabled again, or of another table with the same name, has another ARN.
    stream_arn = UnicodeAttribute(null=True, attr_name="streamArn")
    owner = UnicodeAttribute(null=True)
    # In milliseconds. Another follower may take the shard after this time.
    lease_until = NumberAttribute(default=0, attr_name="leaseUntil")
    # All records up to this one have been processed.
    sequence_number = UnicodeAttribute(null=True, attr_name="sequenceNumber")
    # The last record of the file that is being written. It is declared before, so that a crash repeats the same file.
    range_end = UnicodeAttribute(null=True, attr_name="rangeEnd")
    is_finished = BooleanAttribute(null=True, attr_name="isFinished")
    # When the follower had processed everything, or how far behind it was at the last checkpoint.
    caught_up_at = TimestampAttribute(null=True, attr_name="caughtUpAt")
    lag_seconds = NumberAttribute(default=0, attr_name="lagSeconds")


def valid_kinds(stored: Any) -> dict[str, int]:
    """The valid entries of a stored map of kinds and numbers."""
    return StoredMap.of(stored).counts()
