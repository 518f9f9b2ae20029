"""Queries for due tasks."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from dashboard.core.clock import now
from dashboard.table import keys, read
from dashboard.table.due_times import QUEUES_BY_NAME
from dashboard.table.items import Item, PlainItem, Raw
from dashboard.table.keypattern import IndexPattern
from dashboard.table.read import Page
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import from_wire, to_wire


@access_pattern("Which tasks of a queue are due now, the longest overdue first?", *QUEUES_BY_NAME.values())
def due_tasks(
    start_key: Raw | None = None, limit: int = 50, *, queue: IndexPattern = keys.DUE
) -> Page[Item | PlainItem]:
    """Only the keys: the index lags, so each item is read again before its task runs."""
    return read.page(queue.collection(), until=to_wire(now()), attributes=(), start_key=start_key, limit=limit)


@access_pattern("Since when is the oldest task due?", keys.DUE)
def oldest_due_time() -> datetime | None:
    """None if nothing is due. A failed task is due again at the time of its next attempt."""
    for item in due_tasks(limit=5).items:
        # An item of an unknown kind has no handler: it stays due.
        if isinstance(item, Item) and item.gsistatussk:
            with suppress(ValueError, OverflowError):
                return from_wire(item.gsistatussk)
    return None
