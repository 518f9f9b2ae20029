"""A provider's week as people write it, beside what stands in the table. It knows no table."""

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
    """What someone wants: hours for each day of the week, and the dates that differ, from a date on."""

    days: Mapping[str, DayHours]
    exceptions: Exceptions
    since: dt.date


@dataclass
class Kept:
    """What the table has for a day of the week: lists in which other services write too."""

    weekday: str
    time_ranges: list[Any] | None = None
    breaks: list[Any] | None = None
    exceptions: list[Any] | None = field(default=None)


def clock(minute: int) -> str:
    """A minute of the day as the table writes it; the day's end is `24:00`."""
    return f"{minute // 60:02}:{minute % 60:02}"


def entry(each: Range) -> dict[str, str]:
    return {"startTime": clock(each.start_minute), "endTime": clock(each.end_minute)}


def written(kept: Mapping[str, Kept], week: Week) -> dict[str, Kept]:
    """The days that change, as they are to be written; whatever in them is none of ours stays."""
    known = hours_of(_UTC, kept.values()).exceptions
    changed = {day for day in {*week.exceptions, *_from(known, week.since)} if not _same(day, known, week)}
    found: dict[str, Kept] = {}
    for weekday in WEEKDAYS:
        was = kept.get(weekday, Kept(weekday))
        wanted = week.days.get(weekday, DayHours())
        dates = sorted(day for day in changed & week.exceptions.keys() if WEEKDAYS[day.weekday()] == weekday)
        now = Kept(
            weekday,
            _merged(was.time_ranges, wanted.ranges),
            _merged(was.breaks, wanted.breaks),
            _exceptions(was.exceptions, changed, {day: _new(day, known, week) for day in dates}),
        )
        if now != was and (now.time_ranges or now.breaks or now.exceptions or weekday in kept):
            found[weekday] = now
    return found


def _merged(entries: list[Any] | None, wanted: Sequence[Range]) -> list[Any] | None:
    """The ranges that are wanted: one that was there as it was written, and behind them what we cannot read."""
    there = entries or []
    readable = [(found[0], each) for each in there if (found := read_ranges([each]))]
    if sorted(each for each, _entry in readable) == sorted(wanted):
        return entries
    as_written = dict(reversed(readable))
    odd = [each for each in there if not read_ranges([each])]
    return [as_written.get(each) or entry(each) for each in sorted(wanted)] + odd


def _exceptions(entries: list[Any] | None, changed: set[dt.date], new: Mapping[dt.date, Any]) -> list[Any] | None:
    stays = [each for each in entries or [] if not changed & exceptions_in(each).keys()]
    if not new and len(stays) == len(entries or []):
        return entries
    return stays + [new[day] for day in sorted(new)]


def _new(day: dt.date, known: Exceptions, week: Week) -> dict[str, Any]:
    wanted, was = week.exceptions[day], known.get(day)
    if wanted is None:
        return {"date": day.isoformat(), "off": True}
    # Breaks of such a day are not asked for: those that still fit stay.
    breaks = [each for each in (was.breaks if was else ()) if within(each, wanted.ranges)]
    ranges = [entry(each) for each in sorted(wanted.ranges)]
    return {"date": day.isoformat(), "timeRanges": ranges, "breaks": [entry(each) for each in breaks]}


def _same(day: dt.date, known: Exceptions, week: Week) -> bool:
    """Whether nothing else is wanted of a date; one without any hours is one that is off."""
    if day not in known or day not in week.exceptions:
        return False
    was, wanted = known[day], week.exceptions[day]
    return sorted(was.ranges if was else ()) == sorted(wanted.ranges if wanted else ())


def exceptions_in(entry: Any) -> Exceptions:
    """The date that an entry tells of, and what of it; nothing where it tells of none."""
    return hours_of(_UTC, [Kept("", exceptions=[entry])]).exceptions


def _from(exceptions: Exceptions, since: dt.date) -> set[dt.date]:
    return {day for day in exceptions if day >= since}


def within(inner: Range, ranges: Iterable[Range]) -> bool:
    """Whether ranges hold another one; two that meet are one."""
    reached = inner.start_minute
    for each in sorted(ranges):
        if each.start_minute <= reached < each.end_minute:
            reached = each.end_minute
    return reached >= inner.end_minute


def refusal_text(hours: DayHours | None) -> str:
    """Hours in short, the same in every language: `09:00–13:00, 15:00–19:00 − 11:00–11:15`."""
    if hours is None or not hours.ranges:
        return ""
    worked = ", ".join(_words(each) for each in sorted(hours.ranges))
    paused = ", ".join(_words(each) for each in sorted(hours.breaks))
    return f"{worked} − {paused}" if paused else worked


def _words(each: Range) -> str:
    return f"{clock(each.start_minute)}–{clock(each.end_minute)}"


def told(kept: Kept | None) -> str:
    """What the trail says of a day's hours."""
    return refusal_text(DayHours(read_ranges(kept.time_ranges), read_ranges(kept.breaks))) if kept else ""


def told_exceptions(kept: Kept | None) -> str:
    found = hours_of(_UTC, [kept]).exceptions if kept else {}
    return ", ".join(
        f"{day} {refusal_text(hours) or '×'}" for day, hours in sorted(found.items(), key=lambda each: each[0])
    )


def share(minute: int) -> str:
    """Where on a day's line a minute lies, of a hundred; as text, for no language may write a comma into it."""
    return f"{100 * minute / MINUTES_A_DAY:.3f}%"
