"""The public interface of rooms for other apps."""

from __future__ import annotations

from rooms.items import Room
from rooms.permissions import Permission
from rooms.queries.attendees import find_attendee
from rooms.queries.rooms import all_rooms
from rooms.zones import event_zone

__all__ = ["Permission", "Room", "all_rooms", "event_zone", "find_attendee"]
