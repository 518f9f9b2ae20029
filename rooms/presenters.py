"""Rooms as their page shows them: how each stands, why, what comes next, and where that lies on the day's line."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from dashboard.core.names import unaccented
from dashboard.platform.jobs.paths import JobConverter
from dashboard.table.timestamps import from_wire, to_wire
from dashboard.web.templatetags.ui import day_format
from rooms.items import Room
from rooms.shifts import by_how_much
from rooms.state import Effective, Why
from rooms.timeline import STEP, Day, Stretch

# What nobody has gone on with for so long is not under way.
FORGOTTEN = timedelta(days=1)
# Held without an end for so long, somebody may have forgotten it.
LONG = timedelta(hours=2)
# For so many seconds nobody sees the line of now move.
LINE_STANDS = 300


@dataclass(frozen=True)
class RoomRow:
    """One room at a moment."""

    room: Room
    day: Day
    moment: datetime

    @cached_property
    def state(self) -> Effective:
        return self.room.plan.at(self.moment)

    @property
    def is_held(self) -> bool:
        return self.state.why is Why.OVERRIDE

    @property
    def who(self) -> str:
        """Who holds it; empty where another service has not said."""
        return self.room.override_by_name or self.room.override_by or ""

    @property
    def end_format(self) -> str:
        """How the end of an override is written: the time alone, where that is this day's."""
        return "H:i" if self.day.holds(self.room.plan.ends) else f"{day_format()}, H:i"

    @property
    def opening_to_come(self) -> datetime | None:
        opening = self.room.plan.open_at
        return opening if opening is not None and opening > self.moment else None

    @property
    def is_forgotten(self) -> bool:
        """Held for long, and nothing ends it."""
        since: datetime | None = self.room.override_at
        return self.is_held and self.room.plan.ends is None and since is not None and since < self.moment - LONG

    # --- On the line of the day ---
    @property
    def stretches(self) -> list[Stretch]:
        return self.day.stretches(self.room.plan, self.room.override_at)

    @property
    def minute(self) -> int | None:
        """Where its opening stands on the line; none on another day."""
        opening = self.room.plan.open_at
        return self.day.minute(opening) if opening is not None and self.day.holds(opening) else None

    @property
    def first(self) -> int:
        """Where the steps begin, so that the opening lies on one of them."""
        return (self.minute or 0) % STEP

    @property
    def knew(self) -> str:
        """The opening as it is shown, for whoever moves it."""
        return to_wire(self.room.open_at)

    @property
    def is_later(self) -> bool:
        """Whether it opens on a day after this one."""
        opening = self.room.plan.open_at
        return opening is not None and opening >= self.day.end


@dataclass(frozen=True)
class HalfDone:
    """A shift that has moved some of its rooms and not yet all."""

    id: str
    who: str
    by: str
    how: str
    handled: int
    total: int
    when: datetime | None


def half_done(rooms: Sequence[Room], moment: datetime) -> list[HalfDone]:
    """What the rooms say of shifts that are not through: each room knows how far its shift was when it was moved."""
    farthest: dict[str, dict[str, Any]] = {}
    for room in rooms:
        mark = room.shift or {}
        if _is_mark(mark) and mark["handled"] > farthest.get(mark["id"], {"handled": -1})["handled"]:
            farthest[mark["id"]] = mark
    found = [_told(mark) for mark in farthest.values() if mark["handled"] < mark["total"]]
    return [each for each in found if each.when is not None and moment - each.when < FORGOTTEN]


def _is_mark(mark: dict[str, Any]) -> bool:
    """Whoever writes to rooms may write anything there."""
    numbers = all(isinstance(mark.get(name), int) for name in ("minutes", "handled", "total"))
    named = mark.get("id")
    return numbers and isinstance(named, str) and re.fullmatch(JobConverter.regex, named) is not None


def _told(mark: dict[str, Any]) -> HalfDone:
    who = str(mark.get("byName") or mark.get("by") or "")
    try:
        when = from_wire(str(mark.get("at")))
    except (ValueError, OverflowError):
        when = None
    how = by_how_much(mark["minutes"])
    return HalfDone(mark["id"], who, str(mark.get("by") or ""), how, mark["handled"], mark["total"], when)


def days_of(rooms: Sequence[Room], where: ZoneInfo) -> Counter[dt.date]:
    """The days on which rooms open, by the reader's calendar, and how many each."""
    openings = [room.plan.open_at for room in rooms]
    return Counter(sorted(moment.astimezone(where).date() for moment in openings if moment is not None))


def day_to_show(days: Counter[dt.date], today: dt.date) -> dt.date:
    """Today, or the next day on which a room opens, or the last one on which one did."""
    coming = [day for day in days if day >= today]
    return min(coming) if coming else max(days, default=today)


def mark(rows: Sequence[RoomRow], about: str, today: dt.date) -> str:
    """Stands for all that the page shows: where it is the same, there is nothing new. The line of now moves, too."""
    slot = int(rows[0].moment.timestamp()) // LINE_STANDS if rows else 0
    told = [(sorted(row.room.raw.items()), row.state.is_open, row.state.why, row.is_forgotten) for row in rows]
    return hashlib.sha256(repr((about, today, slot, told)).encode()).hexdigest()[:32]


def chosen(rows: Sequence[RoomRow], show: str, words: str) -> list[RoomRow]:
    """The rows that someone asks for."""
    sought = unaccented(words).split()
    found = [row for row in rows if _has(row.room, sought)]
    if show == "held":
        return [row for row in found if row.is_held]
    return [row for row in found if show not in {"open", "closed"} or row.state.is_open == (show == "open")]


def _has(room: Room, sought: list[str]) -> bool:
    text = unaccented(f"{room.id} {room.name or ''} {room.content_title or ''}")
    return all(word in text for word in sought)


def by_opening(rows: Sequence[RoomRow]) -> list[RoomRow]:
    """As they open; those without an opening last."""
    return sorted(rows, key=lambda row: (row.room.plan.open_at is None, row.room.plan.open_at or row.moment))
