"""The slot engine: which start times are free, and why one is not. It reads no table and no clock."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from bookings.hours import (
    DAY,
    MINUTES_A_DAY,
    DayHours,
    Hours,
    Range,
    Span,
    clock_times,
    hours_of,
    merge_spans,
    spans_of,
    working_spans,
)
from bookings.states import WITH_DEADLINE, Status, status_takes_time
from dashboard.table.nested import number_of

__all__ = [
    "DayHours",
    "Hours",
    "Range",
    "Rules",
    "SlotLength",
    "Span",
    "TakenTime",
    "UnavailableReason",
    "Verdict",
    "check_start",
    "first_overlap",
    "free_starts",
    "hours_of",
    "next_free",
    "offered_starts",
    "slot_length_of",
    "to_minutes",
    "working_spans",
]

STEP = timedelta(minutes=15)
# How many free starts are suggested in place of one that is not free, and how many days are searched.
ALTERNATIVES, ALTERNATIVE_DAYS = 3, 14
# A booking with its buffers lasts at most one day, so it touches at most two dates.
MAX_BOOKING_LENGTH = DAY


class UnavailableReason(StrEnum):
    """Why a start is not free."""

    PAST = "past"
    # Sooner than the minimum notice.
    NOTICE = "notice"
    # Later than bookings are allowed.
    HORIZON = "horizon"
    # An exception marks the date as off.
    DAY_OFF = "day off"
    # No hours on that date, and no exception.
    NO_HOURS = "no hours"
    OUTSIDE_HOURS = "outside hours"
    BREAK = "break"
    TAKEN = "taken"


@dataclass(frozen=True)
class SlotLength:
    """The duration of a service and its buffers."""

    duration: timedelta
    buffer_before: timedelta = timedelta()
    buffer_after: timedelta = timedelta()

    def span(self, start: datetime) -> Span:
        """The time without buffers."""
        return Span(start, start + self.duration)

    def with_buffers(self, start: datetime) -> Span:
        return Span(start - self.buffer_before, start + self.duration + self.buffer_after)


@dataclass(frozen=True)
class TakenTime:
    """The time that a booking takes, buffers included."""

    booking_id: str
    span_with_buffers: Span
    status: str = Status.CONFIRMED
    # The deadline of a booking that is not confirmed; None if it has none.
    lapses_at: datetime | None = None

    def has_lapsed(self, now: datetime) -> bool:
        return self.status in WITH_DEADLINE and self.lapses_at is not None and now >= self.lapses_at

    def takes_time(self, now: datetime) -> bool:
        """Whether it blocks other bookings at this moment."""
        return status_takes_time(self.status) and not self.has_lapsed(now)


@dataclass(frozen=True)
class Rules:
    """The booking rules of a business, and the moment of the check."""

    checked_at: datetime
    notice: timedelta = timedelta()
    horizon: timedelta | None = None
    step: timedelta = STEP

    @property
    def earliest(self) -> datetime:
        """The first moment that can be booked."""
        return self.checked_at + self.notice


@dataclass(frozen=True)
class Verdict:
    """It says whether a start is free. If not, it names the reason and the obstacle."""

    reason: UnavailableReason | None = None
    # The booking that takes the time.
    taken: TakenTime | None = None
    # The nearest working time, or the break.
    window: Span | None = None
    # The first or the last start that notice and horizon allow.
    first_or_last_start: datetime | None = None

    @property
    def is_free(self) -> bool:
        return self.reason is None


def slot_length_of(duration: Any, buffer_before: Any = None, buffer_after: Any = None) -> SlotLength | None:
    """Build the length from the minutes of a service. Return None if the values of an outside writer are not valid."""
    length = to_minutes(duration)
    if not length:
        return None
    slot_length = SlotLength(length, to_minutes(buffer_before) or timedelta(), to_minutes(buffer_after) or timedelta())
    total = slot_length.buffer_before + slot_length.duration + slot_length.buffer_after
    return slot_length if total <= MAX_BOOKING_LENGTH else None


def to_minutes(value: Any) -> timedelta | None:
    """Convert a number of minutes, at most a day. Return None for any other value."""
    minutes = number_of(value)
    return timedelta(minutes=int(minutes)) if minutes is not None and 0 <= minutes <= MINUTES_A_DAY else None


def check_start(
    hours: Hours, start: datetime, slot_length: SlotLength, taken: Iterable[TakenTime], rules: Rules
) -> Verdict:
    """Whether a start is free. Any moment can be checked, also one that is not offered."""
    return _SlotCheck(hours, slot_length, taken, rules).verdict(start)


def free_starts(
    hours: Hours, day: dt.date, slot_length: SlotLength, taken: Iterable[TakenTime], rules: Rules
) -> list[datetime]:
    """The offered starts of a date that are free; the date is in the provider's zone."""
    check = _SlotCheck(hours, slot_length, taken, rules)
    return [start for start in offered_starts(hours, day, rules.step) if check.verdict(start).is_free]


