"""Which rooms a person has completed: a list on the wire, whatever else another service made of it. No table here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rooms.items import Room

# A value as it is on the wire: its type, and what it holds.
Wire = dict[str, Any]

# So many names that are no room any more are shown: a page of all that an item holds would be of no use to anybody.
MOST_GONE = 200

# How each type reads as a list. What is none of these, we cannot read and do not write over.
_READ: dict[str, Callable[[Any], list[Wire]]] = {
    "L": list,
    "SS": lambda values: [{"S": each} for each in sorted(values)],
    "NS": lambda values: [{"N": each} for each in sorted(values)],
    "BS": lambda values: [{"B": each} for each in sorted(values)],
    "S": lambda value: [{"S": value}] if value else [],
    "NULL": lambda _value: [],
}


def entries_of(stood: Wire | None) -> list[Wire] | None:
    """What was read, entry by entry; none where it is nothing like a list."""
    if stood is None:
        return []
    ((kind, value),) = stood.items()
    return _READ[kind](value) if kind in _READ else None


def names_of(stood: Wire | None) -> list[str]:
    """The rooms it names, each once, in its order."""
    return list(dict.fromkeys(each["S"] for each in entries_of(stood) or () if "S" in each))


def with_room(entries: Sequence[Wire], room: str) -> list[Wire]:
    """The same and this room, at the end unless it is there."""
    return [*entries] if {"S": room} in entries else [*entries, {"S": room}]


def without_room(entries: Sequence[Wire], room: str) -> list[Wire]:
    """The same without this room, however often it is there."""
    return [each for each in entries if each != {"S": room}]


@dataclass(frozen=True)
class Step:
    """A room on somebody's way: one of the event's, or a name that is left of one."""

    number: int
    room: str
    title: str
    completed: bool
    known: bool = True


@dataclass(frozen=True)
class Way:
    """How far somebody is."""

    raw: Wire | None
    rooms: Sequence[Room]

    @cached_property
    def names(self) -> list[str]:
        return names_of(self.raw)

    @property
    def readable(self) -> bool:
        return entries_of(self.raw) is not None

    @property
    def total(self) -> int:
        return len(self.rooms)

    @cached_property
    def done(self) -> int:
        """How many of the event's rooms."""
        return len({room.id for room in self.rooms} & set(self.names))

    @property
    def others(self) -> int:
        """How many entries are no names: they are left alone."""
        return sum("S" not in each for each in entries_of(self.raw) or ())

    @cached_property
    def gone(self) -> list[str]:
        """The names that are no room any more."""
        known = {room.id for room in self.rooms}
        return [name for name in self.names if name not in known]

    @property
    def not_shown(self) -> int:
        """How many of these a page leaves out."""
        return max(0, len(self.gone) - MOST_GONE)

    @cached_property
    def steps(self) -> list[Step]:
        """Every room in order, then the names that are no room any more; of very many the first."""
        done, gone = set(self.names), self.gone[:MOST_GONE]
        steps = [Step(n, room.id, room.title, room.id in done) for n, room in enumerate(self.rooms, 1)]
        return steps + [Step(n, name, name, True, False) for n, name in enumerate(gone, len(steps) + 1)]

    def step(self, room: str) -> Step | None:
        return next((each for each in self.steps if each.room == room), None)
