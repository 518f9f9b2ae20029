"""Activity of people at the event, in one table per month, and its counters, which are in the main table."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime

from django.conf import settings

from activity.archive.items import ArchiveTask, IncomingFile, SealedDay
from activity.events import RETENTION, Event, fold_user, to_milliseconds
from activity.warehouse.items import ResultsTask, StoredResult
from dashboard.table import keys, schema
from dashboard.table.appends import NewItem
from dashboard.table.attributes import LenientUnicodeAttribute, PlainMapAttribute, to_attribute
from dashboard.table.items import Item, Raw, to_item
from dashboard.table.keypattern import IndexKey, Key
from dashboard.table.timestamps import from_wire

# The manifest of the archive and the results of the warehouse have modules of their own.
__all__ = [
    "Activity",
    "ArchiveTask",
    "IncomingFile",
    "OutsideActivity",
    "ResultsTask",
    "SealedDay",
    "StoredResult",
]

# The country in the key of an event without one: every event of ours is in the index.
NO_COUNTRY = "unknown"
# An outside writer may store any number as a time; these are the bounds of the calendar.
_LAST_MILLISECOND = 253_402_300_799_999


class Activity(Item):
    """One action of a person."""

    key_pattern = keys.ACTIVITY
    editable = False

    action = LenientUnicodeAttribute(null=True)
    sala_id = LenientUnicodeAttribute(null=True, attr_name="salaId")
    country = LenientUnicodeAttribute(null=True)
    metadata = PlainMapAttribute(null=True)

    @classmethod
    def table_of(cls, key: Key) -> str:
        return table_of_month(key.sk[:7])

    def index_keys(self) -> Iterator[IndexKey]:
        at, shard = str(self.key_parts["at"]), self.key_parts["shard"]
        with suppress(ValueError, OverflowError):
            date = from_wire(at).date().isoformat()
            country = self.country or NO_COUNTRY
            yield from keys.ACTIVITY_BY_COUNTRY.optional_key(country=country, date=date, shard=shard, at=at)

    def to_event(self) -> Event | None:
        """The event; None if its time cannot be read."""
        parts = self.key_parts
        try:
            at = from_wire(str(parts["at"]))
        except (KeyError, ValueError, OverflowError):
            return None
        return _event(self, str(parts["event"]), str(parts["user"]), at)


class OutsideActivity(Item):
    """One action of a person as the event service stores it: without a shard, an id and a country."""

    key_pattern = keys.OUTSIDE_ACTIVITY
    editable = False

    action = LenientUnicodeAttribute(null=True)
    sala_id = LenientUnicodeAttribute(null=True, attr_name="salaId")
    country = LenientUnicodeAttribute(null=True)
    metadata = PlainMapAttribute(null=True)

    @classmethod
    def table_of(cls, key: Key) -> str:
        parts = cls.key_pattern.read(*key)
        at = _from_milliseconds(parts["milliseconds"]) if parts else None
        return table_of_month(f"{at:%Y-%m}") if at else ""

    def to_event(self) -> Event | None:
        """The event, whose id follows from its key; None if its time cannot be read."""
        parts = self.key_parts
        at = _from_milliseconds(parts.get("milliseconds"))
        if at is None:
            return None
        digest = hashlib.sha256(f"{self.key.pk} {self.key.sk}".encode()).hexdigest()
        return _event(self, f"outside-{digest[:32]}", fold_user(str(parts["user"])), at)


class ActivityMinute(Item):
    """How many events a shard of the people caused within a minute. `activity/counters.py` names the numbers."""

    key_pattern = keys.ACTIVITY_MINUTE
    editable = False


class ActivityPeople(Item):
    """The people of a shard who did something within a minute, by room."""

    key_pattern = keys.ACTIVITY_PEOPLE
    editable = False


class ActivityHour(Item):
    """How many events a shard of the people caused within an hour."""

    key_pattern = keys.ACTIVITY_HOUR
    editable = False


def table_of_month(month: str) -> str:
    """The name of the table with the activity of a month, such as `2025-08`."""
    return schema.activity_table(settings.DYNAMODB_TABLE, month)


def event_of(raw: Raw) -> Event | None:
    """The event in an item of a log table, ours or an outside writer's; None for anything else."""
    item = to_item(raw)
    return item.to_event() if isinstance(item, Activity | OutsideActivity) else None


def _event(item: Activity | OutsideActivity, id: str, user: str, at: datetime) -> Event:
    return Event(
        id=id,
        user=user,
        at=at.replace(microsecond=at.microsecond // 1000 * 1000),
        action=item.action or "",
        room=item.sala_id,
        country=item.country,
        metadata=item.metadata or {},
    )


def _from_milliseconds(number: object) -> datetime | None:
    if not isinstance(number, int) or not 0 <= number <= _LAST_MILLISECOND:
        return None
    return datetime.fromtimestamp(number // 1000, UTC).replace(microsecond=number % 1000 * 1000)


def new_item(event: Event) -> NewItem:
    """The item of a new event. It is built without the class, which would take most of the time of a write."""
    at = to_milliseconds(event.at)
    key = keys.ACTIVITY.key(user=event.user, shard=event.shard, at=at, event=event.id)
    by_country = keys.ACTIVITY_BY_COUNTRY.key(
        country=event.country or NO_COUNTRY, date=at[:10], shard=event.shard, at=at
    )
    raw: Raw = {
        schema.PK: {"S": key.pk},
        schema.SK: {"S": key.sk},
        "GSI1PK": {"S": by_country.pk},
        "GSI1SK": {"S": by_country.sk or ""},
        "action": {"S": event.action},
        schema.TTL: {"N": str(int((event.at + RETENTION).timestamp()))},
    }
    optional = {"salaId": event.room, "country": event.country}
    raw |= {name: {"S": value} for name, value in optional.items() if value is not None}
    if event.metadata:
        raw["metadata"] = to_attribute(dict(event.metadata))
    return NewItem(table_of_month(at[:7]), raw)
