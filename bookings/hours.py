"""Working hours in a time zone, and the spans of time that they cover. Pure: it reads no table."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from dashboard.table.nested import StoredMap, maps_in, members_of

WEEKDAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")
DAY = timedelta(days=1)
MINUTES_A_DAY = 1440
# No zone has ever been farther from UTC. Changes of the offset are searched in steps of `_PROBE`.
_FARTHEST = timedelta(hours=17)
_PROBE = timedelta(hours=3)
# Dates at the ends of the calendar cannot be converted into every zone.
_FIRST_YEAR, _LAST_YEAR = 1900, 2200
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::00)?")


@dataclass(frozen=True, order=True)
class Span:
    """A span of time in UTC. The end is excluded."""

    start: datetime
    end: datetime

    def overlaps(self, other: Span) -> bool:
        """Whether the two spans overlap."""
        return self.start < other.end and other.start < self.end

    def contains(self, moment: datetime) -> bool:
        return self.start <= moment < self.end


@dataclass(frozen=True, order=True)
class Range:
    """A range of clock times, as minutes of the day. 1440 is the end of the day."""

    start_minute: int
    end_minute: int


@dataclass(frozen=True)
class DayHours:
    """The hours and breaks of a day, in any order. They may overlap."""

    ranges: tuple[Range, ...] = ()
    breaks: tuple[Range, ...] = ()


@dataclass(frozen=True)
class Hours:
    """The hours of a staff member in their time zone. 0 is Monday. An exception that is None is a day off."""

    zone: ZoneInfo
    weekly: Mapping[int, DayHours] = field(default_factory=dict)
    exceptions: Mapping[dt.date, DayHours | None] = field(default_factory=dict)

    def on(self, day: dt.date) -> DayHours | None:
        """The hours of a date; None for a day off."""
        if day in self.exceptions:
            return self.exceptions[day]
        return self.weekly.get(day.weekday(), DayHours())

    def date_of(self, moment: datetime) -> dt.date:
        """The date in the staff member's time zone at a point in time."""
        return moment.astimezone(self.zone).date()


class Weekday(Protocol):
    """The stored hours of a weekday. Outside writers store values of any type."""

    @property
    def weekday(self) -> str: ...
    @property
    def time_ranges(self) -> Any: ...
    @property
    def breaks(self) -> Any: ...
    @property
    def exceptions(self) -> Any: ...


def hours_of(zone: ZoneInfo, availabilities: Iterable[Weekday]) -> Hours:
    """The hours in these items, without entries that cannot be read."""
    weekly: dict[int, DayHours] = {}
    exceptions: dict[dt.date, DayHours | None] = {}
    for each in availabilities:
        name = str(each.weekday).upper()
        if name in WEEKDAYS:
            weekly[WEEKDAYS.index(name)] = DayHours(read_ranges(each.time_ranges), read_ranges(each.breaks))
        for day, hours in _exceptions(each.exceptions):
            # A day off takes precedence over other entries of that date.
            if day not in exceptions or exceptions[day] is not None:
                exceptions[day] = hours
    return Hours(zone, weekly, exceptions)


def read_ranges(entries: Any) -> tuple[Range, ...]:
    """`[{"startTime": "09:00", "endTime": "13:00"}, …]` as ranges, without entries that cannot be read."""
    found = (_range(each) for each in maps_in(entries))
    return tuple(sorted(each for each in found if each is not None))


def _range(entry: StoredMap) -> Range | None:
    start, end = read_minute(entry.text("startTime")), read_minute(entry.text("endTime"))
    return Range(start, end) if start is not None and end is not None and start < end else None


def read_minute(text: str) -> int | None:
    """`09:30` as a minute of the day; `24:00` is the end of the day. None where it is not a time."""
    match = _CLOCK.fullmatch(text)
    if match is None or int(match[2]) > 59:
        return None
    minute = int(match[1]) * 60 + int(match[2])
    return minute if minute <= MINUTES_A_DAY else None


