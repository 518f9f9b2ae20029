"""Sixteen people make versions and put them on at once, and replies get lost: one plays, and no number is lost."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
from botocore.awsrequest import AWSPreparedRequest, AWSResponse

from dashboard.core.errors import Conflict
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.transactions import find_done
from rooms.queries import content as queries
from rooms.services import content as services
from rooms.services.content import ContentFields
from tests.conftest import real_engines
from tests.faults import Fault, Send, act_then_break, bad_network, lose_reply, retry_until_available
from tests.rooms.content import active_index_entries, content_entries, put_seeds, put_version, raw_items
from tests.rooms.rooms import put_room, stored_room

PEOPLE, TRIES = 16, 3


@dataclass(frozen=True)
class Attempt:
    """One press of a button, and what the person was told."""

    command: Command
    told: str
    # The version that was made, or that was to be put on, and the one that played before.
    number: int
    previous: int | None = None
    title: str = ""


def make(title: str, who: Actor) -> Attempt:
    command, fields = new_command(who), ContentFields(title, "video", "https://vimeo.com/76979871")
    made = retry_until_available(lambda: services.create("sala1", fields, command=command))
    return Attempt(command, "made", made.number, title=title)


def put_on(number: int, revision: int, command: Command) -> Attempt:
    try:
        room = retry_until_available(lambda: services.activate("sala1", number, revision=revision, command=command))
    except Conflict as refusal:
        assert refusal.item is not None, "the one who was slower is told by whom"
        return Attempt(command, "overtaken", number)
    told = "nothing" if room.outcome.is_no_change else "put on"
    return Attempt(command, told, number, room.outcome.result["previous"])


def work(number: int) -> list[Attempt]:
    chance, who, did = random.Random(number), Actor(f"p{number}@example.com", f"Person {number}"), []
    for step in range(TRIES):
        did.append(make(f"p{number}-{step}", who))
        wanted = chance.choice([1, 2, did[-1].number])
        did.append(
            put_on(
                wanted,
                retry_until_available(lambda: queries.load_room_content("sala1").room.revision),
                new_command(who),
            )
        )
    return did


@real_engines
@pytest.mark.parametrize("lossy", [False, True], ids=["calm", "lost-replies"])
def test_one_plays_and_every_version_has_its_own_number(table: str, lossy: bool) -> None:
    put_seeds()
    with bad_network() as network, ThreadPoolExecutor(PEOPLE) as threads:
        if lossy:
            network.add_random_fault(0.06, lose_reply)
            network.add_random_fault(0.03, act_then_break)
        did = [each for made in threads.map(work, range(PEOPLE)) for each in made]
        network.stop_faults()
        assert not lossy or network.faults > 20, "replies were lost, or this proves nothing"

    told = Counter(each.told for each in did)
    assert told["made"] == PEOPLE * TRIES, "nobody's text is lost"
    assert told["put on"] > 1, told
    assert told["overtaken"] > 1, f"nobody was slower, so this proves nothing: {told}"
    assert set(told) <= {"made", "put on", "overtaken", "nothing"}, told

    # Numbers without holes or doubles, each with the text of whoever was told that number.
    made = [each for each in did if each.told == "made"]
    items, room = raw_items(), stored_room()
    assert sorted(each.number for each in made) == list(range(3, 3 + len(made)))
    assert len(items) == 2 + len(made) == room.content_version
    assert all(items[f"CONTENT#v{each.number}"]["title"]["S"] == each.title for each in made)

    # One plays: in the index, in the items, and in the room's own words.
    plays = f"CONTENT#v{room.active_version}"
    assert active_index_entries() == [("sala1", plays)]
    assert [sk for sk, raw in items.items() if "active" in raw or "GSI1PK" in raw] == [plays]
    assert room.content_title == items[plays]["title"]["S"]

    # What is told as done was done, once, and is in the trail, once; nothing else is.
    done = [each for each in did if each.told in {"made", "put on"}]
    recorded = {each.command.id for each in did if find_done(each.command) is not None}
    assert recorded == {each.command.id for each in done}
    assert Counter(entry.operation for entry in content_entries()) == Counter(each.command.id for each in done)
    # Each was put on where another was: one chain from the first to the one that plays.
    began = Counter(each.previous for each in done if each.told == "put on")
    ended = Counter[int | None](each.number for each in done if each.told == "put on")
    assert (began - ended, ended - began) in [(Counter([1]), Counter([room.active_version])), (Counter(), Counter())]


@real_engines
def test_of_many_who_put_the_first_on_one_does(table: str) -> None:
    put_room()
    for number in range(1, PEOPLE + 1):
        put_version(number, title=str(number))
    start = threading.Barrier(PEOPLE)

    def first(number: int) -> str:
        start.wait()
        return put_on(number, 0, new_command(Actor(f"p{number}@example.com"))).told

    with ThreadPoolExecutor(PEOPLE) as threads:
        assert Counter(threads.map(first, range(1, PEOPLE + 1))) == {"put on": 1, "overtaken": PEOPLE - 1}
    assert len(active_index_entries()) == len(content_entries()) == 1
    assert stored_room().content_version == PEOPLE


@real_engines
def test_the_first_versions_of_a_room_without_an_item_are_made_at_once(table: str) -> None:
    put_version(1, title="Somebody else's")
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(lambda n: make(f"t{n}", Actor(f"p{n}@example.com")).number, range(8)))
    assert sorted(made) == list(range(2, 10))
    assert stored_room().content_version == 9


def someone_first(act: Callable[[], object]) -> Fault:
    """Someone else acts between our reading and our writing."""

    def fault(send: Send, request: AWSPreparedRequest) -> AWSResponse:
        act()
        return send(request)

    return fault


@real_engines
def test_a_version_that_is_made_between_reading_and_putting_on_is_counted(table: str) -> None:
    """The seed's room counts nothing: putting on the first one makes it count, and must not count too few."""
    put_seeds()
    with bad_network() as network:
        network.next("TransactWriteItems", someone_first(lambda: make("Meanwhile", Actor("q@example.com"))))
        assert put_on(2, 0, new_command(Actor("p@example.com"))).told == "put on", "nobody has edited the room"
    assert (stored_room().content_version, stored_room().active_version) == (3, 2)


@real_engines
def test_a_number_that_another_service_takes_meanwhile_is_not_taken_again(table: str) -> None:
    put_room(contentVersion=2)
    with bad_network() as network:
        network.next("TransactWriteItems", someone_first(lambda: put_room(contentVersion=7)))
        assert make("Ours", Actor("p@example.com")).number == 8
    assert stored_room().content_version == 8


@real_engines
def test_old_forms_sent_again_change_nothing(table: str) -> None:
    put_seeds()
    command = new_command(Actor("p@example.com"))
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply)
        assert put_on(2, 0, command).told == "put on", "the reply was lost, and it was done"
    put_on(1, 1, new_command(Actor("q@example.com")))
    before = (raw_items(), active_index_entries(), len(content_entries()))
    again = services.activate("sala1", 2, revision=0, command=command)
    assert again.outcome.has_changed_since
    assert (raw_items(), active_index_entries(), len(content_entries())) == before
