"""Concurrent writes to one item while replies are lost: no write is lost, executed twice or reported wrongly."""

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
from tests.table.notes import ACTOR, Note, add_note, load_note, new_note

T = TypeVar("T")
THREADS = 16
LOSS_RATE = 0.15


def add_one(command: Command) -> Note:
    """Increment the counter if its revision is unchanged, and create a note with the id of the command."""
    counter = load_note("counter")
    assert counter is not None
    counter.total += 1
    transaction = Transaction(command)
    transaction.save(counter, revision=counter.revision)
    transaction.create(new_note(f"trace-{command.id}"))
    return transaction.commit(counter, {"intention": command.id})


def retry_after(action: Callable[[Command], T], command: Command, on: tuple[type[DomainError], ...]) -> T:
    """Repeat a command after these errors, as a person who sends the same form again."""
    for _ in range(300):
        try:
            return action(command)
        except on:
            time.sleep(random.uniform(0, 0.02))
    raise AssertionError("300 tries were not enough")


def run_at_once(work: Callable[[int], None], threads: int = THREADS) -> None:
    """Run the function in several threads that start together; raise the error of any thread."""
    start = threading.Barrier(threads)

    def run(number: int) -> None:
        start.wait(timeout=20)
        work(number)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, range(threads)))


def was_executed(command: Command) -> bool:
    done, trace_note = find_done(command), load_note(f"trace-{command.id}")
    assert (done is None) == (trace_note is None), "the DONE record and the note are written together or not at all"
    return done is not None


@real_engines
def test_sixteen_threads_that_retry_lose_no_increment(table: str) -> None:
    """After a conflict, a thread reads again and repeats the same command."""
    add_note("counter", total=0)
    # DynamoDB Local is slow at this, so it gets fewer rounds.
    each = 6 if table == "dynoxide" else 2
    commands = [[new_command(ACTOR) for _ in range(each)] for _ in range(THREADS)]
    with bad_network() as network:
        network.add_random_fault(LOSS_RATE, lose_reply)

        def work(number: int) -> None:
            for command in commands[number]:
                retry_after(add_one, command, (Conflict, Unavailable))

        run_at_once(work)
        network.stop_faults()
        assert network.faults > each, "some replies must be lost for this test to be useful"
        counter = load_note("counter")
        assert counter is not None
        assert counter.total == each * THREADS, "no increment is lost or executed twice"
        assert counter.revision == each * THREADS + 1
        assert all(was_executed(command) for own_commands in commands for command in own_commands)


@real_engines
def test_sixteen_threads_that_try_once_get_the_correct_result(table: str) -> None:
    """A command that succeeded was executed, and a command with a conflict was not."""
    add_note("counter", total=0)
    succeeded: dict[Command, bool] = {}
    each = 4 if table == "dynoxide" else 2
    with bad_network(seed=11) as network:
        # So many that sometimes all three tries of botocore are lost, and only the DONE record shows the result.
        network.add_random_fault(0.4, lose_reply)
        network.add_random_fault(0.05, lose_request)

        def work(_: int) -> None:
            for _ in range(each):
                command = new_command(ACTOR)
                try:
                    # Unavailable is not a result: the same form is sent again.
                    retry_after(add_one, command, (Unavailable,))
                    succeeded[command] = True
                except Conflict:
                    succeeded[command] = False

        run_at_once(work)
        network.stop_faults()
        assert network.faults > THREADS
        counter = load_note("counter")
        assert counter is not None
        successes = sum(succeeded.values())
        assert len(succeeded) == each * THREADS
        assert 0 < successes < len(succeeded), "both results must occur for this test to be useful"
        assert counter.total == successes
        assert counter.revision == successes + 1
        for command, success in succeeded.items():
            assert was_executed(command) is success


@real_engines
def test_a_form_sent_sixteen_times_at_once_is_executed_once(table: str) -> None:
    add_note("counter", total=0)
    click = new_command(ACTOR)
    totals: list[float] = []
    with bad_network(seed=3) as network:
        network.add_random_fault(LOSS_RATE, lose_reply)
        # A conflict would be wrong: another request of the same form executed it.
        run_at_once(lambda _: totals.append(retry_after(add_one, click, (Unavailable,)).total))
        network.stop_faults()
    counter = load_note("counter")
    assert counter is not None
    assert counter.total == 1
    assert totals == [1] * THREADS, "every request gets the result"


def current_admins(*emails: str) -> set[str]:
    return {
        email for email in emails if load_person(email).may_sign_in and load_person(email).office_role == Role.ADMIN
    }


@real_engines
def test_if_two_admins_demote_each_other_one_admin_remains(table: str) -> None:
    """In every combination of demoting and disabling, while replies are lost."""
    alma, aldo = Actor("alma@example.com", "Alma Ríos"), Actor("aldo@example.com", "Aldo Paz")

    def demote(email: str, revision: int, command: Command) -> None:
        people.edit(email, name="", role=Role.MODERATOR, revision=revision, command=command)

    def disable(email: str, revision: int, command: Command) -> None:
        people.disable(email, revision=revision, command=command)

    combinations = [(demote, demote), (disable, disable), (demote, disable), (disable, demote)]
    with bad_network(seed=5) as network:
        for first, second in combinations * 2:
            network.stop_faults()
            for who in (alma, aldo):
                people.create(who.email, name=who.name, role=Role.ADMIN, password_hash=HASHED, command=new_command(who))
            revisions = {who: load_person(who.email).revision for who in (alma, aldo)}
            network.add_random_fault(LOSS_RATE, lose_reply)
            refused: list[Actor] = []

            def work(
                number: int,
                acts: tuple[Callable[[str, int, Command], None], ...] = (first, second),
                revisions: dict[Actor, int] = revisions,
                refused: list[Actor] = refused,
            ) -> None:
                by, whom = ((alma, aldo), (aldo, alma))[number]
                try:
                    retry_after(partial(acts[number], whom.email, revisions[whom]), new_command(by), (Unavailable,))
                except Refused:
                    refused.append(by)

            run_at_once(work, threads=2)
            network.stop_faults()
            remaining = current_admins(alma.email, aldo.email)
            roster = read.get(Admins, keys.ADMINS.key())
            assert roster is not None
            assert remaining == roster.emails, "the roster lists exactly the admins"
            assert len(remaining) == 1, "exactly one of them is demoted or disabled"
            assert [by.email for by in refused] == [
                next(who.email for who in (alma, aldo) if who.email not in remaining)
            ]
        # The audit trail has exactly the changes: in each round two new admins and one demoted or disabled.
        entries = [*history(alma.email, limit=99), *history(aldo.email, limit=99)]
        demotions = [each for each in entries if each.action in {"person.edit", "person.disable"}]
        assert len(demotions) == len(combinations) * 2
        assert len(entries) == len(demotions) + len(combinations) * 4
