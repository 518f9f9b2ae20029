"""Sixteen people save one config at once, and replies get lost: everything that was saved is there, once."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import pytest

from dashboard.core.errors import Conflict, Unavailable
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.configs import queries
from dashboard.platform.configs.changes import Change, Changes, count_verbs, diff
from dashboard.platform.configs.items import ConfigVersion
from dashboard.platform.configs.kinds import ConfigKind
from dashboard.platform.configs.services import config_writes
from dashboard.platform.configs.services.config_writes import MergeConflict
from dashboard.table import keys, read
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.transactions import find_done
from forum.configs.reasons import REASONS
from tests.configs.texts_config import TEXTS, texts
from tests.conftest import real_engines
from tests.faults import act_then_break, bad_network, lose_reply

PEOPLE, TRIES = 16, 4


@dataclass(frozen=True)
class Attempt:
    """One press of Save, and what the person was told."""

    command: Command
    changes: Changes
    told: str


def actor(number: int) -> Actor:
    return Actor(f"p{number}@example.com", f"Person {number}")


def press(kind: ConfigKind, changes: Changes, revision: int | None, command: Command) -> str:
    """Press until there is an answer: «not now, repeating is safe» is none."""
    while True:
        try:
            config = config_writes.save(kind, changes, revision=revision, command=command)
        except Unavailable:
            continue
        except MergeConflict as met:
            assert met.conflicts, "what is to be decided is said"
            return "asked"
        except Conflict:
            return "too busy"
        return "nothing" if config.outcome.is_no_change else "done"


def seen_now(kind: ConfigKind) -> int:
    while True:
        try:
            config = queries.current(kind)
        except Unavailable:
            continue
        return config.revision if config else 0


def work(number: int) -> list[Attempt]:
    """Each adds a text of their own, twice, and takes the first away again."""
    made = []
    for step in range(TRIES):
        name = f"p{number}-{step}"
        changes = {name: Change(None, True)}
        if step == TRIES - 1:
            changes[f"p{number}-0"] = Change(True, None)
        command = new_command(actor(number))
        made.append(Attempt(command, changes, press(TEXTS, changes, seen_now(TEXTS), command)))
    return made


def everything(kind: ConfigKind) -> list[ConfigVersion]:
    return queries.history(kind, limit=2_000).items[::-1]


def trail(kind: ConfigKind) -> list[AuditEntry]:
    found = read.page(keys.SYSTEM_AUDIT.collection(), AuditEntry, limit=2_000, consistent=True).items
    return [entry for entry in found if (entry.action or "").startswith(f"{kind.name}.")]


@real_engines
@pytest.mark.parametrize("lossy", [False, True], ids=["calm", "lost-replies"])
def test_everything_that_was_saved_is_there_once(table: str, lossy: bool) -> None:
    with bad_network() as network, ThreadPoolExecutor(PEOPLE) as threads:
        if lossy:
            network.add_random_fault(0.08, lose_reply)
            network.add_random_fault(0.04, act_then_break)
        attempts = [each for made in threads.map(work, range(PEOPLE)) for each in made]
        network.stop_faults()
        assert not lossy or network.faults > 20, "replies were lost, or this proves nothing"

    told = Counter(each.told for each in attempts)
    assert set(told) <= {"done", "too busy"}, told
    assert told["done"] > PEOPLE, told
    done = [each for each in attempts if each.told == "done"]
    recorded = {each.command.id for each in attempts if find_done(each.command) is not None}
    assert recorded == {each.command.id for each in done}, "what is told as done was done, and nothing else was"

    # Everyone touches only their own entries, so what stands is what their successes leave.
    wanted: dict[str, bool] = {}
    for each in done:
        wanted |= {name: change.now is not None for name, change in each.changes.items()}
    assert texts() == sorted(name for name, there in wanted.items() if there)

    versions = everything(TEXTS)
    assert [each.number for each in versions] == list(range(1, len(done) + 1)), "one each, without holes"
    by = Counter(each.by for each in versions)
    assert by == Counter(each.command.by.email for each in done)
    assert Counter(entry.operation for entry in trail(TEXTS)) == Counter(each.command.id for each in done)
    bodies = queries.load_versions(TEXTS, *range(len(done) + 1))
    for before, after in pairwise(bodies):
        differs = diff(TEXTS.entries(before.body), TEXTS.entries(after.body))
        assert after.version.counts == count_verbs(differs), after.version.number
        assert set(after.version.sample or []) == set(differs)
    assert sorted(TEXTS.entries(bodies[-1].body)) == texts()

    # Old forms sent again say that it was done, and change nothing.
    before_again = (texts(), len(versions), len(trail(TEXTS)))
    for each in done[:: len(done) // 10]:
        assert press(TEXTS, each.changes, 0, each.command) == "done"
    assert (texts(), len(everything(TEXTS)), len(trail(TEXTS))) == before_again


@real_engines
def test_of_many_who_change_the_same_entry_one_does_and_the_others_are_asked(table: str) -> None:
    start = threading.Barrier(PEOPLE)
    was = REASONS.entries_of(None)["reason:spam"]

    def rename(number: int) -> str:
        start.wait()
        change = Change(was, {"en": f"Spam {number}", "es": f"Spam {number}"})
        return press(REASONS, {"reason:spam": change}, 0, new_command(actor(number)))

    with ThreadPoolExecutor(PEOPLE) as threads:
        told = list(threads.map(rename, range(PEOPLE)))
    assert Counter(told) == {"done": 1, "asked": PEOPLE - 1}
    winner = told.index("done")
    assert REASONS.entries_of(queries.current(REASONS))["reason:spam"]["en"] == f"Spam {winner}"
    as_it_came, changed = everything(REASONS)
    assert (as_it_came.origin, changed.by) == ("initial", f"p{winner}@example.com")
    assert len(trail(REASONS)) == 1


@real_engines
def test_everyone_takes_back_their_own_version_at_once(table: str) -> None:
    for number in range(PEOPLE):
        assert press(TEXTS, {f"p{number}": Change(None, True)}, None, new_command(actor(number))) == "done"

    def take_back(number: int) -> str:
        try:
            config_writes.revert(TEXTS, number + 1, command=new_command(actor(number)))
        except Conflict:
            return "too busy"
        return "done"

    with ThreadPoolExecutor(PEOPLE) as threads:
        told = list(threads.map(take_back, range(PEOPLE)))
    assert told.count("done") > 1
    assert texts() == sorted(f"p{number}" for number, each in enumerate(told) if each != "done")
    assert len(everything(TEXTS)) == PEOPLE + told.count("done")
