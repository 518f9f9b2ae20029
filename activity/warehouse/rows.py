"""Typed results from the rows of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from activity.params import DayRange
from activity.warehouse.engines.local import Row
from activity.warehouse.questions import PAGE_ROWS
from activity.warehouse.results import (
    ActivitySummary,
    CountryCount,
    DayCount,
    EventCount,
    EventPosition,
    HourCount,
    ListedEvent,
    ListedEvents,
    NamedCount,
    People,
    PersonCount,
    Returning,
    RoomHour,
    RoomPeak,
    RoomsSummary,
    RoomVisits,
)

Rows = Sequence[Row]
# The value of GROUPING(hour, day, country, action, room) for each part: the bit of a column that counts is 0.
_TOTAL, _HOUR, _DAY, _COUNTRY, _ACTION, _ROOM = 31, 15, 23, 27, 29, 30


def day_summary(rows: Rows, days: DayRange) -> ActivitySummary:
    total = EventCount()
    hours = {hour: HourCount(hour, 0, 0) for hour in range(days.hours)}
    dates = {day: DayCount(day, 0, 0) for day in days.days}
    named: dict[int, list[NamedCount]] = {_COUNTRY: [], _ACTION: [], _ROOM: []}
    for part, hour, day, country, action, room, events, people in rows:
        if part == _TOTAL:
            total = EventCount(events, people)
        elif part == _HOUR:
            hours[hour] = HourCount(hour, events, people)
        elif part == _DAY and 0 <= day < len(dates):
            date = days.first + timedelta(days=day)
            dates[date] = DayCount(date, events, people)
        elif part in named and (name := next((each for each in (country, action, room) if each is not None), None)):
            named[part].append(NamedCount(name, events, people))
    by_hour = [hours[hour] for hour in sorted(hours)]
    return ActivitySummary(total, by_hour, list(dates.values()), named[_COUNTRY], named[_ACTION], named[_ROOM])


def rooms_summary(rows: Rows, days: DayRange) -> RoomsSummary:
    summary = RoomsSummary([], [], [], [])
    for part, room, country, time, first, second, third, fourth in rows:
        if part == "visits":
            visits = RoomVisits(room, country, first, first - second, second, third, fourth)
            (summary.by_country if country is not None else summary.visits).append(visits)
        elif part == "hour":
            summary.heat_map.append(RoomHour(room, time, second, first))
        else:
            summary.peaks.append(RoomPeak(room, first, days.start + timedelta(minutes=time)))
    return summary


def countries(rows: Rows, days: DayRange) -> list[CountryCount]:
    return [CountryCount(*row) for row in rows]


def people(rows: Rows, days: DayRange) -> People:
    total = rows[0][-1] if rows else 0
    found = [PersonCount(user, country, n, _aware(first), _aware(last)) for user, country, n, first, last, _ in rows]
    page = found[:PAGE_ROWS]
    return People(page, total, page[-1].user if len(found) > PAGE_ROWS else "")


def events(rows: Rows, days: DayRange) -> ListedEvents:
    found = [event(row) for row in rows]
    page = found[:PAGE_ROWS]
    return ListedEvents(page, EventPosition(page[-1].at, page[-1].event_id) if len(found) > PAGE_ROWS else None)


def event(row: Row) -> ListedEvent:
    event_id, user, at, *others = row
    return ListedEvent(event_id, user, _aware(at), *others)


def returning(rows: Rows, days: DayRange) -> Returning:
    return Returning(*rows[0]) if rows else Returning(0, 0, 0)


def _aware(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC)
