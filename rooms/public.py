"""The public interface of the rooms for other apps."""

from __future__ import annotations

from rooms.queries.rooms import all_rooms
from rooms.state import RoomPlan, StateReason

__all__ = ["RoomPlan", "StateReason", "load_plans"]


def load_plans() -> dict[str, RoomPlan]:
    """When each room is open, by the id of the room."""
    return {room.id: room.plan for room in all_rooms()}
