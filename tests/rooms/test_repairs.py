"""Attendees, rooms and content of outside writers are repaired, and everyone is counted once."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.platform.accounts.items import Person
from dashboard.platform.due import runner
from dashboard.platform.stream.batches import KeepsChanging
from dashboard.table import keys, read
from dashboard.table.commands import new_command
from dashboard.table.items import Raw
from dashboard.table.timestamps import to_wire
from rooms.items import Room
from rooms.queries import domains as queries
from rooms.queries.attendees import attendees_of_country, newest_attendees
from rooms.services import domain_counts, overrides, schedule
from tests import outside_writes
from tests.conftest import ACTOR, every_engine, real_engines
from tests.outside_writes import follow
from tests.rooms.content import activate_version, active_index_entries, create_version
from tests.rooms.domain_counts import count_all, register_people, stored_count, stored_counts
from tests.rooms.rooms import BOGOTA, NINE, NOON, TEN, audit_actions, create_room, stored_room
from tests.table.test_races import run_at_once
from tests.ui.html import parse

LONG_AGO = "2025-08-18T10:00:00.318Z"


def raw_user(email: str, at: str | datetime | None = LONG_AGO, **more: Any) -> Raw:
    """A person as the event's service writes them: the address as typed, no index keys, times with milliseconds."""
    key = keys.PERSON.key(email=email)
    texts = {"PK": key.pk, "SK": key.sk, "email": email, "name": "Ana", "lastname": "Torres", "country": "Colombia"}
    texts |= {"negocio": "Negocio 1"} | ({"createdAt": at if isinstance(at, str) else to_wire(at)} if at else {})
    return {name: {"S": value} for name, value in texts.items()} | {"progress": {"L": []}, **more}


def raw_ghost(email: str) -> Raw:
    """What remains when a room is completed after the person has deleted the profile."""
    key = keys.PERSON.key(email=email)
    return {"PK": {"S": key.pk}, "SK": {"S": key.sk}, "progress": {"L": [{"S": "sala1"}]}}


