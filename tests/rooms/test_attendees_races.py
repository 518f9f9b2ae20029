"""Sixteen colleagues and another service at one list, and replies get lost: nothing is, and nothing comes twice."""

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

STAFF, ELSEWHERE = 16, 12
OWN = [f"own{number}" for number in range(STAFF)]


@dataclass(frozen=True)
class Told:
    """One press of a button, and what the person was told."""

    command: Command
    room: str
    completed: bool
    changed: bool


def press(room: str, by: Actor, completed: bool = True, email: str = ANA) -> Told:
    """Press until there is an answer: «not now, repeating is safe» is none."""
    command = new_command(by)
    while True:
        try:
            person = services.mark(email, room, completed=completed, command=command)
        except (Unavailable, Conflict):
            continue
        return Told(command, room, completed, not person.outcome.is_no_change)


def append(client: Any, name: str) -> None:
    """As another service does it, by a connection of its own that loses nothing."""
    client.update_item(
        TableName=settings.DYNAMODB_TABLE,
        Key={"PK": {"S": f"USER#{ANA}"}, "SK": {"S": "PROFILE"}},
        UpdateExpression="SET progress = list_append(if_not_exists(progress, :none), :name)",
        ExpressionAttributeValues={":none": {"L": []}, ":name": {"L": [{"S": name}]}},
    )


def other_service() -> None:
    client = connection.Connection().client
    for number in range(ELSEWHERE):
        while True:
            try:
                append(client, f"elsewhere{number}")
            except client.exceptions.TransactionConflictException:
                continue
            break


@real_engines
def test_sixteen_mark_different_rooms_and_the_same_one(table: str) -> None:
    for room in (*OWN, "shared"):
        create_room(room)
    create_attendee()
    start = threading.Barrier(STAFF + 1)

    def one(number: int) -> list[Told]:
        by = Actor(f"s{number}@example.com", f"Staff {number}")
        rooms = random.Random(number).sample([OWN[number], "shared"], 2)
        start.wait()
        return [press(room, by) for room in rooms]

    def beside(_number: int) -> list[Told]:
        start.wait()
        other_service()
        return []

    with bad_network() as network, ThreadPoolExecutor(STAFF + 1) as pool:
        network.add_random_fault(0.05, lose_reply)
        network.add_random_fault(0.05, act_then_break)
        others = pool.submit(beside, 0)
        told = [each for found in pool.map(one, range(STAFF)) for each in found] + others.result()
        network.stop_faults()
    assert network.faults > 5

    stands = stored_progress()
    assert stands.keys() == {"L"} and all(each.keys() == {"S"} for each in stands["L"])
    found = [each["S"] for each in stands["L"]]
    assert sorted(found) == sorted([*OWN, "shared", *(f"elsewhere{n}" for n in range(ELSEWHERE))]), "all, each once"
    elsewhere = [each for each in found if each.startswith("elsewhere")]
    assert elsewhere == [f"elsewhere{n}" for n in range(ELSEWHERE)], "in the order they came"
    # Of those who wanted the same one has done it, and the others were told that nothing was to do.
    assert sum(each.changed for each in told if each.room == "shared") == 1
    assert all(each.changed for each in told if each.room != "shared")
    agrees(told, found)


def agrees(told: list[Told], stands: list[str]) -> None:
    """Each success has left one entry and a record, and the entries lead from nothing to what stands."""
    entries = progress_entries()
    assert len(entries) == sum(each.changed for each in told)
    for each in told:
        assert (find_done(each.command) is not None) == each.changed
    for _action, room, before, after in entries:
        assert room not in before or room not in after
        assert [name for name in before if name != room] == [name for name in after if name != room]
    assert set(stands) - {name for entry in entries for name in entry[3]} <= {f"elsewhere{n}" for n in range(ELSEWHERE)}


@real_engines
def test_some_mark_while_others_take_back(table: str) -> None:
    """One room, to and fro: however often, entries and list agree on how it ended."""
    create_room("sala1")
    create_attendee(progress=["kept"])
    start = threading.Barrier(STAFF)

    def one(number: int) -> list[Told]:
        by = Actor(f"s{number}@example.com")
        start.wait()
        return [press("sala1", by, completed=(number + turn) % 2 == 0) for turn in range(3)]

    with bad_network() as network, ThreadPoolExecutor(STAFF) as pool:
        network.add_random_fault(0.04, lose_reply)
        told = [each for found in pool.map(one, range(STAFF)) for each in found]
        network.stop_faults()
    done = [each for each in told if each.changed]
    balance = sum(1 if each.completed else -1 for each in done)
    assert balance in (0, 1), "completed and taken back in turns"
    assert stored_progress() == {"L": [{"S": "kept"}] + [{"S": "sala1"}] * balance}
    agrees(told, completed_names(stored_progress()))


@real_engines
def test_marking_and_an_admins_edit_do_not_meet(table: str) -> None:
    """The account's revision is its own: eight marks beside an edit, and the edit finds what it saw."""
    rooms = [create_room(name).id for name in OWN[:8]]
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
    now = stored_attendee(person.email)
    assert now["name"] == {"S": "Marquitos"} and now["revision"] == {"N": "2"}
    assert sorted(completed_names(now["progress"])) == sorted(rooms)
