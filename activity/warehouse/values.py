"""The values of the parameters that every question has: the range in UTC, and how its hours and days are counted."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from activity.params import DayRange
from activity.visits import PRESENT_MINUTES, STAY_SECONDS
from dashboard.core.errors import Refused

Moments = tuple[datetime, datetime]
# More than the minutes of any day: hours of one day are counted as they pass.
_NO_CYCLE, _CLOCK_CYCLE = 10_000, 1_440
_MOST_CHANGES = 2


def to_sql(moment: datetime) -> str:
    """A time in UTC as both engines read it, with milliseconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.") + f"{moment.microsecond // 1000:03d}"


def dates_of(between: Moments) -> tuple[date, date]:
    """The first and the last date in UTC that a period touches."""
    start, end = (each.astimezone(UTC) for each in between)
    return start.date(), max(start.date(), (end - timedelta(microseconds=1)).date())


def dates_between(first: date, last: date) -> list[date]:
    return [first + timedelta(days=number) for number in range((last - first).days + 1)]


def values_of(days: DayRange, between: Moments | None = None) -> dict[str, Any]:
    """The values for some days, or for a period within them."""
    start, end = between or (days.start, days.end)
    first, last = dates_of((start, end))
    changes = [] if days.is_one_day else clock_changes(start, end, days.zone)
    if len(changes) > _MOST_CHANGES:
        raise Refused(_("The clocks change too often within these days. Choose fewer days."))
    changes += [(end, 0)] * (_MOST_CHANGES - len(changes))
    (first_change, first_shift), (second_change, second_shift) = changes
    return {
        "start": to_sql(start),
        "end": to_sql(end),
        "first_date": first.isoformat(),
        "last_date": last.isoformat(),
        "first_change": to_sql(first_change),
        "first_shift": first_shift,
        "second_change": to_sql(second_change),
        "second_shift": second_shift,
        "cycle": _NO_CYCLE if days.is_one_day else _CLOCK_CYCLE,
        "stay_seconds": STAY_SECONDS,
        "present_minutes": PRESENT_MINUTES,
    }


def other_values(days: DayRange) -> dict[str, Any]:
    """The values for the days that are compared with."""
    first, last = days.utc_dates
    return {
        "other_start": to_sql(days.start),
        "other_end": to_sql(days.end),
        "other_first_date": first.isoformat(),
        "other_last_date": last.isoformat(),
    }


def clock_changes(start: datetime, end: datetime, zone: ZoneInfo) -> list[tuple[datetime, int]]:
    """When the clocks change between these moments, and by how many minutes they then differ from the start."""
    first = _offset(start, zone)
    changes, early = [], start
    while early < end:
        late = min(early + timedelta(days=1), end)
        if _offset(early, zone) != _offset(late, zone):
            moment = _change_between(early, late, zone)
            if moment < end:
                changes.append((moment, int((_offset(late, zone) - first).total_seconds()) // 60))
        early = late
    return changes


def _change_between(early: datetime, late: datetime, zone: ZoneInfo) -> datetime:
    """The moment of the change, to the second."""
    before = _offset(early, zone)
    while late - early > timedelta(seconds=1):
        middle = early + timedelta(seconds=(late - early) // timedelta(seconds=2))
        if _offset(middle, zone) == before:
            early = middle
        else:
            late = middle
    return late


def _offset(moment: datetime, zone: ZoneInfo) -> timedelta:
    return moment.astimezone(zone).utcoffset() or timedelta()
