"""Several runs at once and lost replies: everyone is counted exactly once."""

from __future__ import annotations

import random
import threading
from collections import Counter

import pytest

from dashboard.core.clock import now
from dashboard.core.errors import Unavailable
from dashboard.table.commands import new_command
from rooms.queries import domains as queries
from rooms.services import domain_counts
from tests.conftest import ACTOR, real_engines
from tests.faults import act_then_break, bad_network, lose_reply
from tests.rooms.domain_counts import count_all, register_people, stored_count, stored_counts
from tests.table.notes import on_dynoxide
from tests.table.test_races import run_at_once

RUNS = 6
DOMAINS = random.Random(7).choices([f"d{number}.example" for number in range(12)], k=120)


@pytest.fixture(autouse=True)
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "PAGE", 4)


def count_until_done(_: int) -> None:
    """Count like a run whose lease has expired, without knowledge of the other runs."""
    while True:
        try:
            before = stored_count()
            domain_counts.count_next(before)
            after = stored_count()
        except Unavailable:
            continue
        if after.up_to == before.up_to and not after.is_recounting:
            return


@real_engines
@pytest.mark.parametrize("lossy", [False, True], ids=["calm", "lost-replies"])
def test_concurrent_runs_count_everyone_once(table: str, lossy: bool) -> None:
    register_people(DOMAINS)
    domain_counts.start()
    with bad_network() as network:
        if lossy:
            network.add_random_fault(0.1, lose_reply)
            network.add_random_fault(0.05, act_then_break)
        run_at_once(count_until_done, threads=RUNS)
        network.stop_faults()
        assert not lossy or network.faults > 20, "too few lost replies: the test proves nothing"
        assert len(network.calls("UpdateItem")) > len(DOMAINS) / 4, "several runs wrote at the same time"
    assert stored_counts() == Counter(DOMAINS)


@real_engines
def test_a_recount_starts_while_other_runs_count(table: str) -> None:
    """A run that has read a page before the recount starts writes nothing into the recount."""
    register_people(DOMAINS[:60])
    count_all()
    register_people(DOMAINS[60:], name="later")
    recount_started = threading.Event()

    def work(number: int) -> None:
        if number:
            count_until_done(number)
        else:
            domain_counts.recount(command=new_command(ACTOR))
            recount_started.set()
            count_until_done(number)

    run_at_once(work, threads=RUNS)
    assert recount_started.is_set()
    count_until_done(0)
    assert stored_counts() == Counter(DOMAINS)
    assert not stored_count().is_recounting


@real_engines
def test_a_run_that_read_before_a_recount_cannot_write_into_it(table: str) -> None:
    register_people(["a.example"] * 3)
    domain_counts.start()
    stale, until = stored_count(), now()
    domain_counts.recount(command=new_command(ACTOR))
    assert domain_counts._save_step(stale, queries.people_after(None, until), until, last=True) is None
    assert {"counts", "fresh"} & stored_count().raw.keys() == {"fresh"}
    assert stored_count().recount_counts == {}
    count_all()
    assert stored_counts() == {"a.example": 3}


@real_engines
def test_of_many_recounts_at_once_only_one_starts(table: str) -> None:
    register_people(["a.example"])
    count_all()
    unchanged: list[bool] = []
    run_at_once(
        lambda _: unchanged.append(domain_counts.recount(command=new_command(ACTOR)).outcome.is_no_change), threads=RUNS
    )
    assert sorted(unchanged) == [False, *[True] * (RUNS - 1)]


@on_dynoxide
def test_the_next_run_continues_after_a_lost_reply(table: str) -> None:
    register_people(["a.example"] * 10)
    domain_counts.start()
    with bad_network() as network:
        network.next("UpdateItem", *[lose_reply] * 12)
        with pytest.raises(Unavailable):
            domain_counts.count_next(stored_count())
        network.stop_faults()
    assert stored_counts() == {"a.example": 4}, "the first page was written, only its reply was lost"
    count_all()
    assert stored_counts() == {"a.example": 10}
