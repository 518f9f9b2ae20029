"""Many at once on one item, over a network that loses replies: nothing lost, nothing doubled, nothing misreported."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from dashboard.core.errors import Conflict, DomainError, Refused, Unavailable
from dashboard.platform.accounts.items import Admins
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.queries import load_person
from dashboard.platform.accounts.services import people
from dashboard.platform.audit.queries import history
from dashboard.table import keys, read
from dashboard.table.commands import Actor, Command, new_command
from dashboard.table.transactions import Transaction, find_done
from tests.conftest import HASHED, real_engines
from tests.faults import bad_network, lose_reply, lose_request
from tests.table.notes import ACTOR, Note, add, note, note_at

T = TypeVar("T")
THREADS = 16
LOST = 0.15


def add_one(intention: Command) -> Note:
    """Read, add one, write if nobody was faster; leave a trace that only this intention can leave, once."""
    counter = note_at("counter")
    assert counter is not None
    counter.total += 1
    transaction = Transaction(intention)
    transaction.save(counter, revision=counter.revision)
    transaction.create(note(f"trace-{intention.id}"))
    return transaction.commit(counter, {"intention": intention.id})


def insist(act: Callable[[Command], T], intention: Command, on: tuple[type[DomainError], ...]) -> T:
    """As a person does who sends the same form again."""
    for _ in range(300):
        try:
            return act(intention)
        except on:
            time.sleep(random.uniform(0, 0.02))
    raise AssertionError("three hundred tries were not enough")


def at_once(work: Callable[[int], None], threads: int = THREADS) -> None:
    """All start together, and all must end well."""
    start = threading.Barrier(threads)

    def run(number: int) -> None:
        start.wait(timeout=20)
        work(number)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, range(threads)))


def left_a_trace(intention: Command) -> bool:
    done, trace = find_done(intention), note_at(f"trace-{intention.id}")
    assert (done is None) == (trace is None), "the record and what it records stand or fall together"
    return done is not None


@real_engines
def test_sixteen_add_one_until_it_is_done(table: str) -> None:
    """Whoever loses the race reads again and repeats the same command."""
    add("counter", total=0)
    # Java is slow at this, and two cores are few.
    each = 6 if table == "dynoxide" else 2
    intentions = [[new_command(ACTOR) for _ in range(each)] for _ in range(THREADS)]
    with bad_network() as network:
        network.add_random_fault(LOST, lose_reply)

        def work(number: int) -> None:
            for intention in intentions[number]:
                insist(add_one, intention, (Conflict, Unavailable))

        at_once(work)
        network.stop_faults()
        assert network.faults > each, "replies were lost, or this proves nothing"
        counter = note_at("counter")
        assert counter is not None
        assert counter.total == each * THREADS, "0 lost, 0 doubled"
        assert counter.revision == each * THREADS + 1
        assert all(left_a_trace(intention) for mine in intentions for intention in mine)


@real_engines
def test_sixteen_try_once_and_are_told_the_truth(table: str) -> None:
    """A conflict is an answer here: who is told «done» has done it, who is told «conflict» has not."""
    add("counter", total=0)
    told: dict[Command, bool] = {}
    each = 4 if table == "dynoxide" else 2
    with bad_network(seed=11) as network:
        # So often that botocore's three tries are all lost now and then, and only the record tells.
        network.add_random_fault(0.4, lose_reply)
        network.add_random_fault(0.05, lose_request)

        def work(_: int) -> None:
            for _ in range(each):
                intention = new_command(ACTOR)
                try:
                    # «The database is not answering» is no answer: the same form is sent again.
                    insist(add_one, intention, (Unavailable,))
                    told[intention] = True
                except Conflict:
                    told[intention] = False

        at_once(work)
        network.stop_faults()
        assert network.faults > THREADS
        counter = note_at("counter")
        assert counter is not None
        successes = sum(told.values())
        assert len(told) == each * THREADS
        assert 0 < successes < len(told), "there were both, or this proves nothing"
        assert counter.total == successes
        assert counter.revision == successes + 1
        for intention, success in told.items():
            assert left_a_trace(intention) is success


@real_engines
def test_a_form_sent_by_sixteen_clicks_at_once_acts_once(table: str) -> None:
    add("counter", total=0)
    click = new_command(ACTOR)
    seen: list[float] = []
    with bad_network(seed=3) as network:
        network.add_random_fault(LOST, lose_reply)
        # A conflict would be a lie: it was done, by the click beside this one.
        at_once(lambda _: seen.append(insist(add_one, click, (Unavailable,)).total))
        network.stop_faults()
    counter = note_at("counter")
    assert counter is not None
    assert counter.total == 1
    assert seen == [1] * THREADS, "and every click is answered with what was done"


def admins_now(*emails: str) -> set[str]:
    return {
        email for email in emails if load_person(email).may_sign_in and load_person(email).office_role == Role.ADMIN
    }


@real_engines
def test_two_admins_who_demote_each_other_leave_one(table: str) -> None:
    """Round after round, in every combination of demoting and disabling, over the same bad network."""
    alma, aldo = Actor("alma@example.com", "Alma Ríos"), Actor("aldo@example.com", "Aldo Paz")

    def demote(email: str, revision: int, command: Command) -> None:
        people.edit(email, name="", role=Role.MODERATOR, revision=revision, command=command)

    def disable(email: str, revision: int, command: Command) -> None:
        people.disable(email, revision=revision, command=command)

    ways = [(demote, demote), (disable, disable), (demote, disable), (disable, demote)]
    with bad_network(seed=5) as network:
        for first, second in ways * 2:
            network.stop_faults()
            for who in (alma, aldo):
                people.create(who.email, name=who.name, role=Role.ADMIN, password_hash=HASHED, command=new_command(who))
            revisions = {who: load_person(who.email).revision for who in (alma, aldo)}
            network.add_random_fault(LOST, lose_reply)
            refused: list[Actor] = []

            def work(
                number: int,
                acts: tuple[Callable[[str, int, Command], None], ...] = (first, second),
                revisions: dict[Actor, int] = revisions,
                refused: list[Actor] = refused,
            ) -> None:
                by, whom = ((alma, aldo), (aldo, alma))[number]
                try:
                    insist(partial(acts[number], whom.email, revisions[whom]), new_command(by), (Unavailable,))
                except Refused:
                    refused.append(by)

            at_once(work, threads=2)
            network.stop_faults()
            left = admins_now(alma.email, aldo.email)
            roster = read.get(Admins, keys.ADMINS.key())
            assert roster is not None
            assert left == roster.emails, "the roster is what it says"
            assert len(left) == 1, "one of them went, and never both"
            assert [by.email for by in refused] == [next(who.email for who in (alma, aldo) if who.email not in left)]
        # Each change and nothing else stands in the trail: per round two made admins, one struck.
        entries = [*history(alma.email, limit=99), *history(aldo.email, limit=99)]
        struck = [each for each in entries if each.action in {"person.edit", "person.disable"}]
        assert len(struck) == len(ways) * 2
        assert len(entries) == len(struck) + len(ways) * 4
