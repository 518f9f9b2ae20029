"""The free times of a week, by day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from bookings.grid import clock_at
from bookings.hours import DAY, Span, hours_of, working_spans
from bookings.items import Provider
from bookings.queries.calendar import MAX_UTC_OFFSET, CalendarDays, load_days
from bookings.rules import MAX_DAYS
from bookings.slots import Rules, SlotLength, free_starts
from dashboard.table.timestamps import to_wire

WEEK = 7 * DAY
# How far ahead the next day with working hours is searched.
SEARCHED = 92 * DAY


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


def last_day(today: dt.date, rules: Rules) -> dt.date:
    """The last day that can be booked."""
    return today + min(rules.horizon or MAX_DAYS * DAY, MAX_DAYS * DAY)


def find_free_day(
    business: str,
    days: CalendarDays,
    staff: Sequence[Provider],
    business_zone: str | None,
    slot_length: SlotLength,
    since: dt.date,
    zone: ZoneInfo,
    rules: Rules,
    *,
    without: str = "",
) -> dt.date | None:
    """The next day with a free time, of the week that begins when somebody works again. One more trip.

    None if that week is fully booked.
    """
    since = max(since, rules.earliest.astimezone(zone).date())
    until = min(since + SEARCHED, last_day(rules.checked_at.astimezone(zone).date(), rules))
    opens = _next_working_day(days, staff, business_zone, since, until)
    if opens is None:
        return None
    # Their day may be the one before here.
    first = max(since, opens - DAY)
    week = load_days(business, read_span(first))
    moments = free_times(week, staff, business_zone, slot_length, week_span(first, zone), rules, without=without)
    return moments[0].astimezone(zone).date() if moments else None


def _next_working_day(
    days: CalendarDays, staff: Iterable[Provider], business_zone: str | None, since: dt.date, until: dt.date
) -> dt.date | None:
    hours = [hours_of(each.zone(business_zone), days.hours.get(each.id, [])) for each in staff]
    possible = (since + offset * DAY for offset in range((until - since) // DAY + 1))
    return next((day for day in possible if any(working_spans(each, day) for each in hours)), None)


def by_day(moments: Sequence[datetime], first: dt.date, zone: ZoneInfo) -> list[DayTimes]:
    """All seven days, also those without a free time."""
    days = [DayTimes(first + timedelta(days=offset), []) for offset in range(7)]
    at = {each.day: each for each in days}
    for moment in moments:
        day = at.get(moment.astimezone(zone).date())
        if day is not None:
            day.times.append(FreeTime(moment))
    return days
