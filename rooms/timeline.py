"""The event's day as a line: where on it a moment lies, and what a room is when. It knows no page."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import pairwise
from zoneinfo import ZoneInfo

from rooms.state import OPEN, Plan

# How far a step on the line is, in minutes.
STEP = 5
EVERY_HOURS = 3


@dataclass(frozen=True)
class Tick:
    x: str
    label: str


@dataclass(frozen=True)
class Segment:
    """A part of the day during which a room is open, or held at something."""

    kind: str
    x: str
    width: str


@dataclass(frozen=True)
class Day:
    """A day of some zone's calendar. Twice a year it has an hour less or more."""

    date: dt.date
    zone: ZoneInfo

    @cached_property
    def start(self) -> datetime:
        return self._midnight(self.date)

    @cached_property
    def end(self) -> datetime:
        return self._midnight(self.date + timedelta(days=1))

    def _midnight(self, day: dt.date) -> datetime:
        return datetime.combine(day, dt.time(), self.zone).astimezone(UTC)

    @property
    def minutes(self) -> int:
        return int((self.end - self.start).total_seconds()) // 60

    @property
    def last_minute(self) -> int:
        """The last minute that is still this day's: what is moved on the line stays on it."""
        return self.minutes - 1

    def contains(self, moment: datetime | None) -> bool:
        return moment is not None and self.start <= moment < self.end

    def minute(self, moment: datetime) -> int:
        """How many minutes of the day have passed by then."""
        return int((moment - self.start).total_seconds()) // 60

    def position(self, moment: datetime) -> str:
        """Where on the line a moment lies, of a hundred; as text, for no language may write a comma into it."""
        return percent((moment - self.start) / (self.end - self.start))

    @cached_property
    def ticks(self) -> list[Tick]:
        times = [dt.time(hour) for hour in range(0, 24, EVERY_HOURS)]
        moments = [(time, datetime.combine(self.date, time, self.zone).astimezone(UTC)) for time in times]
        return [Tick(self.position(moment), f"{time.hour:02}") for time, moment in moments]

    def segments(self, plan: Plan, overridden_since: datetime | None) -> list[Segment]:
        """When a room is open this day, and when somebody holds it, as far as is known now."""
        edges = {self.start, self.end, plan.open_at, plan.override_end, overridden_since if plan.override else None}
        within = sorted(moment for moment in edges if moment is not None and self.start <= moment <= self.end)
        found = []
        for begins, ends in pairwise(within):
            kind = _kind(plan, overridden_since, begins)
            if kind:
                found.append(Segment(kind, self.position(begins), percent((ends - begins) / (self.end - self.start))))
        return found


def _kind(plan: Plan, overridden_since: datetime | None, moment: datetime) -> str:
    """Before it was held a room was what its schedule says."""
    override = plan.active_override(moment) if overridden_since is None or moment >= overridden_since else None
    if override is not None:
        return "held-open" if override == OPEN else "held-closed"
    return "open" if plan.open_at is not None and moment >= plan.open_at else ""


def is_supported_date(date: dt.date) -> bool:
    """Whether a day can be turned into every zone, with the ones before and after it."""
    return 1970 < date.year < 9998


def percent(part: float) -> str:
    return f"{100 * min(max(part, 0), 1):.3f}%"
