"""32 people publish and roll back at once, with lost replies: marker and statuses agree at every moment."""

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
from branding.items import Publication, ThemeStatus
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
    """One press of the Publish button, and its outcome."""

    command: Command
    version: int
    expected: int | None
    outcome: str


@pytest.fixture
def andina(table: str) -> Iterator[str]:
    add_business("andina", "Coca-Cola Andina")
    for number in range(VERSION_LIMIT):
        drafts.create("andina", values={"primaryColor": f"#00{number}06b"}, command=new_command(ACTOR))
    yield "andina"


def press(business: str, version: int, expected: int | None, command: Command) -> str:
    """Publish, repeat while the table is unavailable, and return the outcome."""
    while True:
        try:
            marker = publishing.publish(business, version, expected_live_version=expected, command=command)
        except Unavailable:
            continue
        except publishing.LiveVersionChanged as refusal:
            assert refusal.item is not None, "the conflict contains the marker of the faster person"
            return "live version changed"
        except Conflict:
            return "conflict"
        return "nothing" if marker.outcome.is_no_change else "done"


def live_version(business: str) -> int | None:
    """The live version, read again until the table answers."""
    while True:
        try:
            marker = queries.find_marker(business)
        except Unavailable:
            continue
        return marker.number if marker else None


def make_attempts(business: str, number: int) -> list[Attempt]:
    rng, actor, attempts = random.Random(number), Actor(f"p{number}@example.com", f"Person {number}"), []
    for _ in range(TRIES):
        expected, version = live_version(business), rng.randint(1, VERSION_LIMIT)
        command = new_command(actor)
        attempts.append(Attempt(command, version, expected, press(business, version, expected, command)))
    return attempts


def snapshot(business: str) -> tuple[int | None, list[int]]:
    """The marker and the published versions, in one consistent read."""
    wanted_keys = [keys.PUBLISHED.key(tenant=business)]
    wanted_keys += [keys.THEME.key(tenant=business, version=number) for number in range(1, VERSION_LIMIT + 1)]
    gets: list[Any] = [
        {"Get": {"TableName": settings.DYNAMODB_TABLE, "Key": {"PK": {"S": key.pk}, "SK": {"S": key.sk}}}}
        for key in wanted_keys
    ]
    responses = connection.client().transact_get_items(TransactItems=gets)["Responses"]
    marker = responses[0].get("Item")
    live = [
        int(each["Item"]["version"]["N"])
        for each in responses[1:]
        if each["Item"]["status"]["S"] == ThemeStatus.PUBLISHED
    ]
    return int(marker["version"]["N"]) if marker else None, live


def watch_for_mismatches(business: str, over: threading.Event) -> tuple[int, list[tuple[int | None, list[int]]]]:
    """Take snapshots until the event is set; return their number and the inconsistent ones."""
    count, mismatches = 0, []
    while not over.is_set():
        try:
            marker, live = snapshot(business)
        except (ClientError, BotoCoreError):
            continue  # A write was in progress, or the reply to this read was lost.
        count += 1
        if live != ([] if marker is None else [marker]):
            mismatches.append((marker, live))
    return count, mismatches


def audit_entries(business: str) -> list[AuditEntry]:
    entries = read.page(keys.AUDIT.collection(tenant=business), AuditEntry, limit=2000, consistent=True).items
    return [entry for entry in entries if entry.action in {"theme.publish", "theme.rollback"}]


def timeline(business: str) -> list[Publication]:
    return queries.publications(business, limit=2000).items


@real_engines
@pytest.mark.parametrize("lossy", [False, True], ids=["calm", "lost-replies"])
def test_exactly_one_version_is_live_at_every_moment(andina: str, lossy: bool) -> None:
    over = threading.Event()
    with bad_network() as network, ThreadPoolExecutor(PEOPLE + 1) as threads:
        watching = threads.submit(watch_for_mismatches, andina, over)
        if lossy:
            network.add_random_fault(0.08, lose_reply)
            network.add_random_fault(0.04, act_then_break)
        attempts = [
            each for results in threads.map(lambda n: make_attempts(andina, n), range(PEOPLE)) for each in results
        ]
        network.stop_faults()
        over.set()
        snapshots, mismatches = watching.result()
        assert not lossy or network.faults > 20, "too few lost replies: the test proves nothing"

    assert snapshots > 5
    assert mismatches == [], "marker and statuses agree at every moment"
    outcomes = Counter(each.outcome for each in attempts)
    assert outcomes["done"] > 1, outcomes
    assert outcomes["live version changed"] > 1, f"no conflicts: the test proves nothing: {outcomes}"
    assert set(outcomes) <= {"done", "live version changed", "nothing"}, outcomes

    done = [each for each in attempts if each.outcome == "done"]
    recorded = {each.command.id for each in attempts if find_done(each.command) is not None}
    assert recorded == {each.command.id for each in done}, "an attempt reports success if and only if it was recorded"
    published = Counter(str(each.key_parts["operation"]) for each in timeline(andina))
    assert published == Counter(each.command.id for each in done), "one publication for each success"
    assert Counter(entry.operation for entry in audit_entries(andina)) == published, "one audit entry for each success"

    # An unbroken chain: each publication replaced exactly the version that its author saw.
    starts, ends = Counter(each.expected for each in done), Counter[int | None](each.version for each in done)
    marker = queries.find_marker(andina)
    assert marker is not None
    assert starts - ends == Counter([None])
    assert ends - starts == Counter([marker.number])
    assert snapshot(andina) == (marker.number, [marker.number])


@real_engines
def test_repeated_forms_change_nothing(andina: str) -> None:
    attempts = [each for number in range(4) for each in make_attempts(andina, number)]
    before = (snapshot(andina), len(timeline(andina)), len(audit_entries(andina)))
    done = [each for each in attempts if each.outcome == "done"]
    assert len(done) > 3
    for each in done:
        assert press(andina, each.version, each.expected, each.command) == "done", "the repeated form reports success"
    assert (snapshot(andina), len(timeline(andina)), len(audit_entries(andina))) == before


@real_engines
def test_only_one_of_32_first_publications_succeeds(andina: str) -> None:
    start = threading.Barrier(PEOPLE)

    def publish_first(number: int) -> str:
        start.wait()
        return press(andina, number % VERSION_LIMIT + 1, None, new_command(Actor(f"p{number}@example.com")))

    with ThreadPoolExecutor(PEOPLE) as threads:
        assert Counter(threads.map(publish_first, range(PEOPLE))) == {"done": 1, "live version changed": PEOPLE - 1}
    assert len(timeline(andina)) == len(audit_entries(andina)) == 1


@real_engines
def test_drafts_created_at_once_have_different_numbers(andina: str) -> None:
    with ThreadPoolExecutor(16) as threads:
        created_numbers = list(
            threads.map(lambda _: drafts.create(andina, command=new_command(ACTOR)).number, range(16))
        )
    assert sorted(created_numbers) == list(range(VERSION_LIMIT + 1, VERSION_LIMIT + 17))


@real_engines
def test_a_draft_changed_meanwhile_is_not_published(andina: str) -> None:
    """A colleague saves the draft; publishing the earlier revision raises a conflict."""
    revision = queries.load_theme(andina, 1).revision
    drafts.save(
        andina, 1, values={"primaryColor": "#123456"}, files={}, name="", revision=revision, command=new_command(ACTOR)
    )
    with pytest.raises(Conflict) as conflict:
        publishing.publish(andina, 1, expected_live_version=None, revision=revision, command=new_command(ACTOR))
    assert conflict.value.item is not None
    assert queries.find_marker(andina) is None
