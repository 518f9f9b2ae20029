"""Sixteen people save one config at once with lost replies: every saved change is there once."""

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
from dashboard.platform.configs.changes import Changes, EntryChange, count_verbs, diff
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
    """One press of Save, and the reported result."""

    command: Command
    changes: Changes
    result: str


def actor(number: int) -> Actor:
    return Actor(f"p{number}@example.com", f"Person {number}")


def press(kind: ConfigKind, changes: Changes, revision: int | None, command: Command) -> str:
    """Save once; repeat while the table is unavailable."""
    while True:
        try:
            config = config_writes.save(kind, changes, revision=revision, command=command)
        except Unavailable:
            continue
        except MergeConflict as conflict:
            assert conflict.conflicts, "the conflict names the entries"
            return "conflict"
        except Conflict:
            return "too busy"
        return "nothing" if config.outcome.is_no_change else "done"


def current_revision(kind: ConfigKind) -> int:
    while True:
        try:
            config = queries.current(kind)
        except Unavailable:
            continue
        return config.revision if config else 0


def save_several(number: int) -> list[Attempt]:
    """Add texts of this person, and remove the first one at the end."""
    attempts = []
    for step in range(TRIES):
        name = f"p{number}-{step}"
        changes = {name: EntryChange(None, True)}
        if step == TRIES - 1:
            changes[f"p{number}-0"] = EntryChange(True, None)
        command = new_command(actor(number))
        attempts.append(Attempt(command, changes, press(TEXTS, changes, current_revision(TEXTS), command)))
    return attempts


def all_versions(kind: ConfigKind) -> list[ConfigVersion]:
    return queries.history(kind, limit=2_000).items[::-1]


def audit_entries(kind: ConfigKind) -> list[AuditEntry]:
    found = read.page(keys.SYSTEM_AUDIT.collection(), AuditEntry, limit=2_000, consistent=True).items
    return [entry for entry in found if (entry.action or "").startswith(f"{kind.name}.")]


@real_engines
@pytest.mark.parametrize("lossy", [False, True], ids=["calm", "lost-replies"])
def test_every_saved_change_is_there_once(table: str, lossy: bool) -> None:
    with bad_network() as network, ThreadPoolExecutor(PEOPLE) as threads:
        if lossy:
            network.add_random_fault(0.08, lose_reply)
            network.add_random_fault(0.04, act_then_break)
        attempts = [each for one_persons in threads.map(save_several, range(PEOPLE)) for each in one_persons]
        network.stop_faults()
        assert not lossy or network.faults > 20, "no reply was lost, so this proves nothing"

    results = Counter(each.result for each in attempts)
    assert set(results) <= {"done", "too busy"}, results
    assert results["done"] > PEOPLE, results
    done = [each for each in attempts if each.result == "done"]
    recorded = {each.command.id for each in attempts if find_done(each.command) is not None}
    assert recorded == {each.command.id for each in done}, "exactly the saves reported as done were done"

    # Everyone changes only their own entries, so the texts follow from the saves that were done.
    expected: dict[str, bool] = {}
    for each in done:
        expected |= {name: change.now is not None for name, change in each.changes.items()}
    assert texts() == sorted(name for name, there in expected.items() if there)

    versions = all_versions(TEXTS)
    assert [each.number for each in versions] == list(range(1, len(done) + 1)), "one number each, without gaps"
    by = Counter(each.by for each in versions)
    assert by == Counter(each.command.by.email for each in done)
    assert Counter(entry.operation for entry in audit_entries(TEXTS)) == Counter(each.command.id for each in done)
    bodies = queries.load_versions(TEXTS, *range(len(done) + 1))
    for before, after in pairwise(bodies):
        differs = diff(TEXTS.entries(before.body), TEXTS.entries(after.body))
        assert after.version.counts == count_verbs(differs), after.version.number
        assert set(after.version.sample or []) == set(differs)
    assert sorted(TEXTS.entries(bodies[-1].body)) == texts()

    # A form sent again reports the same result and changes nothing.
    before_again = (texts(), len(versions), len(audit_entries(TEXTS)))
    for each in done[:: len(done) // 10]:
        assert press(TEXTS, each.changes, 0, each.command) == "done"
    assert (texts(), len(all_versions(TEXTS)), len(audit_entries(TEXTS))) == before_again


@real_engines
def test_of_many_changes_of_one_entry_one_is_saved_and_the_others_conflict(table: str) -> None:
    start = threading.Barrier(PEOPLE)
    was = REASONS.entries_of(None)["reason:spam"]

    def rename(number: int) -> str:
        start.wait()
        change = EntryChange(was, {"en": f"Spam {number}", "es": f"Spam {number}"})
        return press(REASONS, {"reason:spam": change}, 0, new_command(actor(number)))

    with ThreadPoolExecutor(PEOPLE) as threads:
        results = list(threads.map(rename, range(PEOPLE)))
    assert Counter(results) == {"done": 1, "conflict": PEOPLE - 1}
    winner = results.index("done")
    assert REASONS.entries_of(queries.current(REASONS))["reason:spam"]["en"] == f"Spam {winner}"
    initial, changed = all_versions(REASONS)
    assert (initial.origin, changed.by) == ("initial", f"p{winner}@example.com")
    assert len(audit_entries(REASONS)) == 1


@real_engines
def test_everyone_reverts_their_own_version_at_once(table: str) -> None:
    for number in range(PEOPLE):
        assert press(TEXTS, {f"p{number}": EntryChange(None, True)}, None, new_command(actor(number))) == "done"

    def revert(number: int) -> str:
        try:
            config_writes.revert(TEXTS, number + 1, command=new_command(actor(number)))
        except Conflict:
            return "too busy"
        return "done"

    with ThreadPoolExecutor(PEOPLE) as threads:
        results = list(threads.map(revert, range(PEOPLE)))
    assert results.count("done") > 1
    assert texts() == sorted(f"p{number}" for number, each in enumerate(results) if each != "done")
    assert len(all_versions(TEXTS)) == PEOPLE + results.count("done")
