"""Sixteen people at the same rooms: overrides, single edits and shifts, and replies get lost. Nothing is, and the
rooms and the event's schedule say the same at every moment."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings

from dashboard.core.errors import Conflict, Refused
from dashboard.platform.jobs import services as works
from dashboard.platform.jobs.items import State
from dashboard.table import connection, keys
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import find_done
from rooms.queries import rooms as queries
from rooms.services import overrides, schedule, shifts
from rooms.services import rooms as services
from rooms.shifts import build_lines
from tests.conftest import real_engines
from tests.faults import act_then_break, bad_network, lose_reply, retry_until_available
from tests.jobs.execution import finish
from tests.rooms.rooms import BOGOTA, assert_schedule_matches, entries_of, some_rooms, soon, stored_room
from tests.table.test_races import run_at_once

PEOPLE, ROOMS, TRIES = 16, 8, 4


@dataclass(frozen=True)
class Told:
    """One press of a button, and what the person was told."""

    command: Command
    room: str
    action: str
    done: bool


def press(room_id: str, chance: random.Random, by: Actor) -> Told:
    command, action = new_command(by), chance.choice(("room.override", "room.schedule"))
    revision = retry_until_available(lambda: stored_room(room_id).revision)

    def once() -> object:
        if action == "room.override":
            value = chance.choice(("open", "closed"))
            return overrides.override(
                room_id, value=value, until=soon(600 + revision), revision=revision, command=command
            )
        opening = soon(chance.randint(30, 500)).replace(second=chance.randint(0, 59))
        return schedule.set_schedule(room_id, open_at=opening, zone=BOGOTA, revision=revision, command=command)

    try:
        retry_until_available(once)
    except Conflict as refusal:
        assert refusal.item is None or refusal.item.updated_by is not None, "it says who"
        return Told(command, room_id, action, False)
    return Told(command, room_id, action, True)


def shift(number: int, by: Actor) -> tuple[int, int]:
    """One of them moves all of them; says how many went along and how many did not."""
    command = new_command(by)
    lines = retry_until_available(lambda: build_lines(queries.all_rooms(), number))
    work = retry_until_available(lambda: shifts.prepare(lines, number, command=command))
    retry_until_available(lambda: works.confirm(work))
    done = finish(work)
    assert done.state == State.DONE
    return int(done.done), int(done.failed)


@contextmanager
def watched() -> Iterator[list[list[str]]]:
    """Someone reads rooms and schedule in one transaction all the while, and notes at each look where they differ."""
    looks: list[list[str]] = []
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            # Where someone is writing there is no look.
            with suppress(ClientError, BotoCoreError):
                looks.append(_differences())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield looks
    finally:
        over.set()
        watcher.join()


def _differences() -> list[str]:
    wanted = [keys.ROOM.key(room=f"sala{n}") for n in range(1, ROOMS + 1)] + [keys.CONFIG.key(name="schedule")]
    gets = [
        {"Get": {"TableName": settings.DYNAMODB_TABLE, "Key": {"PK": {"S": key.pk}, "SK": {"S": key.sk}}}}
        for key in wanted
    ]
    answers = connection.client().transact_get_items(TransactItems=gets)["Responses"]
    *rooms, config = [each["Item"] for each in answers]
    times = config["salaOpenTimes"]["M"]
    pairs = [(f"sala{n}", room["openAt"], times[f"sala{n}"]) for n, room in enumerate(rooms, 1)]
    return [f"{name}: {opening} {entry}" for name, opening, entry in pairs if opening != entry]


@real_engines
def test_sixteen_people_on_eight_rooms(table: str) -> None:
    some_rooms(ROOMS, soon(60))
    start = threading.Barrier(PEOPLE)

    def one(number: int) -> Any:
        chance, by = random.Random(number), Actor(f"p{number}@example.com", f"Person {number}")
        start.wait()
        if number < 3:
            return shift(5 * (number + 1), by)
        return [press(f"sala{chance.randint(1, ROOMS)}", chance, by) for _ in range(TRIES)]

    with bad_network() as network:
        network.add_random_fault(0.04, lose_reply)
        network.add_random_fault(0.04, act_then_break)
        with watched() as looks, ThreadPoolExecutor(PEOPLE) as pool:
            answers = list(pool.map(one, range(PEOPLE)))
        network.stop_faults()
    assert network.faults > 20
    assert len(looks) > 10, "nobody looked, so this proves nothing"
    assert not any(looks), "rooms and schedule agree at every moment"
    assert_schedule_matches()

    told = [each for answer in answers if isinstance(answer, list) for each in answer]
    moved = [answer for answer in answers if isinstance(answer, tuple)]
    assert any(each.done for each in told) and any(not each.done for each in told)
    # Whoever was told «done» has a record and one entry; nobody else has.
    entries = {n: entries_of(f"sala{n}") for n in range(1, ROOMS + 1)}
    written = Counter(entry.operation for found in entries.values() for entry in found)
    for each in told:
        assert (find_done(each.command) is not None) == each.done
        assert written[each.command.id] == each.done
    shifted = sum(entry.action == "room.shift" for found in entries.values() for entry in found)
    assert sum(went + failed for went, failed in moved) == 3 * ROOMS
    assert shifted <= sum(went for went, _failed in moved)
    # No update is lost: each one saw the one before, back to the first.
    for number, found in entries.items():
        room = stored_room(f"sala{number}")
        assert room.revision == len(found), "every revision is somebody's entry"
        assert _follows([(entry.before or {}, entry.after or {}) for entry in found if entry.action != "room.create"])


def _follows(states: list[tuple[dict[str, Any], dict[str, Any]]]) -> bool:
    """Whether the openings can be put in a row in which each begins where the one before has ended."""
    opened: list[tuple[str, str]] = [
        (before["openAt"], after["openAt"]) for before, after in states if "openAt" in before and "openAt" in after
    ]
    leaves, comes = Counter(before for before, _after in opened), Counter(after for _before, after in opened)
    loose = sum(((leaves - comes) + (comes - leaves)).values())
    return loose in {0, 2}


@real_engines
def test_different_rooms_are_no_conflict(table: str) -> None:
    """They share an item, and each its own entry: nobody is told of anybody."""
    some_rooms(PEOPLE, soon(60))
    start = threading.Barrier(PEOPLE)

    def one(number: int) -> datetime:
        opening = soon(100 + number)
        start.wait()
        room_id, command = f"sala{number + 1}", new_command(Actor(f"p{number}@example.com"))
        retry_until_available(
            lambda: schedule.set_schedule(room_id, open_at=opening, zone=BOGOTA, revision=1, command=command)
        )
        return opening

    with ThreadPoolExecutor(PEOPLE) as pool:
        openings = list(pool.map(one, range(PEOPLE)))
    assert [stored_room(f"sala{n + 1}").open_at for n in range(PEOPLE)] == openings
    assert_schedule_matches()


@real_engines
def test_the_first_times_of_an_event_come_all_at_once(table: str) -> None:
    """There is no schedule yet, and everybody would make it."""
    opening = soon(60)
    start = threading.Barrier(8)

    def one(number: int) -> None:
        start.wait()
        command = new_command(Actor(f"p{number}@example.com"))
        services.create(f"sala{number}", name="", open_at=opening, zone=BOGOTA, command=command)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(8)))
    assert_schedule_matches()
    assert len(queries.all_rooms()) == 8


@real_engines
def test_a_lost_reply_of_a_shift_is_told_as_what_it_was(table: str) -> None:
    some_rooms(4, soon(60))
    before = [room.open_at for room in queries.all_rooms()]
    with bad_network() as network:
        work = shifts.prepare(build_lines(queries.all_rooms(), 15), 15, command=new_command(Actor("p@example.com")))
        works.confirm(work)
        network.next("TransactWriteItems", lose_reply, lose_reply)
        done = finish(work)
    assert (done.done, done.failed) == (4, 0)
    assert [room.open_at for room in queries.all_rooms()] == [each + timedelta(minutes=15) for each in before]
    assert [entry.action for entry in entries_of("sala1")] == ["room.shift", "room.create"]
    assert to_wire(stored_room("sala1").open_at) == (entries_of("sala1")[0].after or {})["openAt"]


@real_engines
def test_a_room_is_taken_off_and_brought_back_once_whoever_asks(table: str) -> None:
    rooms = some_rooms(3, soon(60))
    removal = new_command(Actor("p@example.com"))
    came_back: list[int] = []

    def bring_back(number: int) -> None:
        command = new_command(Actor(f"p{number}@example.com"))
        with suppress(Refused):
            back = retry_until_available(lambda: services.restore("sala1", removal.id, command=command))
            came_back.append(back.revision)

    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply)
        services.remove("sala1", revision=1, command=removal)
        assert [room.id for room in queries.all_rooms()] == ["sala2", "sala3"]
        network.add_random_fault(0.1, lose_reply)
        run_at_once(bring_back, 6)
        network.stop_faults()
    assert came_back == [2], "a form from before is old"
    assert [entry.action for entry in entries_of("sala1")] == ["room.restore", "room.remove", "room.create"]
    assert stored_room("sala1").open_at == rooms[0].open_at
    assert_schedule_matches()
