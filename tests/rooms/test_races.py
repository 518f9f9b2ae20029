"""16 people change overrides and opening times at once, with lost replies: rooms and schedule always agree."""

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
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import JobState
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
from tests.rooms.rooms import (
    BOGOTA,
    assert_schedule_matches,
    audit_entries,
    create_rooms,
    minutes_from_now,
    stored_room,
)
from tests.table.test_races import run_at_once

PEOPLE, ROOMS, TRIES = 16, 8, 4


@dataclass(frozen=True)
class Attempt:
    """One press of a button, and whether it succeeded."""

    command: Command
    room: str
    action: str
    done: bool


def press(room_id: str, rng: random.Random, by: Actor) -> Attempt:
    command, action = new_command(by), rng.choice(("room.override", "room.schedule"))
    revision = retry_until_available(lambda: stored_room(room_id).revision)

    def once() -> object:
        if action == "room.override":
            value = rng.choice(("open", "closed"))
            return overrides.override(
                room_id, value=value, until=minutes_from_now(600 + revision), revision=revision, command=command
            )
        opening = minutes_from_now(rng.randint(30, 500)).replace(second=rng.randint(0, 59))
        return schedule.set_schedule(room_id, open_at=opening, zone=BOGOTA, revision=revision, command=command)

    try:
        retry_until_available(once)
    except Conflict as refusal:
        assert refusal.item is None or refusal.item.updated_by is not None, (
            "the conflict contains the author of the other change"
        )
        return Attempt(command, room_id, action, False)
    return Attempt(command, room_id, action, True)


def shift(number: int, by: Actor) -> tuple[int, int]:
    """Shift all rooms; return how many moved and how many failed."""
    command = new_command(by)
    lines = retry_until_available(lambda: build_lines(queries.all_rooms(), number))
    job = retry_until_available(lambda: shifts.prepare(lines, number, command=command))
    retry_until_available(lambda: job_services.confirm(job))
    done = finish(job)
    assert done.state == JobState.DONE
    return int(done.done), int(done.failed)


@contextmanager
def watch_differences() -> Iterator[list[list[str]]]:
    """In a second thread, compare rooms and schedule in one transaction, and collect the differences."""
    snapshots: list[list[str]] = []
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            # A snapshot fails while someone is writing.
            with suppress(ClientError, BotoCoreError):
                snapshots.append(_differences())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield snapshots
    finally:
        over.set()
        watcher.join()


def _differences() -> list[str]:
    wanted_keys = [keys.ROOM.key(room=f"sala{n}") for n in range(1, ROOMS + 1)] + [keys.CONFIG.key(name="schedule")]
    gets = [
        {"Get": {"TableName": settings.DYNAMODB_TABLE, "Key": {"PK": {"S": key.pk}, "SK": {"S": key.sk}}}}
        for key in wanted_keys
    ]
    answers = connection.client().transact_get_items(TransactItems=gets)["Responses"]
    *rooms, config = [each["Item"] for each in answers]
    times = config["salaOpenTimes"]["M"]
    pairs = [(f"sala{n}", room["openAt"], times[f"sala{n}"]) for n, room in enumerate(rooms, 1)]
    return [f"{name}: {opening} {entry}" for name, opening, entry in pairs if opening != entry]


@real_engines
def test_sixteen_people_change_eight_rooms(table: str) -> None:
    create_rooms(ROOMS, minutes_from_now(60))
    start = threading.Barrier(PEOPLE)

    def work(number: int) -> Any:
        rng, by = random.Random(number), Actor(f"p{number}@example.com", f"Person {number}")
        start.wait()
        if number < 3:
            return shift(5 * (number + 1), by)
        return [press(f"sala{rng.randint(1, ROOMS)}", rng, by) for _ in range(TRIES)]

    with bad_network() as network:
        network.add_random_fault(0.04, lose_reply)
        network.add_random_fault(0.04, act_then_break)
        with watch_differences() as snapshots, ThreadPoolExecutor(PEOPLE) as pool:
            answers = list(pool.map(work, range(PEOPLE)))
        network.stop_faults()
    assert network.faults > 20
    assert len(snapshots) > 10, "too few snapshots: the test proves nothing"
    assert not any(snapshots), "rooms and schedule agree at every moment"
    assert_schedule_matches()

    attempts = [each for answer in answers if isinstance(answer, list) for each in answer]
    shift_results = [answer for answer in answers if isinstance(answer, tuple)]
    assert any(each.done for each in attempts) and any(not each.done for each in attempts)
    # Each success has a DONE record and one audit entry; nothing else has.
    entries = {n: audit_entries(f"sala{n}") for n in range(1, ROOMS + 1)}
    written = Counter(entry.operation for room_entries in entries.values() for entry in room_entries)
    for each in attempts:
        assert (find_done(each.command) is not None) == each.done
        assert written[each.command.id] == each.done
    shifted = sum(entry.action == "room.shift" for room_entries in entries.values() for entry in room_entries)
    assert sum(went + failed for went, failed in shift_results) == 3 * ROOMS
    assert shifted <= sum(went for went, _failed in shift_results)
    # No update is lost: each change started from the one before.
    for number, room_entries in entries.items():
        room = stored_room(f"sala{number}")
        assert room.revision == len(room_entries), "every revision has one audit entry"
        assert _is_chain(
            [(entry.before or {}, entry.after or {}) for entry in room_entries if entry.action != "room.create"]
        )


