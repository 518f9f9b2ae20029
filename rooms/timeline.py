"""The timeline of one day: positions of moments, and when rooms are open. This module uses no page."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import pairwise
from zoneinfo import ZoneInfo

from rooms.state import OPEN, RoomPlan

# The slider's step, in minutes.
STEP = 5
EVERY_HOURS = 3


@dataclass(frozen=True)
class Tick:
    x: str
    label: str


@dataclass(frozen=True)
class Segment:
    """A part of the day during which a room is open or overridden."""

    kind: str
    x: str
    width: str


@dataclass(frozen=True)
class Day:
    """A day in a time zone. Its length is 23 to 25 hours."""

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
        """The last minute of the day: the slider's maximum."""
        return self.minutes - 1

    def contains(self, moment: datetime | None) -> bool:
        return moment is not None and self.start <= moment < self.end

    def minute(self, moment: datetime) -> int:
        """Minutes from the start of the day to a moment."""
        return int((moment - self.start).total_seconds()) // 60

    def position(self, moment: datetime) -> str:
        """The position of a moment in percent, as text, so that it is not localised with a comma."""
        return percent((moment - self.start) / (self.end - self.start))

    @cached_property
    def ticks(self) -> list[Tick]:
        times = [dt.time(hour) for hour in range(0, 24, EVERY_HOURS)]
        moments = [(time, datetime.combine(self.date, time, self.zone).astimezone(UTC)) for time in times]
        return [Tick(self.position(moment), f"{time.hour:02}") for time, moment in moments]

    def segments(self, plan: RoomPlan, overridden_since: datetime | None) -> list[Segment]:
        """When a room is open or overridden on this day, as far as is known now."""
        edges = {self.start, self.end, plan.open_at, plan.closing, plan.override_end}
        edges.add(overridden_since if plan.override else None)
        within = sorted(moment for moment in edges if moment is not None and self.start <= moment <= self.end)
        found = []
        for begins, ends in pairwise(within):
            kind = _kind(plan, overridden_since, begins)
            if kind:
                found.append(Segment(kind, self.position(begins), percent((ends - begins) / (self.end - self.start))))
        return found


def _kind(plan: RoomPlan, overridden_since: datetime | None, moment: datetime) -> str:
    """Before the override began, the schedule applies."""
    override = plan.active_override(moment) if overridden_since is None or moment >= overridden_since else None
    if override is not None:
        return "forced-open" if override == OPEN else "forced-closed"
    return "open" if plan.open_at is not None and moment >= plan.open_at and not plan.is_past_closing(moment) else ""


def is_supported_date(date: dt.date) -> bool:
    """Whether the day and its neighbours can be converted into every time zone."""
    return 1970 < date.year < 9998


def percent(part: float) -> str:
    return f"{100 * min(max(part, 0), 1):.3f}%"
