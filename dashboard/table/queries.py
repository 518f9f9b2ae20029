"""Queries for the table itself."""

from __future__ import annotations

from dashboard.table import keys
from dashboard.table.connection import health_table
from dashboard.table.registry import access_pattern
from dashboard.table.retries import table_errors


@access_pattern("Does the table answer?", keys.DONE)
def table_answers() -> None:
    """Raises Unavailable if the table does not answer at once. The item itself does not matter."""
    key = keys.DONE.key(operation="healthz")
    with table_errors():
        health_table().get_item(key.pk, key.sk, consistent_read=False)
