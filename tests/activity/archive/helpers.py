"""Events, and what the archive contains."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import duckdb

from activity.archive import manifest
from activity.archive.follower import LogFollower
from activity.archive.storage import Storage
from activity.events import Event
from activity.items import new_item
from dashboard.table import connection
from dashboard.table.items import Raw

DAY = date(2025, 8, 18)
# A day whose events are still in the log tables, and that can be sealed.
RECENT = datetime.now(UTC).date() - timedelta(days=2)


def recent_months() -> set[str]:
    return {f"{day:%Y-%m}" for day in (RECENT, RECENT + timedelta(days=2))}


def event(name: str = "e1", at: str = "2025-08-18T10:30:00.250Z", **values: Any) -> Event:
    moment = datetime.fromisoformat(at).astimezone(UTC)
    known = {"user": "ana@example.com", "action": "room_enter", "room": "sala1", "country": "México"}
    return Event(id=name, at=moment, **(known | values))


def events(count: int, at: str = "2025-08-18T10:30:00.250Z", first: int = 0, **values: Any) -> list[Event]:
    moment = datetime.fromisoformat(at)
    return [
        event(f"e{number}", (moment + timedelta(milliseconds=number)).isoformat(), **values)
        for number in range(first, first + count)
    ]


def recent(count: int, first: int = 0, day: date = RECENT, **values: Any) -> list[Event]:
    """Events of a day whose log table exists."""
    return events(count, datetime.combine(day, time(10), UTC).isoformat(), first, **values)


def put(event: Event, **changes: Any) -> Raw:
    """Write an event into its log table, as some service does."""
    new = new_item(event)
    raw = {**new.raw, **changes}
    connection.client().put_item(TableName=new.table, Item=raw)
    return raw


def put_all(events: Iterable[Event]) -> None:
    for each in events:
        put(each)


def delete(event: Event) -> None:
    new = new_item(event)
    connection.client().delete_item(TableName=new.table, Key={name: new.raw[name] for name in ("PK", "SK")})


def follow(storage: Storage, table: str, **options: Any) -> LogFollower:
    """A follower that has archived everything and ended."""
    follower = LogFollower(storage, table, **options)
    follower.catch_up()
    follower.release()
    return follower


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
