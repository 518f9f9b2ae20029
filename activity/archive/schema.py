"""The columns of the archive's Parquet files, and events as their rows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import quote

import pyarrow as pa

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


def path_of(day: date, country: str) -> str:
    """The file with the events of a sealed day from a country. The value is quoted as Hive and DuckDB expect it."""
    return f"events/date={day.isoformat()}/country={quote(country, safe='')}/events.parquet"


def day_of(at: datetime) -> date:
    """The day of an event in the archive: its date in UTC."""
    return at.astimezone(UTC).date()


def metadata_text(metadata: dict[str, Any]) -> str | None:
    return json.dumps(metadata, ensure_ascii=False, separators=(",", ":"), sort_keys=True) if metadata else None


def rows_of(events: Iterable[Event]) -> pa.Table:
    """Events as rows of a sealed day."""
    listed = list(events)
    columns = {
        "event_id": [each.id for each in listed],
        "user": [each.user for each in listed],
        "at": [each.at.astimezone(UTC).replace(tzinfo=None) for each in listed],
        "action": [each.action for each in listed],
        "room": [each.room for each in listed],
        "domain": [each.domain for each in listed],
        "metadata": [metadata_text(dict(each.metadata)) for each in listed],
        "country": [fold_country(each.country) for each in listed],
    }
    return pa.table(columns, schema=COLUMNS)


def as_incoming(rows: pa.Table, position: str = "", *, is_removed: bool = False) -> pa.Table:
    """Rows with their position in the stream; an empty one is before all others."""
    count = len(rows)
    return rows.append_column(INCOMING.field("position"), pa.array([position] * count, pa.string())).append_column(
        INCOMING.field("is_removed"), pa.array([is_removed] * count, pa.bool_())
    )
