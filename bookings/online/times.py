"""The free times of a week, by day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from bookings.grid import clock_at
from bookings.hours import DAY, Span, hours_of
from bookings.items import Provider
from bookings.queries.calendar import MAX_UTC_OFFSET, CalendarDays
from bookings.slots import Rules, SlotLength, free_starts
from dashboard.table.timestamps import to_wire

WEEK = 7 * DAY


@dataclass(frozen=True)
class FreeTime:
    moment: datetime

    @property
    def value(self) -> str:
        """As links and forms send it."""
        return to_wire(self.moment)


@dataclass(frozen=True)
class DayTimes:
    day: dt.date
    times: list[FreeTime]


def read_span(day: dt.date) -> Span:
    """The time that is read for the week from this day on, in any time zone."""
    midnight = datetime.combine(day, dt.time(), UTC)
    return Span(midnight - MAX_UTC_OFFSET, midnight + WEEK + MAX_UTC_OFFSET)


def week_span(day: dt.date, zone: ZoneInfo) -> Span:
    return Span(clock_at(day, 0, zone), clock_at(day + WEEK, 0, zone))


def free_times(
    days: CalendarDays,
    staff: Iterable[Provider],
    business_zone: str | None,
    slot_length: SlotLength,
    span: Span,
    rules: Rules,
    *,
    without: str = "",
) -> list[datetime]:
    """The free starts with any of these staff members. `without` is a booking that is about to move."""
    found: set[datetime] = set()
    for each in staff:
        hours = hours_of(each.zone(business_zone), days.hours.get(each.id, []))
        taken = [booking.taken for booking in days.of(each.id) if booking.taken is not None and booking.id != without]
        day, last = hours.date_of(span.start), hours.date_of(span.end)
        while day <= last:
            found.update(filter(span.contains, free_starts(hours, day, slot_length, taken, rules)))
            day += DAY
    return sorted(found)


def by_day(moments: Sequence[datetime], first: dt.date, zone: ZoneInfo) -> list[DayTimes]:
    """All seven days, also those without a free time."""
    days = [DayTimes(first + timedelta(days=offset), []) for offset in range(7)]
    at = {each.day: each for each in days}
    for moment in moments:
        day = at.get(moment.astimezone(zone).date())
        if day is not None:
            day.times.append(FreeTime(moment))
    return days
