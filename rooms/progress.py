"""Rooms that an attendee completed. Outside writers store values of any type. Pure: it reads no table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rooms.items import Room

# A value in DynamoDB's JSON: its type and its content.
WireValue = dict[str, Any]

# Names that are no longer rooms: a page shows at most this many.
MAX_REMOVED_ROOMS = 200

# Converts each type into a list. Other types cannot be read and are not overwritten.
_READERS: dict[str, Callable[[Any], list[WireValue]]] = {
    "L": list,
    "SS": lambda values: [{"S": each} for each in sorted(values)],
    "NS": lambda values: [{"N": each} for each in sorted(values)],
    "BS": lambda values: [{"B": each} for each in sorted(values)],
    "S": lambda value: [{"S": value}] if value else [],
    "NULL": lambda _value: [],
}


def to_entries(raw: WireValue | None) -> list[WireValue] | None:
    """The entries of a stored value; None if it cannot be read as a list."""
    if raw is None:
        return []
    ((kind, value),) = raw.items()
    return _READERS[kind](value) if kind in _READERS else None


def completed_names(raw: WireValue | None) -> list[str]:
    """The names in the list, each once, in order."""
    return list(dict.fromkeys(each["S"] for each in to_entries(raw) or () if "S" in each))


def with_room(entries: Sequence[WireValue], room: str) -> list[WireValue]:
    """The entries with this room, added at the end if it is missing."""
    return [*entries] if {"S": room} in entries else [*entries, {"S": room}]


def without_room(entries: Sequence[WireValue], room: str) -> list[WireValue]:
    """The entries without this room."""
    return [each for each in entries if each != {"S": room}]


@dataclass(frozen=True)
class ProgressStep:
    """One line of an attendee's progress: a room of the event, or a name that is no longer a room."""

    number: int
    room: str
    title: str
    is_completed: bool
    is_room: bool = True


@dataclass(frozen=True)
class AttendeeProgress:
    """The progress of one attendee through the rooms of the event."""

    raw: WireValue | None
    rooms: Sequence[Room]

    @cached_property
    def names(self) -> list[str]:
        return completed_names(self.raw)

    @property
    def is_readable(self) -> bool:
        return to_entries(self.raw) is not None

    @property
    def total(self) -> int:
        return len(self.rooms)

    @cached_property
    def completed_count(self) -> int:
        """The number of completed rooms of the event."""
        return len({room.id for room in self.rooms} & set(self.names))

    @property
    def other_entries(self) -> int:
        """The number of entries that are no names."""
        return sum("S" not in each for each in to_entries(self.raw) or ())

    @cached_property
    def removed_rooms(self) -> list[str]:
        """The names that are no longer rooms."""
        is_room = {room.id for room in self.rooms}
        return [name for name in self.names if name not in is_room]

    @property
    def hidden_count(self) -> int:
        """The number of such names that a page does not show."""
        return max(0, len(self.removed_rooms) - MAX_REMOVED_ROOMS)

    @cached_property
    def steps(self) -> list[ProgressStep]:
        """Every room in order, then the first names that are no longer rooms."""
        completed_count, removed_rooms = set(self.names), self.removed_rooms[:MAX_REMOVED_ROOMS]
        steps = [
            ProgressStep(n, room.id, room.title, room.id in completed_count) for n, room in enumerate(self.rooms, 1)
        ]
        return steps + [
            ProgressStep(n, name, name, True, False) for n, name in enumerate(removed_rooms, len(steps) + 1)
        ]

    def step(self, room: str) -> ProgressStep | None:
        return next((each for each in self.steps if each.room == room), None)
