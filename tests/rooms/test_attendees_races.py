"""16 colleagues and an outside writer change one list, with lost replies: nothing is lost or added twice."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from dashboard.core.errors import Conflict, Unavailable
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people
from dashboard.table import connection
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.transactions import find_done
from rooms.progress import completed_names
from rooms.services import attendees as services
from tests.conftest import ACTOR, add_person, real_engines
from tests.faults import act_then_break, bad_network, lose_reply
from tests.rooms.attendees import ANA, create_attendee, progress_entries, stored_attendee, stored_progress
from tests.rooms.rooms import create_room

STAFF_COUNT, OUTSIDE_COUNT = 16, 12
OWN_ROOMS = [f"own{number}" for number in range(STAFF_COUNT)]


@dataclass(frozen=True)
class Attempt:
    """One press of a button, and whether it changed something."""

    command: Command
    room: str
    completed: bool
    changed: bool


def press(room: str, by: Actor, completed: bool = True, email: str = ANA) -> Attempt:
    """Mark a room, repeat while the table is unavailable or in conflict, and return the attempt."""
    command = new_command(by)
    while True:
        try:
            person = services.mark(email, room, completed=completed, command=command)
        except (Unavailable, Conflict):
            continue
        return Attempt(command, room, completed, not person.outcome.is_no_change)


def append(client: Any, name: str) -> None:
    """Append a name as an outside writer does, with its own connection without faults."""
    client.update_item(
        TableName=settings.DYNAMODB_TABLE,
        Key={"PK": {"S": f"USER#{ANA}"}, "SK": {"S": "PROFILE"}},
        UpdateExpression="SET progress = list_append(if_not_exists(progress, :none), :name)",
        ExpressionAttributeValues={":none": {"L": []}, ":name": {"L": [{"S": name}]}},
    )


def append_from_outside() -> None:
    client = connection.SharedConnection().client
    for number in range(OUTSIDE_COUNT):
        while True:
            try:
                append(client, f"elsewhere{number}")
            except client.exceptions.TransactionConflictException:
                continue
            break


@real_engines
def test_sixteen_people_mark_their_own_rooms_and_a_shared_one(table: str) -> None:
    for room in (*OWN_ROOMS, "shared"):
        create_room(room)
    create_attendee()
    start = threading.Barrier(STAFF_COUNT + 1)

    def mark_rooms(number: int) -> list[Attempt]:
        by = Actor(f"s{number}@example.com", f"Staff {number}")
        rooms = random.Random(number).sample([OWN_ROOMS[number], "shared"], 2)
        start.wait()
        return [press(room, by) for room in rooms]

    def append_names(_number: int) -> list[Attempt]:
        start.wait()
        append_from_outside()
        return []

    with bad_network() as network, ThreadPoolExecutor(STAFF_COUNT + 1) as pool:
        network.add_random_fault(0.05, lose_reply)
        network.add_random_fault(0.05, act_then_break)
        others = pool.submit(append_names, 0)
        attempts = [each for results in pool.map(mark_rooms, range(STAFF_COUNT)) for each in results] + others.result()
        network.stop_faults()
    assert network.faults > 5

    stored = stored_progress()
    assert stored.keys() == {"L"} and all(each.keys() == {"S"} for each in stored["L"])
    names = [each["S"] for each in stored["L"]]
    assert sorted(names) == sorted([*OWN_ROOMS, "shared", *(f"elsewhere{n}" for n in range(OUTSIDE_COUNT))]), (
        "every name is in the list exactly once"
    )
    elsewhere = [each for each in names if each.startswith("elsewhere")]
    assert elsewhere == [f"elsewhere{n}" for n in range(OUTSIDE_COUNT)], "in the order of writing"
    # One person completed the shared room; for the others nothing changed.
    assert sum(each.changed for each in attempts if each.room == "shared") == 1
    assert all(each.changed for each in attempts if each.room != "shared")
    assert_entries_match(attempts, names)


def assert_entries_match(attempts: list[Attempt], stored: list[str]) -> None:
    """Each success has one audit entry and one DONE record, and the entries explain the stored list."""
    entries = progress_entries()
    assert len(entries) == sum(each.changed for each in attempts)
    for each in attempts:
        assert (find_done(each.command) is not None) == each.changed
    for _action, room, before, after in entries:
        assert room not in before or room not in after
        assert [name for name in before if name != room] == [name for name in after if name != room]
    assert set(stored) - {name for entry in entries for name in entry[3]} <= {
        f"elsewhere{n}" for n in range(OUTSIDE_COUNT)
    }


@real_engines
def test_some_people_mark_a_room_while_others_unmark_it(table: str) -> None:
    """People mark and unmark one room in turns: the entries and the list agree on the result."""
    create_room("sala1")
    create_attendee(progress=["kept"])
    start = threading.Barrier(STAFF_COUNT)

    def mark_rooms(number: int) -> list[Attempt]:
        by = Actor(f"s{number}@example.com")
        start.wait()
        return [press("sala1", by, completed=(number + turn) % 2 == 0) for turn in range(3)]

    with bad_network() as network, ThreadPoolExecutor(STAFF_COUNT) as pool:
        network.add_random_fault(0.04, lose_reply)
        attempts = [each for results in pool.map(mark_rooms, range(STAFF_COUNT)) for each in results]
        network.stop_faults()
    done = [each for each in attempts if each.changed]
    balance = sum(1 if each.completed else -1 for each in done)
    assert balance in (0, 1), "the room was completed and reopened in turns"
    assert stored_progress() == {"L": [{"S": "kept"}] + [{"S": "sala1"}] * balance}
    assert_entries_match(attempts, completed_names(stored_progress()))


@real_engines
def test_marking_progress_does_not_conflict_with_an_edit_of_the_account(table: str) -> None:
    """Marking does not change the account's revision, so an edit at the same time succeeds."""
    rooms = [create_room(name).id for name in OWN_ROOMS[:8]]
    person = add_person("marco@example.com", Role.MODERATOR, "Marco")
    start = threading.Barrier(len(rooms) + 1)

    def mark(room: str) -> bool:
        start.wait()
        return press(room, ACTOR, email=person.email).changed

    def edit() -> Any:
        start.wait()
        command = new_command(ACTOR)
        return people.edit(person.email, name="Marquitos", role=Role.MODERATOR, revision=1, command=command)

    with ThreadPoolExecutor(len(rooms) + 1) as pool:
        edited = pool.submit(edit)
        assert all(pool.map(mark, rooms))
        assert edited.result().revision == 2
    after = stored_attendee(person.email)
    assert after["name"] == {"S": "Marquitos"} and after["revision"] == {"N": "2"}
    assert sorted(completed_names(after["progress"])) == sorted(rooms)
