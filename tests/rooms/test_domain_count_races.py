"""Two runs at once and replies that get lost: everyone is counted once all the same."""

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
def in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "PAGE", 4)


def press_on(_: int) -> None:
    """As several runs whose lease has lapsed: none of them knows of the others."""
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
def test_runs_at_once_count_everyone_once(table: str, lossy: bool) -> None:
    register_people(DOMAINS)
    domain_counts.start()
    with bad_network() as network:
        if lossy:
            network.add_random_fault(0.1, lose_reply)
            network.add_random_fault(0.05, act_then_break)
        run_at_once(press_on, threads=RUNS)
        network.stop_faults()
        assert not lossy or network.faults > 20, "replies were lost, or this proves nothing"
        assert len(network.calls("UpdateItem")) > len(DOMAINS) / 4, "several were at it"
    assert stored_counts() == Counter(DOMAINS)


@real_engines
def test_counted_again_while_others_count_on(table: str) -> None:
    """Whoever is half-way through a page when someone asks for a fresh count leaves no trace in it."""
    register_people(DOMAINS[:60])
    count_all()
    register_people(DOMAINS[60:], name="later")
    asked = threading.Event()

    def ask(number: int) -> None:
        if number:
            press_on(number)
        else:
            domain_counts.recount(command=new_command(ACTOR))
            asked.set()
            press_on(number)

    run_at_once(ask, threads=RUNS)
    assert asked.is_set()
    press_on(0)
    assert stored_counts() == Counter(DOMAINS)
    assert not stored_count().is_recounting


@real_engines
def test_who_read_before_a_fresh_count_began_cannot_write_into_it(table: str) -> None:
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
def test_of_many_who_ask_to_count_again_one_does_and_the_others_are_told_so(table: str) -> None:
    register_people(["a.example"])
    count_all()
    nothing: list[bool] = []
    run_at_once(
        lambda _: nothing.append(domain_counts.recount(command=new_command(ACTOR)).outcome.is_no_change), threads=RUNS
    )
    assert sorted(nothing) == [False, *[True] * (RUNS - 1)]


@on_dynoxide
def test_a_reply_lost_for_good_leaves_it_to_the_next_run(table: str) -> None:
    register_people(["a.example"] * 10)
    domain_counts.start()
    with bad_network() as network:
        network.next("UpdateItem", *[lose_reply] * 12)
        with pytest.raises(Unavailable):
            domain_counts.count_next(stored_count())
        network.stop_faults()
    assert stored_counts() == {"a.example": 4}, "what was written before the silence counts"
    count_all()
    assert stored_counts() == {"a.example": 10}
