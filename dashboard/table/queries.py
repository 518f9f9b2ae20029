"""Queries for the table itself."""

from __future__ import annotations

from dashboard.table import keys, read
from dashboard.table.commands import Done
from dashboard.table.registry import access_pattern


@access_pattern("Does the table answer?", keys.DONE)
def table_answers() -> None:
    """Raises Unavailable if the table does not answer. The item itself does not matter."""
    read.get(Done, keys.DONE.key(operation="healthz"), consistent=False)
