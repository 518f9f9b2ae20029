"""Deleted people are subtracted from the count by domain, each once."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest

from dashboard.core.clock import frozen, now
from dashboard.platform.stream.batches import KeepsChanging
from dashboard.table import keys
from dashboard.table.commands import new_command
from rooms.queries import domains as queries
from rooms.services import domain_counts
from tests import outside_writes
from tests.conftest import ACTOR, every_engine, real_engines
from tests.outside_writes import follow
from tests.rooms.domain_counts import count_all, register_people, stored_count, stored_counts
from tests.rooms.test_repairs import raw_user
from tests.table.test_races import run_at_once


@every_engine
def test_a_deleted_person_is_subtracted_once(table: str) -> None:
    register_people(["a.example", "a.example", "b.example"])
    count_all()
    deleted = outside_writes.delete(keys.PERSON.key(email="p0@a.example"))
    assert follow(deleted)
    assert stored_counts() == {"a.example": 1, "b.example": 1}
    assert not follow(deleted), "the same record again"
    assert stored_counts() == {"a.example": 1, "b.example": 1}
    # The same address registers again, and is deleted again.
    follow(outside_writes.put(raw_user("p0@a.example")))
    assert stored_counts() == {"a.example": 2, "b.example": 1}
    follow(outside_writes.delete(deleted.key))
    assert stored_counts() == {"a.example": 1, "b.example": 1}
    # A person who registers and is deleted before the count comes to them is neither counted nor subtracted.
    new = outside_writes.put(raw_user("new@b.example", now()))
    follow(new)
    gone = outside_writes.delete(new.key)
    follow(gone)
    with frozen(now() + timedelta(minutes=10)):
        register_people(["b.example"], now() - timedelta(minutes=5), "q")
        count_all()
        assert not follow(gone)
    assert stored_counts() == {"a.example": 1, "b.example": 2}


def test_a_recount_does_not_keep_a_deleted_person(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "PAGE", 2)
    monkeypatch.setattr(domain_counts, "MAX_PAGES", 1)
    register_people(["a.example"] * 6)
    count_all()
    domain_counts.recount(command=new_command(ACTOR))
    domain_counts.count_next(stored_count())
    for number in (0, 5):  # The recount has passed only the first one.
        assert follow(outside_writes.delete(keys.PERSON.key(email=f"p{number}@a.example")))
    assert stored_counts() == {"a.example": 4}
    count_all()
    assert stored_counts() == {"a.example": 4}


@real_engines
def test_deletions_and_counting_at_once_subtract_everyone_once(table: str) -> None:
    """Every deletion is processed twice at once, as by two followers."""
    register_people(["a.example"] * 4)
    count_all()
    register_people(["b.example"] * 4, now() - timedelta(minutes=30), "q")
    deletions = [outside_writes.delete(keys.PERSON.key(email=f"p{number}@a.example")) for number in range(3)]

    def act(number: int) -> None:
        if number >= 2 * len(deletions):
            domain_counts.count_next(stored_count())
        for _ in range(20):
            with suppress(KeepsChanging):
                follow(deletions[number % len(deletions)])
                return

    run_at_once(act, 8)
    count_all()
    assert stored_counts() == {"a.example": 1, "b.example": 4}
