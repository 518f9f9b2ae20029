"""A shift of many openings, before and after it is done: which rooms, from when to when, and what that means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform.jobs.kinds import Line
from dashboard.table.timestamps import from_wire, to_wire
from rooms.items import Room
from rooms.state import Plan

# A day and a bit: what is to be farther away is set, not shifted.
MOST_MINUTES = 36 * 60


class Means(StrEnum):
    """What moving its opening does to a room at this moment."""

    NOTHING = ""
    CLOSES = "closes"
    OPENS = "opens"


@dataclass(frozen=True)
class Step:
    """One room of a shift as the preview shows it."""

    room: str
    title: str
    was: datetime
    now: datetime
    means: Means


def line_of(room: Room, opening: datetime, minutes: int) -> Line:
    """What moving it needs, and what people recognise it by."""
    moved = opening + timedelta(minutes=minutes)
    return {"room": room.id, "title": room.title, "was": to_wire(opening), "now": to_wire(moved), "held": _held(room)}


def _held(room: Room) -> dict[str, Any]:
    until = to_wire(room.override_until) if room.override_until and not room.until_opening else None
    return {"at": room.manual_override, "until": until} if room.manual_override else {}


def lines_of(rooms: Iterable[Room], minutes: int) -> list[Line]:
    """A line for each room that has an opening to move."""
    openings = [(room, room.plan.open_at) for room in rooms]
    return [line_of(room, opening, minutes) for room, opening in openings if opening is not None]


def turned_back(line: Line) -> Line:
    return {**line, "was": line["now"], "now": line["was"]}


def step_of(line: Line, moment: datetime) -> Step:
    was, then = from_wire(line["was"]), from_wire(line["now"])
    return Step(line["room"], line["title"], was, then, _means(line, was, then, moment))


def _means(line: Line, was: datetime, then: datetime, moment: datetime) -> Means:
    """Whether the room is another at once; what somebody holds stays as it is."""
    held = line.get("held") or {}
    until = from_wire(held["until"]) if held.get("until") else None
    states = [Plan(opening, held.get("at"), until).at(moment).is_open for opening in (was, then)]
    return Means.NOTHING if states[0] == states[1] else Means.OPENS if states[1] else Means.CLOSES


def by_how_much(minutes: int) -> str:
    """`15 minutes later`."""
    size = abs(minutes)
    said = ngettext("%(n)s minute", "%(n)s minutes", size) % {"n": size}
    return (_("%(time)s later") if minutes > 0 else _("%(time)s earlier")) % {"time": said}


def title_of(count: int, minutes: int) -> str:
    said = ngettext("Open %(count)s room %(when)s", "Open %(count)s rooms %(when)s", count)
    return said % {"count": count, "when": by_how_much(minutes)}