@pytest.fixture
def three_counted(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three people are counted, in pages of two."""
    monkeypatch.setattr(queries, "PAGE", 2)
    register_people(["a.example", "a.example", "b.example"])
    count_all()


# --- Attendees -----------------------------------------------------------------------------------
@every_engine
def test_attendees_appear_in_the_lists(table: str, as_staff: Client) -> None:
    assert follow(outside_writes.put(raw_user("Ana.Torres@Sura.com.co")))
    assert follow(outside_writes.put(raw_ghost("Ghost@Sura.com.co")))
    assert [each.email for each in newest_attendees().items][-2:] == ["Ana.Torres@Sura.com.co", "Ghost@Sura.com.co"]
    assert [each.email for each in attendees_of_country("Colombia").items] == ["Ana.Torres@Sura.com.co"]
    shown = parse(as_staff.get("/rooms/people/")).text
    assert "Ana.Torres@Sura.com.co" in shown and "Ghost@Sura.com.co" in shown
    for email in ("Ana.Torres@Sura.com.co", "Ghost@Sura.com.co"):
        assert as_staff.get(f"/rooms/people/{email}/").status_code == 200
    # A second write moves them again.
    assert follow(outside_writes.put(raw_user("Ana.Torres@Sura.com.co", country={"S": "Chile"})))
    assert attendees_of_country("Colombia").items == []
    assert [each.email for each in attendees_of_country("Chile").items] == ["Ana.Torres@Sura.com.co"]


def test_a_put_of_an_attendee_keeps_the_account(people_by_role: dict[str, Person]) -> None:
    staff = people_by_role["staff"]
    before = outside_writes.raw_at(staff.key) or {}
    assert follow(outside_writes.put(raw_user(staff.email, "2025-01-01T00:00:00Z")))
    after = outside_writes.raw_at(staff.key) or {}
    for name in ("passwordHash", "backOfficeRole", "sessionEpoch", "GSIStatusPK", "GSI2PK"):
        assert after.get(name) == before.get(name)
    assert after["revision"] == {"N": str(staff.revision + 1)} and after["lastname"] == {"S": "Torres"}


# --- The count by domain -------------------------------------------------------------------------
@every_engine
def test_a_person_behind_the_position_is_counted_by_the_repair(three_counted: None) -> None:
    change = outside_writes.put(raw_user("late@b.example"))
    assert follow(change)
    assert stored_counts() == {"a.example": 2, "b.example": 2}
    assert not follow(change), "the same record again"
    assert not follow(outside_writes.update(change.key, progress={"L": [{"S": "sala1"}]}))
    assert follow(outside_writes.put(raw_user("late@b.example", lastLoginAt={"S": LONG_AGO})))
    count_all()
    assert stored_counts() == {"a.example": 2, "b.example": 2}
    domain_counts.recount(command=new_command(ACTOR))
    count_all()
    assert stored_counts() == {"a.example": 2, "b.example": 2}


def test_a_person_ahead_of_the_position_is_counted_by_the_count(three_counted: None) -> None:
    assert follow(outside_writes.put(raw_user("new@c.example", now())))
    assert stored_counts() == {"a.example": 2, "b.example": 1}
    with frozen(now() + timedelta(hours=1)):
        count_all()
        assert stored_counts() == {"a.example": 2, "b.example": 1, "c.example": 1}


def test_people_of_the_second_that_was_counted_last_are_counted_once(table: str) -> None:
    at = now() - timedelta(hours=1)
    for number in range(3):
        follow(outside_writes.put(raw_user(f"p{number}@a.example", at)))
    count_all()
    for number in range(9):
        assert follow(outside_writes.put(raw_user(f"q{number}@a.example", at)))
    count_all()
    assert stored_counts() == {"a.example": 12}


def test_a_ghost_is_counted_once(three_counted: None) -> None:
    assert follow(outside_writes.put(raw_ghost("g@ghost.example")))
    assert stored_counts()["ghost.example"] == 1
    count_all()
    assert stored_counts()["ghost.example"] == 1


def test_a_changed_date_of_registration_does_not_count_twice(three_counted: None) -> None:
    follow(outside_writes.put(raw_user("late@c.example")))
    assert stored_counts()["c.example"] == 1
    assert follow(outside_writes.put(raw_user("late@c.example", now())))
    assert "c.example" not in stored_counts(), "the count will reach the new position"
    with frozen(now() + timedelta(hours=1)):
        count_all()
        assert stored_counts()["c.example"] == 1


def test_a_recount_that_has_not_reached_the_person_counts_them(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "PAGE", 2)
    register_people(["a.example"] * 12)
    count_all()
    domain_counts.recount(command=new_command(ACTOR))
    domain_counts.count_next(stored_count())
    assert stored_count().recount_counts == {"a.example": 10}
    follow(outside_writes.put(raw_user("early@b.example")))
    follow(outside_writes.put(raw_user("late@b.example", now() - timedelta(minutes=30))))
    assert stored_counts() == {"a.example": 12, "b.example": 1}
    count_all()
    assert stored_counts() == {"a.example": 12, "b.example": 2}


@real_engines
def test_repairs_and_counting_at_once_count_everyone_once(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "PAGE", 3)
    first = now() - timedelta(hours=2)
    domains = [f"d{number % 5}.example" for number in range(60)]
    users = [
        raw_user(f"p{number}@{domain}", first + timedelta(seconds=number // 4)) for number, domain in enumerate(domains)
    ]
    domain_counts.start()

    def work(number: int) -> None:
        if number == 0:
            for _ in range(60):
                domain_counts.count_next(stored_count())
        for user in users[number - 1 :: 3] if number else ():
            change = outside_writes.put(user)
            while outside_writes.raw_at(change.key) == change.new:
                with suppress(KeepsChanging):
                    follow(change)

    run_at_once(work, threads=4)
    count_all()
    assert stored_counts() == Counter(domains)


# --- Rooms ---------------------------------------------------------------------------------------
def test_a_put_of_a_room_keeps_our_attributes(table: str) -> None:
    room = create_room(name="Sala uno")
    create_version()
    room = activate_version(1)
    until = now() + timedelta(hours=1)
    room = overrides.override("sala1", value="open", until=until, revision=room.revision, command=new_command(ACTOR))
    known = {name: room_raw(room)[name] for name in ("PK", "SK", "openAt", "manualOverride", "createdAt")}
    assert follow(outside_writes.put(known))
    after = read.get(Room, room.key)
    assert after is not None
    for name in ("name", "active_version", "content_version", "override_by", "override_until", "due_at", "open_zone"):
        assert getattr(after, name) == getattr(room, name)
    assert after.gsistatuspk == "DUE" and after.revision == room.revision + 1
    # Their own override has no end: it is not due.
    assert follow(outside_writes.update(room.key, manualOverride={"NULL": True}))
    assert "GSIStatusPK" not in room_raw(room) and "dueAt" not in room_raw(room)


def test_a_put_of_the_playing_content_keeps_it_playing(table: str) -> None:
    create_room()
    content = create_version()
    activate_version(1)
    raw = outside_writes.raw_at(content.key) or {}
    known = {name: raw[name] for name in ("PK", "SK", "title", "type", "vimeoUrl")} | {"title": {"S": "Nuevo"}}
    assert follow(outside_writes.put(known))
    assert active_index_entries() == [("sala1", content.sk)]


def room_raw(room: Room) -> Raw:
    return outside_writes.raw_at(room.key) or {}


@every_engine
def test_a_new_opening_of_an_outside_writer_after_a_closing_is_followed_and_opens_the_room(table: str) -> None:
    """The writer puts the whole item with the attributes of the seed, and keeps the override that it read."""
    with frozen(TEN):
        create_room("sala1", NINE)
        options: dict[str, Any] = {"open_at": NINE, "zone": BOGOTA, "close_at": NOON, "revision": 1}
        schedule.set_schedule("sala1", command=new_command(ACTOR), **options)
    key, opening = stored_room().key, NINE + timedelta(days=1)
    with frozen(NOON):
        list(runner.run())
        assert stored_room().manual_override == "closed"
        seed = {name: outside_writes.raw_at(key)[name] for name in ("PK", "SK", "manualOverride")}  # type: ignore[index]
        assert follow(outside_writes.put(seed | {"openAt": {"S": to_wire(opening)}}))
        assert stored_room().due_at == opening
        list(runner.run())
        assert stored_room().manual_override == "closed", "not before its opening"
    with frozen(opening):
        list(runner.run())
        assert not stored_room().manual_override
        assert stored_room().plan.state_at(opening).is_open and audit_actions()[-1] == "room.open"
