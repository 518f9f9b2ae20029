"""Many at once with one code: exactly one gets in, and what failed leaves nothing behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from threading import Barrier

import pytest

from dashboard.core.errors import Conflict, DomainError
from dashboard.platform.accounts import lockout, queries
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.queries import SignedIn
from dashboard.platform.accounts.services import second_factor, sessions
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.accounts.second_factors import code_of, early_in_a_step, reloaded, switch_on
from tests.conftest import PASSWORD, add_person, real_engines
from tests.faults import bad_network, lose_reply

AT_ONCE = 16


@pytest.fixture(autouse=True)
def unthrottled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockout, "CODES", 10**6)
    monkeypatch.setattr(lockout, "CODES_A_DAY", 10**6)


def pending_sign_in(person: Person) -> SignedIn:
    found = sessions.find(sessions.admit(person, address="10.0.0.1", agent="Firefox"))
    assert found is not None and found.session.is_awaiting_code_of(found.person)
    return found


def all_at_once(work: list[Callable[[], object]]) -> Counter[str]:
    """How each went: the name of its refusal, or that it was done."""
    start = Barrier(len(work))

    def run(each: Callable[[], object]) -> str:
        start.wait()
        try:
            each()
            return "done"
        except DomainError as refusal:
            return type(refusal).__name__

    with ThreadPoolExecutor(len(work)) as threads:
        futures = [threads.submit(copy_context().run, run, each) for each in work]
        return Counter(future.result() for future in futures)


def sign_in(half: SignedIn, code: str) -> Callable[[], str]:
    return lambda: second_factor.sign_in(half, code, address="10.0.0.1", agent="Firefox")


@real_engines
def test_of_sixteen_with_one_code_one_gets_in(table: str) -> None:
    person, _codes = switch_on(add_person("marco@example.com", Role.MODERATOR))
    with early_in_a_step():
        halves = [pending_sign_in(person) for _ in range(AT_ONCE)]
        went = all_at_once([sign_in(half, code_of(person)) for half in halves])
    assert went == {"done": 1, "UsedCode": AT_ONCE - 1}
    whole = [each for each in queries.sessions(person.email) if not each.stage]
    assert len(whole) == 1
    assert reloaded(person).revision == person.revision


@real_engines
def test_of_sixteen_with_one_recovery_code_one_gets_in(table: str) -> None:
    person, recovery = switch_on(add_person("marco@example.com", Role.MODERATOR))
    halves = [pending_sign_in(person) for _ in range(AT_ONCE)]
    went = all_at_once([sign_in(half, recovery[0]) for half in halves])
    assert went == {"done": 1, "WrongRecoveryCode": AT_ONCE - 1}
    assert len([each for each in queries.sessions(person.email) if not each.stage]) == 1
    assert reloaded(person).recovery_left == 9
    assert audit_entries.actions(person.email).count("person.recovery_code") == 1


@real_engines
def test_different_recovery_codes_at_once_all_work(table: str) -> None:
    person, recovery = switch_on(add_person("marco@example.com", Role.MODERATOR))
    went = all_at_once([sign_in(pending_sign_in(person), code) for code in recovery[:6]])
    assert went == {"done": 6}
    assert reloaded(person).recovery_left == 4


@real_engines
def test_half_a_session_becomes_one_whole_session(table: str) -> None:
    """Two recovery codes from one browser at once: the second half is gone."""
    person, recovery = switch_on(add_person("marco@example.com", Role.MODERATOR))
    half = pending_sign_in(person)
    went = all_at_once([sign_in(half, code) for code in recovery[:4]])
    assert went == {"done": 1, "UsedCode": 3}
    assert reloaded(person).recovery_left == 9


@real_engines
def test_signing_in_while_it_is_switched_off_leaves_no_session(table: str) -> None:
    person, _codes = switch_on(add_person("marco@example.com", Role.MODERATOR))
    with early_in_a_step():
        code, half = code_of(person), pending_sign_in(person)

        def switch_off() -> Person:
            return second_factor.switch_off(
                person.email, current=PASSWORD, session_id="", command=new_command(person.actor)
            )

        went = all_at_once([switch_off, sign_in(half, code)])
    assert went["done"] >= 1
    assert not reloaded(person).has_second_factor
    assert not any(each.is_good_for(reloaded(person)) for each in queries.sessions(person.email))


@real_engines
def test_two_set_ups_at_once_leave_one_that_works(table: str) -> None:
    person = add_person("marco@example.com", Role.MODERATOR)
    with early_in_a_step():

        def set_up(seed: str) -> Callable[[], Person]:
            code = code_of(person, seed=seed)
            command = new_command(person.actor)
            return lambda: second_factor.switch_on(
                person.email, current=PASSWORD, session_id="", seed=seed, code=code, command=command
            )

        went = all_at_once([set_up(seed) for seed in ("one", "two", "three", "four")])
        assert went == {"done": 1, Conflict.__name__: 3}
        after = reloaded(person)
        assert after.totp_seed in {"one", "two", "three", "four"}
        assert after.recovery_left == 10
        assert audit_entries.actions(person.email).count("person.second_factor_on") == 1
        assert second_factor.sign_in(pending_sign_in(after), code_of(after, 1), address="", agent="")


@real_engines
def test_a_lost_reply_lets_in_all_the_same(table: str) -> None:
    """The code is used up by then: that must not be held against whoever sent it."""
    person, _codes = switch_on(add_person("marco@example.com", Role.MODERATOR))
    with early_in_a_step(), bad_network() as network:
        half, code = pending_sign_in(person), code_of(person)
        network.next("TransactWriteItems", lose_reply, lose_reply)
        cookie = second_factor.sign_in(half, code, address="", agent="")
    found = sessions.find(cookie)
    assert found is not None and found.session.is_good_for(found.person)
