"""The rooms of the event and its time zone, for the pages of the activity."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar
from zoneinfo import ZoneInfo

from django.utils import timezone

from dashboard.table.read import in_background
from dashboard.web.locale import zone, zone_label
from dashboard.web.pages import url_or_empty
from rooms.public import Room, all_rooms, event_zone

T = TypeVar("T")


class _AssumedZone:
    """The time zone of the event on the last page, so that reads that need it do not wait for the rooms."""

    name = ""


@dataclass(frozen=True)
class EventRooms:
    """All rooms, and the time zone of most of them."""

    rooms: Sequence[Room]
    zone: ZoneInfo

    @classmethod
    def of(cls, rooms: Sequence[Room]) -> EventRooms:
        """Remembers the time zone for the next page, unless it is only the reader's because no room has one."""
        found = cls(rooms, zone(event_zone(rooms)))
        _AssumedZone.name = found.zone.key if any(room.zone for room in rooms) else ""
        return found

    @cached_property
    def _by_id(self) -> dict[str, Room]:
        return {room.id: room for room in self.rooms}

    @property
    def zone_text(self) -> str:
        return zone_label(self.zone.key)

    @property
    def choices(self) -> list[tuple[str, str]]:
        return [(room.id, room.title) for room in self.rooms]

    def title(self, room_id: str) -> str:
        """The name of a room. A room that was removed or never had an item is shown by its id."""
        room = self._by_id.get(room_id)
        return room.title if room is not None else room_id

    def in_order(self, room_ids: Collection[str]) -> list[str]:
        """Rooms in the order of the list of rooms, then those that are no longer in it."""
        known = [room.id for room in self.rooms if room.id in room_ids]
        return known + sorted(set(room_ids) - set(known))

    def url(self, room_id: str) -> str:
        """The page of a room; empty for one without a page."""
        room = self._by_id.get(room_id)
        return url_or_empty("room", room.id) if room is not None and room.has_page else ""


def load_in_event_zone(load: Callable[[ZoneInfo], T]) -> tuple[EventRooms, T]:
    """Run reads that need the event's time zone in parallel with the read of the rooms, which determine it.

    They run again if the time zone differs from that of the last page, or on the first page from the reader's.
    """
    rooms_read = in_background(all_rooms)
    assumed = zone(_AssumedZone.name or timezone.get_current_timezone_name())
    result = load(assumed)
    event = EventRooms.of(rooms_read.result())
    return event, result if event.zone == assumed else load(event.zone)