def _is_chain(states: list[tuple[dict[str, Any], dict[str, Any]]]) -> bool:
    """Whether the opening times form a chain in which each change starts from the result of another."""
    changes: list[tuple[str, str]] = [
        (before["openAt"], after["openAt"]) for before, after in states if "openAt" in before and "openAt" in after
    ]
    starts, ends = Counter(before for before, _after in changes), Counter(after for _before, after in changes)
    unmatched = sum(((starts - ends) + (ends - starts)).values())
    return unmatched in {0, 2}


@real_engines
def test_changes_of_different_rooms_do_not_conflict(table: str) -> None:
    """The rooms share the schedule item, but each changes only its own entry."""
    create_rooms(PEOPLE, minutes_from_now(60))
    start = threading.Barrier(PEOPLE)

    def work(number: int) -> datetime:
        opening = minutes_from_now(100 + number)
        start.wait()
        room_id, command = f"sala{number + 1}", new_command(Actor(f"p{number}@example.com"))
        retry_until_available(
            lambda: schedule.set_schedule(room_id, open_at=opening, zone=BOGOTA, revision=1, command=command)
        )
        return opening

    with ThreadPoolExecutor(PEOPLE) as pool:
        openings = list(pool.map(work, range(PEOPLE)))
    assert [stored_room(f"sala{n + 1}").open_at for n in range(PEOPLE)] == openings
    assert_schedule_matches()


@real_engines
def test_the_first_opening_times_are_set_at_once(table: str) -> None:
    """The schedule does not exist yet, and all of them create it."""
    opening = minutes_from_now(60)
    start = threading.Barrier(8)

    def work(number: int) -> None:
        start.wait()
        command = new_command(Actor(f"p{number}@example.com"))
        services.create(f"sala{number}", name="", open_at=opening, zone=BOGOTA, command=command)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert_schedule_matches()
    assert len(queries.all_rooms()) == 8


@real_engines
def test_a_lost_reply_of_a_shift_reports_the_success(table: str) -> None:
    create_rooms(4, minutes_from_now(60))
    before = [room.open_at for room in queries.all_rooms()]
    with bad_network() as network:
        job = shifts.prepare(build_lines(queries.all_rooms(), 15), 15, command=new_command(Actor("p@example.com")))
        job_services.confirm(job)
        network.next("TransactWriteItems", lose_reply, lose_reply)
        done = finish(job)
    assert (done.done, done.failed) == (4, 0)
    assert [room.open_at for room in queries.all_rooms()] == [each + timedelta(minutes=15) for each in before]
    assert [entry.action for entry in audit_entries("sala1")] == ["room.shift", "room.create"]
    assert to_wire(stored_room("sala1").open_at) == (audit_entries("sala1")[0].after or {})["openAt"]


@real_engines
def test_a_removed_room_is_restored_once(table: str) -> None:
    rooms = create_rooms(3, minutes_from_now(60))
    removal = new_command(Actor("p@example.com"))
    restored_revisions: list[int] = []

    def restore_room(number: int) -> None:
        command = new_command(Actor(f"p{number}@example.com"))
        with suppress(Refused):
            back = retry_until_available(lambda: services.restore("sala1", removal.id, command=command))
            restored_revisions.append(back.revision)

    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply)
        services.remove("sala1", revision=1, command=removal)
        assert [room.id for room in queries.all_rooms()] == ["sala2", "sala3"]
        network.add_random_fault(0.1, lose_reply)
        run_at_once(restore_room, 6)
        network.stop_faults()
    assert restored_revisions == [2], "one restore succeeds, with a new revision"
    assert [entry.action for entry in audit_entries("sala1")] == ["room.restore", "room.remove", "room.create"]
    assert stored_room("sala1").open_at == rooms[0].open_at
    assert_schedule_matches()
