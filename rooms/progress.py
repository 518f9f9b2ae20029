"""Which rooms a person has completed: a list on the wire, whatever else another service made of it. No table here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rooms.items import Room

# A value as it is on the wire: its type, and what it holds.
WireValue = dict[str, Any]

# So many names that are no room any more are shown: a page of all that an item holds would be of no use to anybody.
MAX_REMOVED_ROOMS = 200

# How each type reads as a list. What is none of these, we cannot read and do not write over.
_READERS: dict[str, Callable[[Any], list[WireValue]]] = {
    "L": list,
    "SS": lambda values: [{"S": each} for each in sorted(values)],
    "NS": lambda values: [{"N": each} for each in sorted(values)],
    "BS": lambda values: [{"B": each} for each in sorted(values)],
    "S": lambda value: [{"S": value}] if value else [],
    "NULL": lambda _value: [],
}


def to_entries(raw: WireValue | None) -> list[WireValue] | None:
    """What was read, entry by entry; none where it is nothing like a list."""
    if raw is None:
        return []
    ((kind, value),) = raw.items()
    return _READERS[kind](value) if kind in _READERS else None


def completed_names(raw: WireValue | None) -> list[str]:
    """The rooms it names, each once, in its order."""
    return list(dict.fromkeys(each["S"] for each in to_entries(raw) or () if "S" in each))


def with_room(entries: Sequence[WireValue], room: str) -> list[WireValue]:
    """The same and this room, at the end unless it is there."""
    return [*entries] if {"S": room} in entries else [*entries, {"S": room}]


def without_room(entries: Sequence[WireValue], room: str) -> list[WireValue]:
    """The same without this room, however often it is there."""
    return [each for each in entries if each != {"S": room}]


@dataclass(frozen=True)
class ProgressStep:
    """A room on somebody's way: one of the event's, or a name that is left of one."""

    number: int
    room: str
    title: str
    is_completed: bool
    is_room: bool = True


@dataclass(frozen=True)
class Progress:
    """How far somebody is."""

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
        """How many of the event's rooms."""
        return len({room.id for room in self.rooms} & set(self.names))

    @property
    def other_entries(self) -> int:
        """How many entries are no names: they are left alone."""
        return sum("S" not in each for each in to_entries(self.raw) or ())

    @cached_property
    def removed_rooms(self) -> list[str]:
        """The names that are no room any more."""
        is_room = {room.id for room in self.rooms}
        return [name for name in self.names if name not in is_room]

    @property
    def hidden_count(self) -> int:
        """How many of these a page leaves out."""
        return max(0, len(self.removed_rooms) - MAX_REMOVED_ROOMS)

    @cached_property
    def steps(self) -> list[ProgressStep]:
        """Every room in order, then the names that are no room any more; of very many the first."""
        completed_count, removed_rooms = set(self.names), self.removed_rooms[:MAX_REMOVED_ROOMS]
        steps = [
            ProgressStep(n, room.id, room.title, room.id in completed_count) for n, room in enumerate(self.rooms, 1)
        ]
        return steps + [
            ProgressStep(n, name, name, True, False) for n, name in enumerate(removed_rooms, len(steps) + 1)
        ]

    def step(self, room: str) -> ProgressStep | None:
        return next((each for each in self.steps if each.room == room), None)
