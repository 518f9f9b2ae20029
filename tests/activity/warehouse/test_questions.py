"""Every question answers what a plain computation over the same events answers."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from activity.events import Event, fold_country
from activity.params import NO_FILTERS, DayRange, Filters
from activity.visits import VisitStep
from activity.warehouse.engines import local
from activity.warehouse.reports import (
    Report,
    countries_report,
    day_report,
    events_report,
    people_report,
    present_report,
    returning_report,
    rooms_report,
)
from tests.activity.warehouse import reference
from tests.activity.warehouse.strategies import event_lists, in_memory

BOGOTA, SANTIAGO, KOLKATA = (ZoneInfo(name) for name in ("America/Bogota", "America/Santiago", "Asia/Kolkata"))
DAY = DayRange.of_day(date(2026, 3, 10), BOGOTA)
# Of 25 and of 23 hours, of an offset of half an hour, and several days with a change of the clocks.
LONG_DAY = DayRange.of_day(date(2026, 4, 4), SANTIAGO)
SHORT_DAY = DayRange.of_day(date(2026, 9, 6), SANTIAGO)
HALF_HOUR = DayRange.of_day(date(2026, 3, 10), KOLKATA)
WEEK = DayRange(date(2026, 4, 2), date(2026, 4, 8), SANTIAGO)
RANGES = (DAY, LONG_DAY, SHORT_DAY, HALF_HOUR, WEEK)
FILTERS = (
    NO_FILTERS,
    Filters(country="mexico"),
    Filters(domain="uno.test"),
    Filters(room="sala1"),
    Filters(action="room_enter"),
    Filters(country="el salvador", room="sala2", action="time_spent"),
    Filters(country="atlantis"),
)
SOME = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def ask(report: Report[Any], events: list[Event]) -> Any:
    rows, is_truncated = local.fetch_rows(report.statement, in_memory(events))
    assert not is_truncated
    return report.build(rows)


def around(days: DayRange) -> st.SearchStrategy[list[Event]]:
    """Events of the days, and some shortly before and after."""
    return event_lists(days.start - timedelta(hours=1), days.end + timedelta(hours=1))


@pytest.mark.parametrize("days", RANGES, ids=str)
@given(data=st.data(), filters=st.sampled_from(FILTERS))
@SOME
def test_the_summary_of_days(days: DayRange, data: st.DataObject, filters: Filters) -> None:
    events = data.draw(around(days))
    assert ask(day_report(days, filters), events) == reference.day_summary(events, days, filters)


def test_days_of_23_and_25_hours() -> None:
    assert (LONG_DAY.hours, SHORT_DAY.hours, DAY.hours, WEEK.hours) == (25, 23, 24, 24)
    # 23:30 occurs twice: the clocks go back from 24:00 to 23:00.
    last = [LONG_DAY.end - timedelta(minutes=minutes) for minutes in (90, 30)]
    events = [Event(f"e{n}", "ana@uno.test", at, "sign_in") for n, at in enumerate(last)]
    assert {event.at.astimezone(SANTIAGO).strftime("%H:%M") for event in events} == {"23:30"}
    counts = {each.hour: each.events for each in ask(day_report(LONG_DAY), events).by_hour if each.events}
    assert counts == {23: 1, 24: 1}
    assert LONG_DAY.hour_start(23).strftime("%H:%M") == LONG_DAY.hour_start(24).strftime("%H:%M") == "23:00"


@pytest.mark.parametrize("days", (DAY, LONG_DAY, WEEK), ids=str)
@given(data=st.data(), filters=st.sampled_from(FILTERS))
@SOME
def test_visits_hours_and_peaks_of_rooms(days: DayRange, data: st.DataObject, filters: Filters) -> None:
    events = data.draw(around(days))
    found, expected = ask(rooms_report(days, filters), events), reference.rooms_summary(events, days, filters)
    parts: Any = zip(found, expected, strict=True)
    for part, wanted in parts:
        assert sorted(part, key=str) == sorted(wanted, key=str)


@given(data=st.data(), filters=st.sampled_from(FILTERS))
@SOME
def test_countries(data: st.DataObject, filters: Filters) -> None:
    events = data.draw(around(DAY))
    assert ask(countries_report(DAY, filters), events) == reference.countries(events, DAY, filters)


@given(data=st.data(), filters=st.sampled_from(FILTERS), hour=st.sampled_from([None, 0, 1, 23]))
@SOME
def test_the_people_behind_a_number(data: st.DataObject, filters: Filters, hour: int | None) -> None:
    events = data.draw(around(DAY))
    chosen = reference.select(events, DAY, filters)
    if hour is not None:
        chosen = [event for event in chosen if reference.hour_of(event, DAY) == hour]
    expected = reference.people(chosen)
    found = ask(people_report(DAY, filters, hour=hour), events)
    assert (found.people, found.total, found.next) == (expected, len(expected), "")


@given(data=st.data(), filters=st.sampled_from([NO_FILTERS, Filters(country="mexico"), Filters(domain="dos.test")]))
@SOME
def test_the_people_of_each_step_are_as_many_as_the_funnel_counts(data: st.DataObject, filters: Filters) -> None:
    events = data.draw(around(DAY))
    for visits in ask(rooms_report(DAY, filters), events).visits:
        in_room = filters._replace(room=visits.room)
        expected = reference.visits(reference.select(events, DAY, in_room))
        for step in VisitStep:
            found = ask(people_report(DAY, in_room, step=step), events)
            assert {person.user for person in found.people} == expected[step]
            assert found.total == getattr(visits, step.value)


@given(data=st.data())
@SOME
def test_the_people_of_a_peak_are_as_many_as_it_counts(data: st.DataObject) -> None:
    events = data.draw(around(DAY))
    for peak in ask(rooms_report(DAY), events).peaks:
        assert ask(present_report(DAY, peak.room, peak.at), events).total == peak.people


@given(data=st.data())
@SOME
def test_people_who_return(data: st.DataObject) -> None:
    other = DayRange.of_day(date(2026, 3, 12), BOGOTA)
    events = data.draw(event_lists(DAY.start - timedelta(hours=2), other.end + timedelta(hours=2)))
    assert ask(returning_report(DAY, other), events) == reference.returning(events, DAY, other)


@given(data=st.data(), filters=st.sampled_from(FILTERS))
@SOME
def test_events_newest_first(data: st.DataObject, filters: Filters) -> None:
    events = data.draw(around(DAY))
    expected = sorted(reference.select(events, DAY, filters), key=lambda e: (e.at, e.id), reverse=True)
    found = ask(events_report(DAY, filters), events).events
    assert [(each.event_id, each.user, each.at, each.room) for each in found] == [
        (event.id, event.user, event.at, event.room) for event in expected
    ]
    assert [each.country for each in found] == [fold_country(event.country) for event in expected]


def test_pages_of_events_and_of_people_continue_without_gaps() -> None:
    same = DAY.start + timedelta(hours=5)
    # Many at the same millisecond: the id decides.
    events = [Event(f"e{n:04}", f"p{n:04}@uno.test", same + timedelta(hours=n % 3), "sign_in") for n in range(170)]
    seen, before = [], None
    while True:
        page = ask(events_report(DAY, before=before), events)
        seen += [each.event_id for each in page.events]
        if page.next is None:
            break
        before = page.next
    assert seen == [e.id for e in sorted(events, key=lambda e: (e.at, e.id), reverse=True)]
    users, after = [], ""
    while True:
        people = ask(people_report(DAY, after=after), events)
        users += [each.user for each in people.people]
        assert people.total == 170
        if not people.next:
            break
        after = people.next
    assert users == sorted(event.user for event in events)


@given(data=st.data())
@SOME
def test_the_events_of_a_person(data: st.DataObject) -> None:
    events = data.draw(around(DAY))
    found = ask(events_report(DAY, user="d'angelo@dos.test"), events).events
    expected = [e for e in reference.select(events, DAY) if e.user == "d'angelo@dos.test"]
    assert {each.event_id for each in found} == {event.id for event in expected}


@pytest.mark.parametrize(
    "text",
    ["' OR '1'='1", "x'; DROP TABLE archive; --", "$country", "?", ":room", '"', "\\' OR 1=1 --", "%", "_", "é" * 200],
)
def test_values_are_never_part_of_the_sql(text: str) -> None:
    events = [Event("e1", "ana@uno.test", DAY.start, "sign_in", "sala1", "Perú")]
    for name in Filters._fields:
        report = day_report(DAY, Filters(**{name: text}))
        assert report.statement.sql == day_report(DAY, Filters(**{name: "x"})).statement.sql
        assert ask(report, events).total == (0, 0)
    assert ask(people_report(DAY, after=text), events).people == ask(people_report(DAY), events).people * (text < "ana")
    own = [Event("e2", text, DAY.start, "sign_in", text, text)]
    assert ask(people_report(DAY, Filters(room=text)), own).total == 1
    assert ask(events_report(DAY, user=text), own).events[0].event_id == "e2"
