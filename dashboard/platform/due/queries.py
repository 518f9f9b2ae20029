"""What is due."""

from __future__ import annotations

from dashboard.core.clock import now
from dashboard.table import keys, read
from dashboard.table.items import Item, PlainItem, Raw
from dashboard.table.read import Page
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire


@access_pattern("What is due by now, the longest overdue first?", keys.DUE)
def due_by_now(start: Raw | None = None, limit: int = 50) -> Page[Item | PlainItem]:
    """Keys only: the index lags, and each item is asked anew before anything is done."""
    return read.page(keys.DUE.under(), until=to_wire(now()), only=(), start=start, limit=limit)
