"""16 people create and activate versions at once, with lost replies: one is active, and no number is lost."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse

from dashboard.core.errors import Conflict
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.transactions import find_done
from rooms.queries import content as queries
from rooms.services import content as services
from tests.conftest import real_engines
from tests.faults import Fault, Send, act_then_break, bad_network, lose_reply, retry_until_available
from tests.rooms.content import active_index_entries, content_entries, put_seeds, put_version, raw_items
from tests.rooms.rooms import put_room, stored_room

PEOPLE, TRIES = 16, 3


@dataclass(frozen=True)
class Attempt:
    """One press of a button, and its outcome."""

    command: Command
    outcome: str
    # The created or activated version, and the one that was active before.
    number: int
    previous: int | None = None
    title: str = ""


def create(title: str, who: Actor) -> Attempt:
    command = new_command(who)
    fields: dict[str, Any] = {"title": title, "type": "video", "address": "https://vimeo.com/76979871"}
    created = retry_until_available(lambda: services.create("sala1", command=command, **fields))
    return Attempt(command, "created", created.number, title=title)


def activate(number: int, revision: int, command: Command) -> Attempt:
    try:
        room = retry_until_available(lambda: services.activate("sala1", number, revision=revision, command=command))
    except Conflict as refusal:
        assert refusal.item is not None, "the conflict contains the room as the faster person saved it"
        return Attempt(command, "conflict", number)
    outcome = "nothing" if room.outcome.is_no_change else "activated"
    return Attempt(command, outcome, number, room.outcome.result["previous"])


def make_attempts(number: int) -> list[Attempt]:
    rng, who, attempts = random.Random(number), Actor(f"p{number}@example.com", f"Person {number}"), []
    for step in range(TRIES):
        attempts.append(create(f"p{number}-{step}", who))
        chosen = rng.choice([1, 2, attempts[-1].number])
        attempts.append(
            activate(
                chosen,
                retry_until_available(lambda: queries.load_room_content("sala1").room.revision),
                new_command(who),
            )
        )
    return attempts


@real_engines
@pytest.mark.parametrize("lossy", [False, True], ids=["calm", "lost-replies"])
def test_one_version_is_active_and_every_version_has_its_own_number(table: str, lossy: bool) -> None:
    put_seeds()
    with bad_network() as network, ThreadPoolExecutor(PEOPLE) as threads:
        if lossy:
            network.add_random_fault(0.06, lose_reply)
            network.add_random_fault(0.03, act_then_break)
        attempts = [each for created in threads.map(make_attempts, range(PEOPLE)) for each in created]
        network.stop_faults()
        assert not lossy or network.faults > 20, "too few lost replies: the test proves nothing"

    outcomes = Counter(each.outcome for each in attempts)
    assert outcomes["created"] == PEOPLE * TRIES, "every version is saved"
    assert outcomes["activated"] > 1, outcomes
    assert outcomes["conflict"] > 1, f"no conflicts: the test proves nothing: {outcomes}"
    assert set(outcomes) <= {"created", "activated", "conflict", "nothing"}, outcomes

    # The numbers have no gaps or duplicates, and each version has the title of its author.
    created = [each for each in attempts if each.outcome == "created"]
    items, room = raw_items(), stored_room()
    assert sorted(each.number for each in created) == list(range(3, 3 + len(created)))
    assert len(items) == 2 + len(created) == room.content_version
    assert all(items[f"CONTENT#v{each.number}"]["title"]["S"] == each.title for each in created)

    # One version is active: in the index, in the items, and in the room.
    active_key = f"CONTENT#v{room.active_version}"
    assert active_index_entries() == [("sala1", active_key)]
    assert [sk for sk, raw in items.items() if "active" in raw or "GSI1PK" in raw] == [active_key]
    assert room.content_title == items[active_key]["title"]["S"]

    # Each reported success has one DONE record and one audit entry; nothing else has.
    done = [each for each in attempts if each.outcome in {"created", "activated"}]
    recorded = {each.command.id for each in attempts if find_done(each.command) is not None}
    assert recorded == {each.command.id for each in done}
    assert Counter(entry.operation for entry in content_entries()) == Counter(each.command.id for each in done)
    # An unbroken chain: each activation replaced the active version, from the first to the last.
    starts = Counter(each.previous for each in done if each.outcome == "activated")
    ends = Counter[int | None](each.number for each in done if each.outcome == "activated")
    assert (starts - ends, ends - starts) in [(Counter([1]), Counter([room.active_version])), (Counter(), Counter())]


@real_engines
def test_of_many_first_activations_one_succeeds(table: str) -> None:
    put_room()
    for number in range(1, PEOPLE + 1):
        put_version(number, title=str(number))
    start = threading.Barrier(PEOPLE)

    def activate_first(number: int) -> str:
        start.wait()
        return activate(number, 0, new_command(Actor(f"p{number}@example.com"))).outcome

    with ThreadPoolExecutor(PEOPLE) as threads:
        assert Counter(threads.map(activate_first, range(1, PEOPLE + 1))) == {"activated": 1, "conflict": PEOPLE - 1}
    assert len(active_index_entries()) == len(content_entries()) == 1
    assert stored_room().content_version == PEOPLE


@real_engines
def test_versions_of_a_room_without_an_item_are_created_at_once(table: str) -> None:
    put_version(1, title="Somebody else's")
    with ThreadPoolExecutor(8) as threads:
        created = list(threads.map(lambda n: create(f"t{n}", Actor(f"p{n}@example.com")).number, range(8)))
    assert sorted(created) == list(range(2, 10))
    assert stored_room().content_version == 9


def after_someone_else(act: Callable[[], object]) -> Fault:
    """A fault: someone else acts between our read and our write."""

    def fault(send: Send, request: AWSPreparedRequest) -> AWSResponse:
        act()
        return send(request)

    return fault


@real_engines
def test_a_version_created_during_an_activation_is_counted(table: str) -> None:
    """The room of the seed has no counter; the first activation sets it, and must include new versions."""
    put_seeds()
    with bad_network() as network:
        network.next("TransactWriteItems", after_someone_else(lambda: create("Meanwhile", Actor("q@example.com"))))
        assert activate(2, 0, new_command(Actor("p@example.com"))).outcome == "activated", (
            "creating a version does not change the revision of the room"
        )
    assert (stored_room().content_version, stored_room().active_version) == (3, 2)


@real_engines
def test_a_number_used_meanwhile_by_an_outside_writer_is_not_used_again(table: str) -> None:
    put_room(contentVersion=2)
    with bad_network() as network:
        network.next("TransactWriteItems", after_someone_else(lambda: put_room(contentVersion=7)))
        assert create("Ours", Actor("p@example.com")).number == 8
    assert stored_room().content_version == 8


@real_engines
def test_repeated_forms_change_nothing(table: str) -> None:
    put_seeds()
    command = new_command(Actor("p@example.com"))
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply)
        assert activate(2, 0, command).outcome == "activated", "a lost reply is not reported as a failure"
    activate(1, 1, new_command(Actor("q@example.com")))
    before = (raw_items(), active_index_entries(), len(content_entries()))
    again = services.activate("sala1", 2, revision=0, command=command)
    assert again.outcome.has_changed_since
    assert (raw_items(), active_index_entries(), len(content_entries())) == before
