"""Shifting opening times: the lines of the job and the preview."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform.jobs.kinds import JobLine
from dashboard.table.timestamps import from_wire, to_wire
from rooms.items import Room
from rooms.state import RoomPlan

# Larger changes are made in each room.
MAX_MINUTES = 36 * 60


class ShiftEffect(StrEnum):
    """What the new opening time changes in a room right now."""

    NOTHING = ""
    CLOSES = "closes"
    OPENS = "opens"


@dataclass(frozen=True)
class ShiftStep:
    """One room in the preview of a shift."""

    room: str
    title: str
    old_opening: datetime
    new_opening: datetime
    effect: ShiftEffect


def build_line(room: Room, opening: datetime, minutes: int) -> JobLine:
    """The job's line for one room: what the move needs, and the room's title."""
    moved = opening + timedelta(minutes=minutes)
    return {
        "room": room.id,
        "title": room.title,
        "was": to_wire(opening),
        "now": to_wire(moved),
        "held": _override(room),
    } | ({"closes": to_wire(room.plan.closing)} if room.plan.closing else {})


def _override(room: Room) -> dict[str, Any]:
    until = to_wire(room.override_until) if room.override_until and not room.until_opening else None
    return {"at": room.override, "until": until} if room.override else {}


def build_lines(rooms: Iterable[Room], minutes: int) -> list[JobLine]:
    """One line for each room that has an opening time."""
    openings = [(room, room.plan.open_at) for room in rooms]
    return [build_line(room, opening, minutes) for room, opening in openings if opening is not None]


def reverse_line(line: JobLine) -> JobLine:
    return {**line, "was": line["now"], "now": line["was"]}


def build_step(line: JobLine, moment: datetime) -> ShiftStep:
    old_opening, new_opening = from_wire(line["was"]), from_wire(line["now"])
    return ShiftStep(
        line["room"], line["title"], old_opening, new_opening, _effect(line, old_opening, new_opening, moment)
    )


def _effect(line: JobLine, old_opening: datetime, new_opening: datetime, moment: datetime) -> ShiftEffect:
    """Whether the room opens or closes at once. An active override prevents both."""
    override = line.get("held") or {}
    until = from_wire(override["until"]) if override.get("until") else None
    closing = from_wire(line["closes"]) if line.get("closes") else None
    plans = (
        RoomPlan(opening, override.get("at"), until, closing and closing + (opening - old_opening))
        for opening in (old_opening, new_opening)
    )
    was_open, will_be_open = (plan.state_at(moment).is_open for plan in plans)
    return (
        ShiftEffect.NOTHING if was_open == will_be_open else ShiftEffect.OPENS if will_be_open else ShiftEffect.CLOSES
    )


def describe_minutes(minutes: int) -> str:
    """`15 minutes later`."""
    size = abs(minutes)
    text = ngettext("%(n)s minute", "%(n)s minutes", size) % {"n": size}
    return (_("%(time)s later") if minutes > 0 else _("%(time)s earlier")) % {"time": text}


def shift_title(count: int, minutes: int) -> str:
    text = ngettext("Open %(count)s room %(when)s", "Open %(count)s rooms %(when)s", count)
    return text % {"count": count, "when": describe_minutes(minutes)}
