"""Writes demo data of the log tables in batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.conf import settings

from dashboard.core.errors import Unavailable
from dashboard.table.appends import CounterChange, NewItem
from dashboard.table.connection import client
from dashboard.table.retries import Backoff, table_errors

# The limit of DynamoDB.
_BATCH = 25


def put_all(items: Sequence[NewItem], counters: Sequence[CounterChange]) -> None:
    """Write items and whole counters in batches, whatever is there: for demo data, which nobody else writes."""
    requests = [(each.table, each.raw) for each in items]
    requests += [(settings.DYNAMODB_TABLE, each.raw()) for each in counters]
    for start in range(0, len(requests), _BATCH):
        by_table: dict[str, list[dict[str, Any]]] = {}
        for table_name, raw in requests[start : start + _BATCH]:
            by_table.setdefault(table_name, []).append({"PutRequest": {"Item": raw}})
        backoff = Backoff(tries=12)
        while by_table:
            with table_errors():
                by_table = client().batch_write_item(RequestItems=by_table).get("UnprocessedItems") or {}
            if by_table and not backoff.wait():
                raise Unavailable
