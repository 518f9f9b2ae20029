"""The public interface of the rooms for other apps."""

from __future__ import annotations

from rooms.items import Room
from rooms.permissions import Permission
from rooms.queries.attendees import find_attendee
from rooms.queries.home import ROOMS_READ
from rooms.queries.rooms import all_rooms
from rooms.state import RoomPlan, StateReason
from rooms.zones import event_zone

__all__ = [
    "ROOMS_READ",
    "Permission",
    "Room",
    "RoomPlan",
    "StateReason",
    "all_rooms",
    "event_zone",
    "find_attendee",
    "load_plans",
]


def load_plans() -> dict[str, RoomPlan]:
    """When each room is open, by the id of the room."""
    return {room.id: room.plan for room in all_rooms()}
