"""The time zone of a page: the event's on lists, the room's on the page of a room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import AbstractContextManager

from django.utils import timezone

from dashboard.web.locale import zone
from rooms.items import Room


def event_zone(rooms: Iterable[Room]) -> str:
    """The time zone of most rooms; the person's if no room has one."""
    counts = Counter(room.zone for room in rooms if room.zone)
    return counts.most_common(1)[0][0] if counts else timezone.get_current_timezone_name()


def show_times_of_event(rooms: Iterable[Room]) -> AbstractContextManager[object]:
    """Show times in the time zone of the event."""
    return timezone.override(zone(event_zone(rooms)))


def zone_of(room: Room) -> str:
    """The time zone of the room; the person's if it is unknown."""
    return room.zone or timezone.get_current_timezone_name()
