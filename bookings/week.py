"""A staff member's week as a person enters it, merged into what is stored. Pure: it reads no table."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import ZoneInfo

from bookings.hours import MINUTES_A_DAY, WEEKDAYS, DayHours, Range, hours_of, read_ranges

_UTC = ZoneInfo("UTC")
Exceptions = Mapping[dt.date, DayHours | None]


@dataclass(frozen=True)
class Week:
    """The requested hours of each weekday, and the dates with special hours from `since` on."""

    days: Mapping[str, DayHours]
    exceptions: Exceptions
    since: dt.date


@dataclass
class StoredDay:
    """The stored hours of a weekday: lists in which outside writers write too."""

    weekday: str
    time_ranges: list[Any] | None = None
    breaks: list[Any] | None = None
    exceptions: list[Any] | None = field(default=None)


def clock(minute: int) -> str:
    """A minute of the day as the table has it. The end of the day is `24:00`."""
    return f"{minute // 60:02}:{minute % 60:02}"


def to_entry(each: Range) -> dict[str, str]:
    return {"startTime": clock(each.start_minute), "endTime": clock(each.end_minute)}


def changed_days(stored: Mapping[str, StoredDay], week: Week) -> dict[str, StoredDay]:
    """The weekdays to write. Entries that we cannot read stay."""
    known = hours_of(_UTC, stored.values()).exceptions
    changed = {day for day in {*week.exceptions, *_dates_from(known, week.since)} if not _same(day, known, week)}
    days: dict[str, StoredDay] = {}
    for weekday in WEEKDAYS:
        before = stored.get(weekday, StoredDay(weekday))
        requested = week.days.get(weekday, DayHours())
        dates = sorted(day for day in changed & week.exceptions.keys() if WEEKDAYS[day.weekday()] == weekday)
        after = StoredDay(
            weekday,
            _merge_ranges(before.time_ranges, requested.ranges),
            _merge_ranges(before.breaks, requested.breaks),
            _merge_exceptions(before.exceptions, changed, {day: _exception_entry(day, known, week) for day in dates}),
        )
        is_empty = not (after.time_ranges or after.breaks or after.exceptions)
        if after != before and (not is_empty or weekday in stored):
            days[weekday] = after
    return days


def _merge_ranges(entries: list[Any] | None, requested: Sequence[Range]) -> list[Any] | None:
    """The requested ranges. A stored entry stays as it was written; entries that we cannot read come last."""
    readable = [(ranges[0], each) for each in entries or [] if (ranges := read_ranges([each]))]
    if sorted(each for each, _entry in readable) == sorted(requested):
        return entries
    stored = dict(reversed(readable))
    unreadable = [each for each in entries or [] if not read_ranges([each])]
    return [stored.get(each) or to_entry(each) for each in sorted(requested)] + unreadable


def _merge_exceptions(entries: list[Any] | None, changed: set[dt.date], new: Mapping[dt.date, Any]) -> list[Any] | None:
    remaining = [each for each in entries or [] if not changed & exceptions_in(each).keys()]
    if not new and len(remaining) == len(entries or []):
        return entries
    return remaining + [new[day] for day in sorted(new)]


def _exception_entry(day: dt.date, known: Exceptions, week: Week) -> dict[str, Any]:
    requested, before = week.exceptions[day], known.get(day)
    if requested is None:
        return {"date": day.isoformat(), "off": True}
    # The form has no breaks for a date: stored breaks stay if they still fit.
    breaks = [each for each in (before.breaks if before else ()) if is_within(each, requested.ranges)]
    ranges = [to_entry(each) for each in sorted(requested.ranges)]
    return {"date": day.isoformat(), "timeRanges": ranges, "breaks": [to_entry(each) for each in breaks]}


def _same(day: dt.date, known: Exceptions, week: Week) -> bool:
    """Whether a date keeps its hours. A date without hours is a day off."""
    if day not in known or day not in week.exceptions:
        return False
    before, requested = known[day], week.exceptions[day]
    return sorted(before.ranges if before else ()) == sorted(requested.ranges if requested else ())


def exceptions_in(entry: Any) -> Exceptions:
    """The date of an entry and its hours; empty where the entry has no date."""
    return hours_of(_UTC, [StoredDay("", exceptions=[entry])]).exceptions


def _dates_from(exceptions: Exceptions, since: dt.date) -> set[dt.date]:
    return {day for day in exceptions if day >= since}


def is_within(inner: Range, ranges: Iterable[Range]) -> bool:
    """Whether a range lies within ranges. Two ranges that touch count as one."""
    reached = inner.start_minute
    for each in sorted(ranges):
        if each.start_minute <= reached < each.end_minute:
            reached = each.end_minute
    return reached >= inner.end_minute


def hours_text(hours: DayHours | None) -> str:
    """Hours as text, the same in every language: `09:00–13:00, 15:00–19:00 − 11:00–11:15`."""
    if hours is None or not hours.ranges:
        return ""
    worked = ", ".join(_range_text(each) for each in sorted(hours.ranges))
    breaks = ", ".join(_range_text(each) for each in sorted(hours.breaks))
    return f"{worked} − {breaks}" if breaks else worked


def _range_text(each: Range) -> str:
    return f"{clock(each.start_minute)}–{clock(each.end_minute)}"


def stored_hours_text(stored: StoredDay | None) -> str:
    """The hours of a weekday in audit entries."""
    return hours_text(DayHours(read_ranges(stored.time_ranges), read_ranges(stored.breaks))) if stored else ""


def stored_dates_text(stored: StoredDay | None) -> str:
    """The special hours in audit entries."""
    exceptions = hours_of(_UTC, [stored]).exceptions if stored else {}
    return ", ".join(
        f"{day} {hours_text(hours) or '×'}" for day, hours in sorted(exceptions.items(), key=lambda each: each[0])
    )


def share_of_day(minute: int) -> str:
    """A minute as a percentage of the day, as text: a template would write a decimal comma in some languages."""
    return f"{100 * minute / MINUTES_A_DAY:.3f}%"
