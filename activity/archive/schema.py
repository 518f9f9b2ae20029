"""The columns of the archive's Parquet files, and events as their rows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import quote

import pyarrow as pa

from activity.archive.pseudonyms import name_of
from activity.events import Event, fold_country

# The columns of every file of a sealed day. `country` is also in the path, so that both engines can use either one.
COLUMNS = pa.schema(
    [
        ("event_id", pa.string()),
        ("user", pa.string()),
        ("at", pa.timestamp("ms")),
        ("action", pa.string()),
        ("room", pa.string()),
        ("domain", pa.string()),
        ("metadata", pa.string()),
        ("country", pa.string()),
    ]
)
# An incoming file also says where in the stream a row comes from, and whether its event was deleted.
INCOMING = COLUMNS.append(pa.field("position", pa.string())).append(pa.field("is_removed", pa.bool_()))
Row = tuple[Any, ...]


def path_of(day: date, country: str) -> str:
    """The file with the events of a sealed day from a country. The value is quoted as Hive and DuckDB expect it."""
    return f"events/date={day.isoformat()}/country={quote(country, safe='')}/events.parquet"


def day_of(at: datetime) -> date:
    """The day of an event in the archive: its date in UTC."""
    return at.astimezone(UTC).date()


def row_of(event: Event, user: str = "") -> Row:
    """An event as a row of a sealed day. `user` is the name under which the person is archived."""
    metadata = json.dumps(dict(event.metadata), ensure_ascii=False, separators=(",", ":"), default=str)
    return (
        event.id,
        user or name_of(event.user),
        event.at.astimezone(UTC).replace(tzinfo=None),
        event.action,
        event.room,
        event.domain,
        metadata if event.metadata else None,
        fold_country(event.country),
    )


def rows_of(events: Iterable[Event]) -> pa.Table:
    return table_of([row_of(event) for event in events], COLUMNS)


def table_of(rows: list[Row], columns: pa.Schema) -> pa.Table:
    values = zip(*rows, strict=True) if rows else [[] for _ in columns]
    return pa.table([pa.array(each, field.type) for each, field in zip(values, columns, strict=True)], schema=columns)


def as_incoming(rows: pa.Table) -> pa.Table:
    """Rows that come from no stream: they are before all that do."""
    values = {"position": [""] * len(rows), "is_removed": [False] * len(rows)}
    for name, value in values.items():
        rows = rows.append_column(INCOMING.field(name), pa.array(value, INCOMING.field(name).type))
    return rows
