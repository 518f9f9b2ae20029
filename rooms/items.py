"""The event's rooms: when they open and what is in them (seed 002)."""

from __future__ import annotations

from collections.abc import Iterator

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from dashboard.table import keys
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute


class Room(Item):
    """When a room opens, and whether someone holds it open or closed meanwhile."""

    pattern = keys.ROOM

    open_at = TimestampAttribute(null=True, attr_name="openAt")
    manual_override = UnicodeAttribute(null=True, attr_name="manualOverride")
    content_version = NumberAttribute(null=True, attr_name="contentVersion")
    active_version = NumberAttribute(null=True, attr_name="activeVersion")


class RoomContent(Item):
    """One version of what a room shows."""

    pattern = keys.ROOM_CONTENT

    type = UnicodeAttribute(null=True)
    title = UnicodeAttribute(null=True)
    vimeo_url = UnicodeAttribute(null=True, attr_name="vimeoUrl")
    open_at = TimestampAttribute(null=True, attr_name="openAt")
    active = BooleanAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        if self.is_active:
            yield from keys.ACTIVE_CONTENT.place(**self.key_parts)

    @property
    def is_active(self) -> bool:
        """Other services have no attribute for it: what they put into the index is the active one."""
        return bool(self.gsi1pk) if self.active is None else self.active
