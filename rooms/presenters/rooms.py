"""Presenters of rooms: state, reason, next change and position on the timeline."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

from dashboard.core.names import unaccented
from dashboard.platform.jobs.paths import JobConverter
from dashboard.table.nested import StoredMap
from dashboard.table.timestamps import to_wire
from dashboard.web.templatetags.ui import day_format
from rooms.items import Room
from rooms.shifts import describe_minutes
from rooms.state import RoomState, StateReason
from rooms.timeline import STEP, Day, Segment

# An unfinished shift that is older is not shown.
MAX_SHIFT_AGE = timedelta(days=1)
# An override without an end that is older is marked.
LONG_OVERRIDE = timedelta(hours=2)
# The line of the current time moves after this many seconds.
NOW_LINE_SECONDS = 300


@dataclass(frozen=True)
class RoomRow:
    """One room at one moment, on the timeline of a day."""

    room: Room
    day: Day
    moment: datetime

    @cached_property
    def state(self) -> RoomState:
        return self.room.plan.state_at(self.moment)

    @property
    def is_overridden(self) -> bool:
        return self.state.reason is StateReason.OVERRIDE

    @property
    def overridden_by(self) -> str:
        """Who set the override; empty if an outside writer did."""
        return self.room.override_by_name or self.room.override_by or ""

    @property
    def end_format(self) -> str:
        """The format for the override's end: without the date if it is on this day."""
        return "H:i" if self.day.contains(self.room.plan.override_end) else f"{day_format()}, H:i"

    @property
    def upcoming_opening(self) -> datetime | None:
        opening = self.room.plan.open_at
        return opening if opening is not None and opening > self.moment else None

    @property
    def is_long_override(self) -> bool:
        """Whether the override has no end and is old."""
        since: datetime | None = self.room.override_at
        return (
            self.is_overridden
            and self.room.plan.override_end is None
            and since is not None
            and since < self.moment - LONG_OVERRIDE
        )

    @property
    def segments(self) -> list[Segment]:
        return self.day.segments(self.room.plan, self.room.override_at)

    @property
    def opening_minute(self) -> int | None:
        """The opening in minutes of the day; None if it is on another day."""
        opening = self.room.plan.open_at
        return self.day.minute(opening) if opening is not None and self.day.contains(opening) else None

    @property
    def closing_minute(self) -> int | None:
        """The closing in minutes of the day; None if it is on another day."""
        closing = self.room.plan.closing
        return self.day.minute(closing) if closing is not None and self.day.contains(closing) else None

    @property
    def closing_slider_start(self) -> int:
        return (self.closing_minute or 0) % STEP

    @property
    def slider_start(self) -> int:
        """The slider's minimum, such that the opening is one of its steps."""
        return (self.opening_minute or 0) % STEP

    @property
    def shown_opening(self) -> str:
        """The opening that the page shows; the slider sends it along."""
        return to_wire(self.room.open_at)

    @property
    def has_opened(self) -> bool:
        """Whether its opening has come, whichever day is shown."""
        opening = self.room.plan.open_at
        return opening is not None and opening <= self.moment

    @property
    def has_closed(self) -> bool:
        """Whether its closing has come, whichever day is shown."""
        closing = self.room.plan.closing
        return closing is not None and closing <= self.moment


@dataclass(frozen=True)
class UnfinishedShift:
    """A shift that has moved only some of its rooms."""

    id: str
    who: str
    by: str
    how: str
    handled: int
    total: int
    when: datetime | None


def unfinished_shifts(rooms: Sequence[Room], moment: datetime) -> list[UnfinishedShift]:
    """The unfinished shifts. Each room stores how far its shift was when it was moved."""
    latest: dict[str, UnfinishedShift] = {}
    for room in rooms:
        mark = _read_mark(StoredMap.of(room.shift))
        if mark is not None and (mark.id not in latest or mark.handled > latest[mark.id].handled):
            latest[mark.id] = mark
    found = [mark for mark in latest.values() if mark.handled < mark.total]
    return [each for each in found if each.when is not None and moment - each.when < MAX_SHIFT_AGE]


def _read_mark(mark: StoredMap) -> UnfinishedShift | None:
    """The shift of a room's mark; None if the mark is not complete."""
    shift_id, by, when = mark.text("id"), mark.text("by"), mark.moment("at")
    minutes, handled, total = (mark.whole_number(name) for name in ("minutes", "handled", "total"))
    if minutes is None or handled is None or total is None or not re.fullmatch(JobConverter.regex, shift_id):
        return None
    who = mark.text("byName") or by
    return UnfinishedShift(shift_id, who, by, describe_minutes(minutes), handled, total, when)


def count_openings(rooms: Sequence[Room], time_zone: ZoneInfo) -> Counter[dt.date]:
    """The days on which rooms open or close in this time zone, and the number of rooms of each."""
    days: Counter[dt.date] = Counter()
    for room in rooms:
        moments = (room.plan.open_at, room.plan.closing)
        days.update({moment.astimezone(time_zone).date() for moment in moments if moment is not None})
    return Counter(dict(sorted(days.items())))


def day_to_show(days: Counter[dt.date], today: dt.date) -> dt.date:
    """Today or the next day on which a room opens; if there is none, the last one."""
    coming = [day for day in days if day >= today]
    return min(coming) if coming else max(days, default=today)


def fingerprint(rows: Sequence[RoomRow], about: str, today: dt.date) -> str:
    """A hash of what the page shows. A refresh with the same fingerprint needs no answer."""
    slot = int(rows[0].moment.timestamp()) // NOW_LINE_SECONDS if rows else 0
    rows_data = [
        (sorted(row.room.raw.items()), row.state.is_open, row.state.reason, row.is_long_override) for row in rows
    ]
    return hashlib.sha256(repr((about, today, slot, rows_data)).encode()).hexdigest()[:32]


def filter_rows(rows: Sequence[RoomRow], show: str, query: str) -> list[RoomRow]:
    """The rows in a state whose texts contain the words."""
    words = unaccented(query).split()
    found = [row for row in rows if _has(row.room, words)]
    if show == "held":
        return [row for row in found if row.is_overridden]
    return [row for row in found if show not in {"open", "closed"} or row.state.is_open == (show == "open")]


def _has(room: Room, words: list[str]) -> bool:
    text = unaccented(f"{room.id} {room.name or ''} {room.content_title or ''}")
    return all(word in text for word in words)


def sort_by_opening(rows: Sequence[RoomRow]) -> list[RoomRow]:
    """Rows by opening time; rows without one come last."""
    return sorted(rows, key=lambda row: (row.room.plan.open_at is None, row.room.plan.open_at or row.moment))
