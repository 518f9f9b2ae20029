"""Queries for rooms and the event's schedule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.platform.configs.items import Config
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern
from rooms.items import Room
from rooms.schedule_entries import SCHEDULE

# More than any event has, and below what one answer holds.
MAX_ROOMS = 1000


def audit_target(room_id: str) -> str:
    """The target of a room in the audit trail."""
    return f"room:{room_id}"


@access_pattern("Which rooms are there, and what is their state?", keys.ROOM, partition=True)
def all_rooms() -> list[Room]:
    """All rooms in natural order, with one consistent query.

    `MAX_ROOMS` + 1 rooms mean that there are more.
    """
    found = read.page(
        keys.ROOM.collection(), Room, limit=MAX_ROOMS + 1, attributes=Room.IN_LISTS, consistent=True
    ).items
    return sorted(found, key=_natural_order)


def _natural_order(room: Room) -> list[Any]:
    """`sala10` comes after `sala9`."""
    parts, number = [], ""
    for char in room.id.casefold():
        if char.isdecimal():
            number += char
            continue
        if number:
            parts.append((0, int(number), ""))
            number = ""
        parts.append((1, 0, char))
    return [*parts, (0, int(number), "")] if number else parts


@dataclass(frozen=True)
class RoomAndSchedule:
    """A room and the event's schedule."""

    room: Room
    config: Config | None


@access_pattern("What is the state of this room, and what does the schedule say?", keys.ROOM, keys.CONFIG)
def load_room(room_id: str) -> RoomAndSchedule:
    (found,), config = find_rooms([room_id])
    if found is None:
        raise NotFound
    return RoomAndSchedule(found, config)


@access_pattern("What is the state of these rooms, and what does the schedule say?", keys.ROOM, keys.CONFIG)
def find_rooms(room_ids: list[str]) -> tuple[list[Room | None], Config | None]:
    """Rooms in the order of their ids, and the schedule, in one consistent read."""
    try:
        keys_to_read = [keys.ROOM.key(room=each) for each in room_ids]
    except BadKey:
        raise NotFound from None
    *rooms, config = read.get_many([*keys_to_read, keys.CONFIG.key(name=SCHEDULE)])
    rooms_or_none = [each if isinstance(each, Room) else None for each in rooms]
    return rooms_or_none, config if isinstance(config, Config) else None
