"""Seed patterns 18 and 19, and the events around a point in time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from activity import countries
from activity.events import Event
from activity.items import event_of, table_of_month
from activity.queries import events_between, person_events
from activity.services import log
from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.core.ids import new_id
from dashboard.table import connection
from dashboard.table.appends import NewItem, put_all
from tests.bench_activity import patterns
from tests.conftest import every_engine

pytestmark = pytest.mark.usefixtures("log_tables")


def everything(query: Any) -> list[Event]:
    found: list[Event] = []
    start_key = None
    while True:
        page = query(start_key)
        found += page.items
        start_key = page.next_start_key
        if start_key is None:
            return found


def test_a_result_costs_the_same_in_a_table_with_more_events(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "ROUNDS", 1)
    middle = now().astimezone(UTC).replace(hour=12, minute=0, second=0)
    small = patterns.measure(100, middle)
    large = patterns.measure(2500, middle)
    assert {name: cost.fixed for name, cost in small.items()} == {name: cost.fixed for name, cost in large.items()}
    assert {cost.trips for cost in small.values()} == {1}
    assert [cost.calls for cost in small.values()] == [22, 10]


@every_engine
def test_rows_of_the_event_service_are_in_the_timeline(table: str) -> None:
    """The address is as it was typed, and the key has milliseconds and no shard."""
    at = now() - timedelta(minutes=5)
    milliseconds = int(at.timestamp() * 1000) + 512
    row = {
        "PK": {"S": "USER#Lucia.Mejia@empresa.example"},
        "SK": {"S": f"ACTIVITY#{milliseconds}"},
        "action": {"S": "room_completed"},
        "salaId": {"S": "sala2"},
        "timestamp": {"S": "2025-08-19T14:00:03.513Z"},
    }
    put_all([NewItem(table_of_month(f"{at:%Y-%m}"), row)], [])
    log([Event("e1", "lucia.mejia@empresa.example", at - timedelta(minutes=1), "sign_in")])
    start, end = at - timedelta(hours=1), at + timedelta(hours=1)
    assert [each.action for each in person_events("lucia.mejia@empresa.example", start, end).items] == ["sign_in"]
    found = person_events("lucia.mejia@empresa.example", start, end, spellings=["Lucia.Mejia@empresa.example"]).items
    assert [each.action for each in found] == ["room_completed", "sign_in"]
    assert found[0] == event_of(row) and found[0].user == "lucia.mejia@empresa.example"
    assert found[0].at == datetime.fromtimestamp(milliseconds / 1000, UTC) and found[0].id.startswith("outside-")


def test_nobody_present_is_missed_at_a_point_in_time(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also people of a country that this process has never seen, and of none."""
    monkeypatch.setattr(countries, "_known", {"unknown", "Chile"})
    moment = now() - timedelta(minutes=10)
    events = [
        Event(new_id(), f"p{n}@empresa.test", moment + timedelta(seconds=n), "room_enter", f"sala{n % 2}", country)
        for n, country in enumerate(["Chile", None, "Wakanda", "España", "Chile", None] * 20)
    ]
    log(events)
    start, end = moment + timedelta(seconds=30), moment + timedelta(seconds=60)
    present = sorted((each for each in events if start <= each.at < end), key=lambda each: (each.at, each.id))
    found = everything(lambda key: events_between(start, end, key, limit=7))
    assert sorted(found, key=lambda each: (each.at, each.id)) == present
    of_room = everything(lambda key: events_between(start, end, key, room="sala1", limit=7))
    assert {each.id for each in of_room} == {each.id for each in present if each.room == "sala1"}
    of_country = everything(lambda key: events_between(start, end, key, country="España"))
    assert {each.id for each in of_country} == {each.id for each in present if each.country == "España"}
    with pytest.raises(Refused):
        events_between(start, start + timedelta(days=2))


def test_unusual_rows_of_outside_writers_stop_nothing(table: str) -> None:
    """A row without an action, with a time in seconds, and rows that are no events."""
    at = now() - timedelta(minutes=5)
    name, user = table_of_month(f"{at:%Y-%m}"), "ana@empresa.test"
    rows: list[dict[str, Any]] = [
        {"PK": {"S": f"USER#{user}#shard3"}, "SK": {"S": f"{at:%Y-%m-%dT%H:%M:%SZ}#no-action"}},
        {"PK": {"S": f"USER#{user}#shard3"}, "SK": {"S": f"{at:%Y-%m-%dT%H:%M:%S}.250Z#m"}, "metadata": {"S": "x"}},
        {"PK": {"S": f"USER#{user}#shard3"}, "SK": {"S": "yesterday#e1"}},
        {"PK": {"S": f"USER#{user}"}, "SK": {"S": "ACTIVITY#99999999999999999999"}},
    ]
    put_all([NewItem(name, row) for row in rows], [])
    found = person_events(user, at - timedelta(hours=1), at + timedelta(hours=1)).items
    assert sorted(each.id for each in found) == ["m", "no-action"]
    assert [each.action for each in found] == ["", ""]
    assert connection.table(name) is connection.table(name)
