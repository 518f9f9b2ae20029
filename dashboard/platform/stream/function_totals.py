"""What a Lambda function did, in the totals of the follower. It has no checkpoint: Lambda repeats whole batches.

The sequence numbers of its newest batches are stored with the counts, so that a repeated batch counts once.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from dashboard.core.clock import now
from dashboard.core.errors import Conflict
from dashboard.platform.stream.batches import RepairTally
from dashboard.platform.stream.items import StreamTotals
from dashboard.platform.stream.queries import totals
from dashboard.platform.stream.records import Record, change_of, created_at, sequence_number
from dashboard.platform.stream.shards import added_to
from dashboard.table import write
from dashboard.table.nested import maps_in
from dashboard.table.retries import retry_on

logger = logging.getLogger("trastienda.stream")

# More batches are not processed at once: one of each shard.
MAX_BATCHES = 50
_FIRST, _LAST = "first", "last"


class _TotalsChanged(Conflict):
    """Another invocation changed the totals."""


def record_batch(records: Sequence[Record], tally: RepairTally, table: str = "") -> None:
    """Add a batch to the totals of a table, without the records that an earlier attempt has added."""
    if not records:
        return
    try:
        retry_on(_TotalsChanged, lambda: _add(records, tally, table))
    except _TotalsChanged:
        # The repairs are made. Repeating them would not make the counts complete.
        logger.warning("a batch was not counted", extra={"records": len(records)})


def _add(records: Sequence[Record], tally: RepairTally, table: str) -> None:
    total = totals(table)
    first, last = sequence_number(records[0]), sequence_number(records[-1])
    batches = maps_in(total.batches)
    counted_to = max((_number(each.text(_LAST)) for each in batches if each.text(_FIRST) == first), default=-1)
    uncounted = [record for record in records if _number(sequence_number(record)) > counted_to]
    if not uncounted:
        return
    added = RepairTally(len(uncounted), tally.repairs, tally.failed, tally.failures)
    for record in uncounted:
        added.count(change_of(record))
    others: list[dict[str, Any]] = [dict(each) for each in batches if each.text(_FIRST) != first]
    changes, is_same = added_to(total, added)
    changes += [
        StreamTotals.batches.set([*others, {_FIRST: first, _LAST: last}][-MAX_BATCHES:]),
        StreamTotals.batch_at.set(now()),
        StreamTotals.batch_lag.set(round(_age_of(records[-1]), 1)),
    ]
    if write.update(total.key, changes, is_same) is None:
        raise _TotalsChanged(None)


def _number(sequence: str) -> int:
    with suppress(ValueError):
        return int(sequence)
    return 0


def _age_of(record: Record) -> float:
    """How many seconds ago the change was made."""
    at = created_at(record)
    return max(time.time() - at, 0.0) if at else 0.0