def next_free(
    hours: Hours,
    after: datetime,
    slot_length: SlotLength,
    taken: Iterable[TakenTime],
    rules: Rules,
    count: int = ALTERNATIVES,
    days: int = ALTERNATIVE_DAYS,
) -> list[datetime]:
    """The first free starts from a moment on."""
    check = _SlotCheck(hours, slot_length, taken, rules)
    after = max(after, rules.earliest)
    starts: list[datetime] = []
    first = hours.date_of(after)
    for offset in range(days):
        for start in offered_starts(hours, first + offset * DAY, rules.step):
            if start >= after and check.verdict(start).is_free:
                starts.append(start)
                if len(starts) >= count:
                    return starts
    return starts


def offered_starts(hours: Hours, day: dt.date, step: timedelta = STEP) -> list[datetime]:
    """The starts that are offered on a date, free or not: regular clock times, and the start of each working time."""
    return sorted({*clock_times(hours.zone, day, step), *(window.start for window in working_spans(hours, day))})


def first_overlap(span: Span, taken: Iterable[TakenTime], now: datetime) -> TakenTime | None:
    """The first booking that takes part of this time, buffers included."""
    overlaps = [each for each in taken if each.takes_time(now) and each.span_with_buffers.overlaps(span)]
    return min(overlaps, key=lambda each: (each.span_with_buffers, each.booking_id), default=None)


@dataclass
class _SlotCheck:
    """Checks many starts of one service with one provider at one moment."""

    hours: Hours
    slot_length: SlotLength
    taken: Iterable[TakenTime]
    rules: Rules
    _spans_by_day: dict[dt.date, list[Span]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.taken = [each for each in self.taken if each.takes_time(self.rules.checked_at)]

    def verdict(self, start: datetime) -> Verdict:
        return self._check_limits(start) or self._check_hours(start) or self._check_bookings(start) or Verdict()

    def _check_limits(self, start: datetime) -> Verdict | None:
        rules = self.rules
        if start < rules.checked_at:
            return Verdict(UnavailableReason.PAST, first_or_last_start=rules.earliest)
        if start < rules.earliest:
            return Verdict(UnavailableReason.NOTICE, first_or_last_start=rules.earliest)
        if rules.horizon is not None and start > rules.checked_at + rules.horizon:
            return Verdict(UnavailableReason.HORIZON, first_or_last_start=rules.checked_at + rules.horizon)
        return None

    def _check_hours(self, start: datetime) -> Verdict | None:
        """Every moment of the service must be working time, also across midnight."""
        moment, end, previous_window = start, start + self.slot_length.duration, None
        while moment < end:
            window = next(
                (each for each in self._working_spans_on(self.hours.date_of(moment)) if each.contains(moment)), None
            )
            if window is None:
                return self._explain_unworked(start, moment, previous_window)
            moment, previous_window = window.end, window
        return None

    def _explain_unworked(self, start: datetime, unworked_moment: datetime, previous_window: Span | None) -> Verdict:
        """Explain why nobody works at that moment. `previous_window` is the working time that ends then."""
        day = self.hours.date_of(unworked_moment)
        day_hours = self.hours.on(day)
        if previous_window is None and day_hours is None:
            return Verdict(UnavailableReason.DAY_OFF)
        if day_hours is not None and self._find_covering(day, day_hours.ranges, unworked_moment):
            return Verdict(UnavailableReason.BREAK, window=self._find_covering(day, day_hours.breaks, unworked_moment))
        windows_that_day = self._working_spans_on(self.hours.date_of(start))
        if previous_window is None and not windows_that_day:
            return Verdict(UnavailableReason.NO_HOURS)
        nearest = previous_window or min(windows_that_day, key=lambda each: _distance(each, start))
        return Verdict(UnavailableReason.OUTSIDE_HOURS, window=nearest)

    def _find_covering(self, day: dt.date, ranges: Iterable[Range], moment: datetime) -> Span | None:
        spans = merge_spans(span for each in ranges for span in spans_of(self.hours.zone, day, each))
        return next((span for span in spans if span.contains(moment)), None)

    def _check_bookings(self, start: datetime) -> Verdict | None:
        overlap = first_overlap(self.slot_length.with_buffers(start), self.taken, self.rules.checked_at)
        return Verdict(UnavailableReason.TAKEN, taken=overlap) if overlap is not None else None

    def _working_spans_on(self, day: dt.date) -> list[Span]:
        if day not in self._spans_by_day:
            self._spans_by_day[day] = working_spans(self.hours, day)
        return self._spans_by_day[day]


def _distance(window: Span, moment: datetime) -> timedelta:
    return max(window.start - moment, moment - window.end, timedelta())
