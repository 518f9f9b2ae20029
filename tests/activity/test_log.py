"""Logging events: each exactly once, with exact counters."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from activity.counters import group_of, hour_counter
from activity.events import Event
from activity.items import Activity, event_of, new_item
from activity.queries import hour_counts, now_counts, person_events
from activity.services import LogStatus, log
from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.table.appends import put_all
from tests.conftest import every_engine

pytestmark = pytest.mark.usefixtures("log_tables")


def event(user: str = "ana@empresa.test", *, seconds_ago: int = 0, **values: Any) -> Event:
    at = now() - timedelta(seconds=seconds_ago)
    defaults: dict[str, Any] = {"action": "room_enter", "room": "sala1", "country": "Chile"}
    return Event(id=values.pop("id", "") or new_id(), user=user, at=at, **(defaults | values))


def statuses(events: list[Event]) -> list[str]:
    """Log events, again while a busy engine does not answer in time; the first definite status of each."""
    results = log(events)
    waiting = [index for index, each in enumerate(results) if each.status == LogStatus.UNAVAILABLE]
    if waiting:
        again = statuses([events[index] for index in waiting])
        late = dict(zip(waiting, again, strict=True))
        # What was logged without an answer is a duplicate now.
        return [late.get(index, each.status) for index, each in enumerate(results)]
    return [each.status for each in results]


@every_engine
def test_events_are_logged_once_and_counted_exactly(table: str) -> None:
    events = [event(f"p{n % 7}@empresa.test", seconds_ago=n) for n in range(40)]
    assert set(statuses(events)) <= ({LogStatus.LOGGED} if table != "dynamodb_local" else {*LogStatus})
    assert set(statuses(events)) == {LogStatus.DUPLICATE}
    counts = now_counts()
    assert (counts.events, counts.by_room, counts.by_country) == (40, Counter(sala1=40), Counter(Chile=40))
    assert counts.active_people == {f"p{n}@empresa.test" for n in range(7)}
    assert counts.people_by_room == {"sala1": counts.active_people}
    hours = hour_counts(now() - timedelta(hours=2), now() + timedelta(hours=1))
    assert sum(hour.events for hour in hours) == 40
    assert sum((hour.by_room_action for hour in hours), Counter()) == Counter({("room_enter", "sala1"): 40})


def test_a_part_of_a_batch_may_have_been_logged_before() -> None:
    known, new = event(), event()
    assert statuses([known]) == [LogStatus.LOGGED]
    assert statuses([known, new, new]) == [LogStatus.DUPLICATE, LogStatus.LOGGED, LogStatus.DUPLICATE]
    assert now_counts().events == 2


def test_the_item_is_the_one_that_its_class_writes(table: str) -> None:
    logged = event(metadata={"duration": 30, "open": False, "device": "teléfono"})
    raw = new_item(logged).raw
    item = Activity.of(raw)
    item.set_index_keys()
    assert item.serialize() == raw
    assert event_of(raw) == logged


@every_engine
def test_a_person_has_one_timeline(table: str) -> None:
    events = [event(seconds_ago=n * 60) for n in range(60)]
    statuses(events)
    statuses([event("other@empresa.test")])
    start, end = now() - timedelta(days=1), now() + timedelta(minutes=1)
    found, start_key = [], None
    while True:
        page = person_events("Ana@Empresa.test", start, end, start_key, limit=20)
        found += page.items
        start_key = page.next_start_key
        if start_key is None:
            break
    assert found == events


def test_a_month_without_a_table_has_no_events_and_accepts_none() -> None:
    old = datetime(2020, 1, 5, tzinfo=UTC)
    assert person_events("ana@empresa.test", old, old + timedelta(days=1)).items == []
    lost = Event(id="e1", user="ana@empresa.test", at=old, action="sign_in")
    assert [result.status for result in log([lost], moment=old)] == [LogStatus.UNAVAILABLE]
    assert hour_counts(old, old + timedelta(hours=1))[0].events == 0


@every_engine
def test_a_full_counter_still_counts(table: str) -> None:
    """An app with a defect invents so many names that the counter of the hour reaches the limit of an item."""
    first = event()
    statuses([first])
    counter = hour_counter(group_of(first), [first])
    names = {f"country:{'x' * 900}{number}": 1 for number in range(430)}
    put_all([], [replace(counter, numbers={**counter.numbers, **names})])
    second = event(country="y" * 64, room="z" * 64)
    statuses([second, event(country="w" * 64)])
    assert sum(hour.events for hour in hour_counts(now() - timedelta(hours=1), now() + timedelta(hours=1))) == 3
