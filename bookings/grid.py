"""Positions in the calendar: columns of time, and blocks in them. It needs no table and no page."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar
from zoneinfo import ZoneInfo

from bookings.hours import DAY, MINUTES_A_DAY, Hours, Range, Span, merge_spans, spans_of, working_spans
from dashboard.web.local_times import Skipped, moment_at

T = TypeVar("T")
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
# The hours shown on a day without working time and bookings.
DEFAULT_RANGE = Range(9 * 60, 18 * 60)
# How many bookings appear side by side; a further one overlaps the last.
MAX_LANES = 4


def day_span(day: dt.date, zone: ZoneInfo) -> Span:
    """From midnight to midnight in a zone: 23, 24 or 25 hours."""
    return Span(clock_at(day, 0, zone), clock_at(day + DAY, 0, zone))


def clock_at(day: dt.date, minute: int, zone: ZoneInfo) -> datetime:
    """The moment when a clock shows a minute of a date, or the first moment after a skipped one."""
    day, minute = day + (minute // MINUTES_A_DAY) * DAY, minute % MINUTES_A_DAY
    try:
        return moment_at(day, dt.time(minute // 60, minute % 60), zone).utc
    except Skipped as skipped:
        return skipped.following.astimezone(dt.UTC)


@dataclass(frozen=True)
class GridPosition:
    """Minutes from the top, and length in minutes. The stylesheet has a class for each hour and minute."""

    at: int
    length: int

    @property
    def css(self) -> str:
        at, length = divmod(self.at, 60), divmod(self.length, 60)
        return f"h{at[0]} m{at[1]} dh{length[0]} dm{length[1]}"


@dataclass(frozen=True)
class Axis:
    """The period that a column shows from top to bottom."""

    span: Span
    zone: ZoneInfo

    @property
    def minutes(self) -> int:
        return (self.span.end - self.span.start) // MINUTE

    @property
    def first(self) -> int:
        """The minute of the day at the top."""
        start = self.span.start.astimezone(self.zone)
        return start.hour * 60 + start.minute

    @property
    def css(self) -> str:
        return GridPosition(0, self.minutes).css

    def position_of(self, span: Span) -> GridPosition | None:
        """The visible part of a span; None if none of it is visible."""
        start, end = max(span.start, self.span.start), min(span.end, self.span.end)
        if start >= end:
            return None
        at = (start - self.span.start) // MINUTE
        return GridPosition(at, max(1, -(-(end - self.span.start) // MINUTE) - at))

    def at(self, moment: datetime) -> GridPosition | None:
        return self.position_of(Span(moment, moment + MINUTE)) if self.span.contains(moment) else None

    @property
    def ticks(self) -> list[tuple[GridPosition, str]]:
        """Each hour from the top with its clock time, which jumps when the clock changes."""
        hours = range(-(-self.minutes // 60))
        moments = [(self.span.start + count * HOUR).astimezone(self.zone) for count in hours]
        return [(GridPosition(count * 60, 60), f"{moment:%H:%M}") for count, moment in enumerate(moments)]


def axis_of(day: dt.date, zone: ZoneInfo, spans: Iterable[Span]) -> Axis:
    """The part of a day, in whole hours, that shows all these spans."""
    full_day = day_span(day, zone)
    parts = [
        Span(max(each.start, full_day.start), min(each.end, full_day.end)) for each in spans if each.overlaps(full_day)
    ]
    if not parts:
        return Axis(
            Span(clock_at(day, DEFAULT_RANGE.start_minute, zone), clock_at(day, DEFAULT_RANGE.end_minute, zone)), zone
        )
    first, last = min(each.start for each in parts), max(each.end for each in parts)
    start = first - _past_the_hour(first, zone)
    over = _past_the_hour(last, zone)
    end = last - over + HOUR if over else last
    return Axis(Span(max(start, full_day.start), min(end, full_day.end)), zone)


def _past_the_hour(moment: datetime, zone: ZoneInfo) -> timedelta:
    local = moment.astimezone(zone)
    return timedelta(minutes=local.minute, seconds=local.second)


def same_axes(days: Sequence[dt.date], zone: ZoneInfo, spans: Iterable[Span]) -> list[Axis]:
    """The same hours for several days."""
    spans = list(spans)
    needed = [axis_of(day, zone, [each for each in spans if each.overlaps(day_span(day, zone))]) for day in days]
    used = [
        each for each, day in zip(needed, days, strict=True) if any(one.overlaps(day_span(day, zone)) for one in spans)
    ]
    clocks = [_clock_range(each) for each in used or needed[:1]]
    first, last = min(each[0] for each in clocks), max(each[1] for each in clocks)
    axes = []
    for day in days:
        start = clock_at(day, first, zone)
        axes.append(Axis(Span(start, start + (last - first) * MINUTE), zone))
    return axes


def _clock_range(axis: Axis) -> tuple[int, int]:
    return axis.first, min(axis.first + axis.minutes, MINUTES_A_DAY)


def dates_within(span: Span, zone: ZoneInfo) -> list[dt.date]:
    """The dates that a clock in the zone shows during a span."""
    first, last = span.start.astimezone(zone).date(), (span.end - timedelta(seconds=1)).astimezone(zone).date()
    return [first + count * DAY for count in range((last - first).days + 1)]


def worked(hours: Hours, span: Span) -> list[Span]:
    """The working time during a span."""
    found = merge_spans(each for day in dates_within(span, hours.zone) for each in working_spans(hours, day))
    return [each for each in found if each.overlaps(span)]


def pauses(hours: Hours, span: Span) -> list[Span]:
    """The breaks during a span, within working time."""
    found: list[Span] = []
    for day in dates_within(span, hours.zone):
        on = hours.on(day)
        if on is None:
            continue
        ranges = merge_spans(part for each in on.ranges for part in spans_of(hours.zone, day, each))
        breaks = merge_spans(part for each in on.breaks for part in spans_of(hours.zone, day, each))
        found += [
            Span(max(one.start, other.start), min(one.end, other.end))
            for one in breaks
            for other in ranges
            if one.overlaps(other)
        ]
    return [each for each in found if each.overlaps(span)]


def is_off(hours: Hours, span: Span) -> bool:
    """Whether an exception marks one of the dates as off."""
    return any(hours.on(day) is None for day in dates_within(span, hours.zone))


def lanes(spans: Sequence[Span]) -> list[tuple[int, int]]:
    """The lane of each span and the number of lanes, so that no two overlap."""
    found: list[tuple[int, int]] = [(0, 1)] * len(spans)
    group: list[tuple[int, int]] = []
    ends: list[datetime] = []

    def close() -> None:
        for number, lane in group:
            found[number] = min(lane, MAX_LANES - 1), min(len(ends), MAX_LANES)
        group.clear()
        ends.clear()

    for number in sorted(range(len(spans)), key=lambda each: spans[each]):
        span = spans[number]
        if ends and span.start >= max(ends):
            close()
        lane = next((each for each, end in enumerate(ends) if end <= span.start), len(ends))
        ends[lane : lane + 1] = [span.end]
        group.append((number, lane))
    close()
    return found