def _exceptions(entries: Any) -> Iterator[tuple[dt.date, DayHours | None]]:
    for entry in members_of(entries):
        fields = StoredMap.of(entry) or StoredMap({"date": entry})
        day, off = _date(fields.text("date")), fields.flag("off")
        if day is None:
            continue
        if off or (off is None and fields.get("timeRanges") is None):
            yield day, None
        elif fields.get("timeRanges") is not None:
            yield day, DayHours(read_ranges(fields["timeRanges"]), read_ranges(fields.get("breaks")))


def _date(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None


def working_spans(hours: Hours, day: dt.date) -> list[Span]:
    """The spans that a staff member works on a date, without breaks.

    They work whenever the clock shows a time within the hours. A time that a clock change skips does not exist,
    and a time that it repeats is worked twice.
    """
    worked = hours.on(day)
    if worked is None:
        return []
    free = merge_spans(span for each in worked.ranges for span in spans_of(hours.zone, day, each))
    for pause in merge_spans(span for each in worked.breaks for span in spans_of(hours.zone, day, each)):
        free = [part for span in free for part in _without(span, pause)]
    return free


def spans_of(zone: ZoneInfo, day: dt.date, clock: Range) -> list[Span]:
    """The spans in which the clock of a zone shows a time in this range: one, except on a clock change."""
    found = []
    for between, midnight in _stretches(zone, day):
        start = max(between.start, midnight + timedelta(minutes=clock.start_minute))
        end = min(between.end, midnight + timedelta(minutes=clock.end_minute))
        if start < end:
            found.append(Span(start, end))
    return merge_spans(found)


def clock_times(zone: ZoneInfo, day: dt.date, step: timedelta) -> list[datetime]:
    """Every point in time of a date at which the clock shows a multiple of a step from midnight."""
    found = []
    for between, midnight in _stretches(zone, day):
        for count in range(-(-DAY // step)):
            moment = midnight + count * step
            if between.contains(moment):
                found.append(moment)
    return sorted(found)


def merge_spans(spans: Iterable[Span]) -> list[Span]:
    """Merge spans that overlap or touch; the result is sorted."""
    found: list[Span] = []
    for span in sorted(spans):
        if found and span.start <= found[-1].end:
            found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
        else:
            found.append(span)
    return found


def _without(span: Span, taken: Span) -> Iterator[Span]:
    if not span.overlaps(taken):
        yield span
        return
    if span.start < taken.start:
        yield Span(span.start, taken.start)
    if taken.end < span.end:
        yield Span(taken.end, span.end)


@lru_cache(maxsize=4096)
def _stretches(zone: ZoneInfo, day: dt.date) -> tuple[tuple[Span, datetime], ...]:
    """The time around a date, split at clock changes, each part with the midnight of the date by its offset."""
    if not _FIRST_YEAR < day.year < _LAST_YEAR:
        return ()
    midnight = datetime.combine(day, dt.time(), UTC)
    edges = [midnight - _FARTHEST]
    offsets = [_offset(zone, edges[0])]
    last = midnight + DAY + _FARTHEST
    early = edges[0]
    while early < last:
        late = min(early + _PROBE, last)
        if _offset(zone, late) != offsets[-1]:
            edges.append(_change_between(zone, early, late))
            offsets.append(_offset(zone, late))
        early = late
    ends = [*edges[1:], last]
    return tuple((Span(start, end), midnight - offset) for start, end, offset in zip(edges, ends, offsets, strict=True))


def _change_between(zone: ZoneInfo, early: datetime, late: datetime) -> datetime:
    """When the clock changes, to the second."""
    old = _offset(zone, early)
    while late - early > timedelta(seconds=1):
        middle = early + timedelta(seconds=(late - early) // timedelta(seconds=2))
        if _offset(zone, middle) == old:
            early = middle
        else:
            late = middle
    return late


def _offset(zone: ZoneInfo, moment: datetime) -> timedelta:
    return moment.astimezone(zone).utcoffset() or timedelta()
