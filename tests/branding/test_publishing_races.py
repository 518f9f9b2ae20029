"""Thirty-two people publish and roll back at once, and replies get lost: one version is live at every moment."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings

from branding import queries
from branding.items import Publication, Status
from branding.services import drafts, publishing
from dashboard.core.errors import Conflict, Unavailable
from dashboard.platform.audit.items import AuditEntry
from dashboard.table import connection, keys, read
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.transactions import find_done
from tests.conftest import ACTOR, add_business, real_engines
from tests.faults import act_then_break, bad_network, lose_reply

PEOPLE, VERSION_LIMIT, TRIES = 32, 6, 4


@dataclass(frozen=True)
class Attempt:
    """One press of the button, and what the person was told."""

    command: Command
    version: int
    expected: int | None
    told: str


@pytest.fixture
def andina(table: str) -> Iterator[str]:
    add_business("andina", "Coca-Cola Andina")
    for number in range(VERSION_LIMIT):
        drafts.create("andina", values={"primaryColor": f"#00{number}06b"}, command=new_command(ACTOR))
    yield "andina"


def press(business: str, version: int, expected: int | None, command: Command) -> str:
    """Press until there is an answer: «not now, repeating is safe» is none."""
    while True:
        try:
            marker = publishing.publish(business, version, expected_live_version=expected, command=command)
        except Unavailable:
            continue
        except publishing.LiveVersionChanged as refusal:
            assert refusal.item is not None, "the one who was slower is told by whom"
            return "overtaken"
        except Conflict:
            return "conflict"
        return "nothing" if marker.outcome.is_no_change else "done"


def live_version(business: str) -> int | None:
    """What the page shows that is loaded until it comes."""
    while True:
        try:
            marker = queries.find_marker(business)
        except Unavailable:
            continue
        return marker.number if marker else None


def work(business: str, number: int) -> list[Attempt]:
    chance, who, made = random.Random(number), Actor(f"p{number}@example.com", f"Person {number}"), []
    for _ in range(TRIES):
        expected, version = live_version(business), chance.randint(1, VERSION_LIMIT)
        command = new_command(who)
        made.append(Attempt(command, version, expected, press(business, version, expected, command)))
    return made


def snapshot(business: str) -> tuple[int | None, list[int]]:
    """Marker and statuses at one moment."""
    wanted = [keys.PUBLISHED.key(tenant=business)]
    wanted += [keys.THEME.key(tenant=business, version=number) for number in range(1, VERSION_LIMIT + 1)]
    gets: list[Any] = [
        {"Get": {"TableName": settings.DYNAMODB_TABLE, "Key": {"PK": {"S": key.pk}, "SK": {"S": key.sk}}}}
        for key in wanted
    ]
    found = connection.client().transact_get_items(TransactItems=gets)["Responses"]
    marker = found[0].get("Item")
    live = [int(each["Item"]["version"]["N"]) for each in found[1:] if each["Item"]["status"]["S"] == Status.PUBLISHED]
    return int(marker["version"]["N"]) if marker else None, live


def watch(business: str, over: threading.Event) -> tuple[int, list[tuple[int | None, list[int]]]]:
    """Look as often as possible; how often, and what was seen that may not be."""
    looks, wrong = 0, []
    while not over.is_set():
        try:
            marker, live = snapshot(business)
        except (ClientError, BotoCoreError):
            continue  # Someone is writing at this moment, or the watcher's own reply was lost.
        looks += 1
        if live != ([] if marker is None else [marker]):
            wrong.append((marker, live))
    return looks, wrong


def trail(business: str) -> list[AuditEntry]:
    found = read.page(keys.AUDIT.collection(tenant=business), AuditEntry, limit=2000, consistent=True).items
    return [entry for entry in found if entry.action in {"theme.publish", "theme.rollback"}]


def timeline(business: str) -> list[Publication]:
    return queries.publications(business, limit=2000).items


@real_engines
@pytest.mark.parametrize("lossy", [False, True], ids=["calm", "lost-replies"])
def test_one_version_is_in_force_at_every_moment(andina: str, lossy: bool) -> None:
    over = threading.Event()
    with bad_network() as network, ThreadPoolExecutor(PEOPLE + 1) as threads:
        watching = threads.submit(watch, andina, over)
        if lossy:
            network.add_random_fault(0.08, lose_reply)
            network.add_random_fault(0.04, act_then_break)
        attempts = [each for made in threads.map(lambda n: work(andina, n), range(PEOPLE)) for each in made]
        network.stop_faults()
        over.set()
        looks, wrong = watching.result()
        assert not lossy or network.faults > 20, "replies were lost, or this proves nothing"

    assert looks > 5
    assert wrong == [], "marker and statuses agree at every moment"
    told = Counter(each.told for each in attempts)
    assert told["done"] > 1, told
    assert told["overtaken"] > 1, f"nobody was slower, so this proves nothing: {told}"
    assert set(told) <= {"done", "overtaken", "nothing"}, told

    done = [each for each in attempts if each.told == "done"]
    recorded = {each.command.id for each in attempts if find_done(each.command) is not None}
    assert recorded == {each.command.id for each in done}, "what is told as done was done, and nothing else was"
    published = Counter(str(each.key_parts["operation"]) for each in timeline(andina))
    assert published == Counter(each.command.id for each in done), "one publication each"
    assert Counter(entry.operation for entry in trail(andina)) == published, "and one entry in the trail"

    # Each began where another ended: nothing was published over something else than was seen.
    began, ended = Counter(each.expected for each in done), Counter[int | None](each.version for each in done)
    marker = queries.find_marker(andina)
    assert marker is not None
    assert began - ended == Counter([None])
    assert ended - began == Counter([marker.number])
    assert snapshot(andina) == (marker.number, [marker.number])


@real_engines
def test_old_forms_sent_again_change_nothing(andina: str) -> None:
    attempts = [each for number in range(4) for each in work(andina, number)]
    before = (snapshot(andina), len(timeline(andina)), len(trail(andina)))
    done = [each for each in attempts if each.told == "done"]
    assert len(done) > 3
    for each in done:
        assert press(andina, each.version, each.expected, each.command) == "done", "it was done: it is told so"
    assert (snapshot(andina), len(timeline(andina)), len(trail(andina))) == before


@real_engines
def test_thirty_two_first_publications_and_one_is_first(andina: str) -> None:
    start = threading.Barrier(PEOPLE)

    def first(number: int) -> str:
        start.wait()
        return press(andina, number % VERSION_LIMIT + 1, None, new_command(Actor(f"p{number}@example.com")))

    with ThreadPoolExecutor(PEOPLE) as threads:
        assert Counter(threads.map(first, range(PEOPLE))) == {"done": 1, "overtaken": PEOPLE - 1}
    assert len(timeline(andina)) == len(trail(andina)) == 1


@real_engines
def test_drafts_made_at_once_have_numbers_of_their_own(andina: str) -> None:
    with ThreadPoolExecutor(16) as threads:
        made = list(threads.map(lambda _: drafts.create(andina, command=new_command(ACTOR)).number, range(16)))
    assert sorted(made) == list(range(VERSION_LIMIT + 1, VERSION_LIMIT + 17))


@real_engines
def test_a_draft_that_changed_is_not_published_unseen(andina: str) -> None:
    """One saves, one publishes what they saw before: either the old look is live, or the publisher is told."""
    revision = queries.load_theme(andina, 1).revision
    drafts.save(
        andina, 1, values={"primaryColor": "#123456"}, files={}, name="", revision=revision, command=new_command(ACTOR)
    )
    with pytest.raises(Conflict) as told:
        publishing.publish(andina, 1, expected_live_version=None, revision=revision, command=new_command(ACTOR))
    assert told.value.item is not None
    assert queries.find_marker(andina) is None
