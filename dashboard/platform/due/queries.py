"""Queries for due tasks."""

from __future__ import annotations

from dashboard.core.clock import now
from dashboard.table import keys, read
from dashboard.table.items import Item, PlainItem, Raw
from dashboard.table.read import Page
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire


@access_pattern("Which tasks are due now, the longest overdue first?", keys.DUE)
def due_tasks(start_key: Raw | None = None, limit: int = 50) -> Page[Item | PlainItem]:
    """Only the keys: the index lags, so each item is read again before its task runs."""
    return read.page(keys.DUE.collection(), until=to_wire(now()), attributes=(), start_key=start_key, limit=limit)
