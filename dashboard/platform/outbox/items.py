"""Events that no entry of ours records, because an outside writer made the change."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from pynamodb.attributes import JSONAttribute, UnicodeAttribute

from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.platform.outbox.records import OutboxRecord, RecordPlace
from dashboard.platform.outbox.registry import mark
from dashboard.table import keys
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey

KEPT = timedelta(days=7)
# The name of the change that such an item records.
CHANGE = "outside event"


class OutsideEvent(OutboxRecord, Item):
    """A change that the stream follower found. It is deleted when everything that follows from it is queued."""

    # That of the platform; those of a business are in its own partition.
    key_pattern = keys.SYSTEM_OUTSIDE_EVENT
    editable = False

    # The type of the event and the object that it is about, as webhooks name them.
    type = UnicodeAttribute()
    object = UnicodeAttribute()
    data = JSONAttribute(null=True)

    @property
    def change_name(self) -> str:
        return CHANGE

    @property
    def record_place(self) -> RecordPlace:
        parts = keys.SYSTEM_OUTSIDE_EVENT.read(*self.key) or keys.OUTSIDE_EVENT.read(*self.key) or {}
        return RecordPlace(str(parts.get("tenant", "")), str(parts.get("at", "")), str(parts.get("id", "")))

    def index_keys(self) -> Iterator[IndexKey]:
        yield from self.outbox_keys()


def outside_event(business: str, type_: str, about: str, data: dict[str, Any]) -> OutsideEvent:
    """The event of an outside writer's change, to be created in the transaction of its repair."""
    at = now()
    pattern, parts = (keys.OUTSIDE_EVENT, {"tenant": business}) if business else (keys.SYSTEM_OUTSIDE_EVENT, {})
    event = OutsideEvent.new_at_key(pattern.key(at=at, id=new_id(), **parts))
    event.type, event.object, event.data = type_, about, data
    event.created_at = at
    event.ttl = int((at + KEPT).timestamp())
    mark(event, CHANGE, at)
    return event
