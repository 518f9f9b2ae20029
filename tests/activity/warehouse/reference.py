"""The same results in plain Python: what every question must answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from activity.events import Event, fold_country
from activity.params import NO_FILTERS, DayRange, Filters
from activity.visits import PRESENT_MINUTES, STAY_SECONDS, VisitStep
from activity.warehouse.results import (
    ActivitySummary,
    CountryCount,
    DayCount,
    EventCount,
    HourCount,
    NamedCount,
    PersonCount,
    Returning,
    RoomHour,
    RoomPeak,
    RoomsSummary,
    RoomVisits,
)

K = TypeVar("K", bound=Hashable)
Visits = dict[VisitStep, set[str]]


def select(events: Iterable[Event], days: DayRange, filters: Filters = NO_FILTERS) -> list[Event]:
    return [event for event in events if days.start <= event.at < days.end and matches(event, filters)]


def matches(event: Event, filters: Filters) -> bool:
    values = Filters(fold_country(event.country), event.domain or "", event.room or "", event.action)
    return all(not wanted or wanted == value for wanted, value in zip(filters, values, strict=True))


def grouped(events: Iterable[Event], key: Callable[[Event], K]) -> dict[K, list[Event]]:
    found: dict[K, list[Event]] = defaultdict(list)
    for event in events:
        found[key(event)].append(event)
    return found


def people_of(events: Iterable[Event]) -> set[str]:
    return {event.user for event in events}


def count(events: Sequence[Event]) -> EventCount:
    return EventCount(len(events), len(people_of(events)))


def hour_of(event: Event, days: DayRange) -> int:
    if days.is_one_day:
        return int((event.at - days.start).total_seconds() // 3600)
    return event.at.astimezone(days.zone).hour


def day_summary(events: Iterable[Event], days: DayRange, filters: Filters = NO_FILTERS) -> ActivitySummary:
    chosen = select(events, days, filters)
    hours = grouped(chosen, lambda event: hour_of(event, days))
    dates = grouped(chosen, lambda event: event.at.astimezone(days.zone).date())
    return ActivitySummary(
        count(chosen),
        [HourCount(hour, *count(hours.get(hour, []))) for hour in range(days.hours)],
        [DayCount(day, *count(dates.get(day, []))) for day in days.days],
        named(chosen, lambda event: fold_country(event.country)),
        named(chosen, lambda event: event.action),
        named([event for event in chosen if event.room], lambda event: event.room or ""),
    )


def named(events: Sequence[Event], key: Callable[[Event], str]) -> list[NamedCount]:
    found = [NamedCount(name, *count(each)) for name, each in grouped(events, key).items()]
    return sorted(found, key=lambda each: (-each.people, -each.events, each.name))


def visits(events: Iterable[Event]) -> Visits:
    """The people at each step, from the events of one room."""
    listed = list(events)
    inside = [e for e in listed if not (e.action == "room_enter" and e.metadata.get("open") is False)]
    completed = people_of(e for e in listed if e.action == "room_completed")
    seconds: dict[str, int] = defaultdict(int)
    for event in listed:
        duration = event.metadata.get("duration", 0)
        if event.action == "time_spent" and type(duration) in {int, float} and 0 < duration <= 86400:
            seconds[event.user] += int(duration)
    stayed = completed | {user for user, spent in seconds.items() if spent >= STAY_SECONDS}
    came, entered = people_of(listed), people_of(inside)
    return {
        VisitStep.CAME: came,
        VisitStep.NOT_OPEN: came - entered,
        VisitStep.ENTERED: entered,
        VisitStep.LEFT: entered - stayed,
        VisitStep.STAYED: stayed,
        VisitStep.UNFINISHED: stayed - completed,
        VisitStep.COMPLETED: completed,
    }


def room_visits(room: str, country: str | None, events: Iterable[Event]) -> RoomVisits:
    steps = {step: len(people) for step, people in visits(events).items()}
    came, entered = steps[VisitStep.CAME], steps[VisitStep.ENTERED]
    assert steps[VisitStep.NOT_OPEN] == came - entered
    return RoomVisits(room, country, came, came - entered, entered, steps[VisitStep.STAYED], steps[VisitStep.COMPLETED])


def rooms_summary(events: Iterable[Event], days: DayRange, filters: Filters = NO_FILTERS) -> RoomsSummary:
    listed = list(events)
    everything = [each for each in select(listed, days, filters._replace(action="")) if each.room]
    chosen = [each for each in select(listed, days, filters) if each.room]
    rooms = grouped(everything, lambda event: event.room or "")
    pairs = grouped(everything, lambda event: (event.room or "", fold_country(event.country)))
    hours = grouped(chosen, lambda event: (event.room or "", hour_of(event, days)))
    return RoomsSummary(
        [room_visits(room, None, each) for room, each in rooms.items()],
        [RoomHour(*key, *count(each)) for key, each in hours.items()],
        [peak for room, each in rooms.items() if (peak := peak_of(room, each))],
        [room_visits(*key, each) for key, each in pairs.items()],
    )


def peak_of(room: str, events: Iterable[Event]) -> RoomPeak | None:
    present: dict[datetime, set[str]] = defaultdict(set)
    for event in events:
        if event.action == "room_enter" and event.metadata.get("open") is False:
            continue
        minute = event.at.replace(second=0, microsecond=0)
        for later in range(PRESENT_MINUTES):
            present[minute + timedelta(minutes=later)].add(event.user)
    if not present:
        return None
    at = min(present, key=lambda minute: (-len(present[minute]), minute))
    return RoomPeak(room, len(present[at]), at)


def countries(events: Iterable[Event], days: DayRange, filters: Filters = NO_FILTERS) -> list[CountryCount]:
    listed = list(events)
    found = []
    for country, chosen in grouped(select(listed, days, filters), lambda event: fold_country(event.country)).items():
        of_country = select(listed, days, filters._replace(action="", country=country))
        rooms = [visits(each) for each in grouped([e for e in of_country if e.room], lambda e: e.room).values()]
        entered = {user for each in rooms for user in each[VisitStep.ENTERED]}
        completed = {user for each in rooms for user in each[VisitStep.COMPLETED]}
        found.append(CountryCount(country, *count(chosen), len(entered), len(completed)))
    return sorted(found, key=lambda each: (-each.people, -each.events, each.country))


def people(events: Iterable[Event]) -> list[PersonCount]:
    return [
        PersonCount(
            user,
            max(fold_country(event.country) for event in each),
            len(each),
            min(event.at for event in each),
            max(event.at for event in each),
        )
        for user, each in sorted(grouped(events, lambda event: event.user).items())
    ]


def returning(events: Iterable[Event], days: DayRange, other: DayRange) -> Returning:
    listed = list(events)
    first, second = people_of(select(listed, days)), people_of(select(listed, other))
    return Returning(len(first), len(second), len(first & second))
