"""Events, and what the archive contains."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import duckdb

from activity.archive import manifest
from activity.archive.storage import Storage
from activity.events import Event

DAY = date(2025, 8, 18)


def event(name: str = "e1", at: str = "2025-08-18T10:30:00.250Z", **values: Any) -> Event:
    moment = datetime.fromisoformat(at).astimezone(UTC)
    known = {"user": "ana@example.com", "action": "room_enter", "room": "sala1", "country": "México"}
    return Event(id=name, at=moment, **(known | values))


def events(count: int, at: str = "2025-08-18T10:30:00.250Z", **values: Any) -> list[Event]:
    first = event("e0", at)
    return [
        event(f"e{number}", (first.at + timedelta(milliseconds=number)).isoformat(), **values)
        for number in range(count)
    ]


def rows(storage: Storage, first: date = DAY, last: date | None = None) -> list[dict[str, Any]]:
    """The events of the sealed days, as an engine reads them from the files of the manifest."""
    files = [storage.address(each.path) for each in manifest.files(first, last or first)]
    if not files:
        return []
    with duckdb.connect() as engine:
        found = engine.sql(
            'SELECT * FROM read_parquet($files, hive_partitioning = true) ORDER BY "at", event_id',
            params={"files": files},
        ).to_arrow_table()
    return list(found.to_pylist())


def ids(storage: Storage, first: date = DAY, last: date | None = None) -> list[str]:
    return [each["event_id"] for each in rows(storage, first, last)]


def stored(storage: Storage, prefix: str = "") -> list[str]:
    return list(storage.paths(prefix))
