"""Parallel requests with one code: exactly one succeeds, and failed ones change nothing."""

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
from tests.accounts.second_factors import code_of, frozen_at_step_start, reload, switch_on
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


def run_in_parallel(work: list[Callable[[], object]]) -> Counter[str]:
    """Count the outcomes: the name of the error, or "done"."""
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


def sign_in(pending_session: SignedIn, code: str) -> Callable[[], str]:
    return lambda: second_factor.sign_in(pending_session, code, address="10.0.0.1", agent="Firefox")


@real_engines
def test_of_sixteen_sign_ins_with_one_code_one_succeeds(table: str) -> None:
    person, _codes = switch_on(add_person("marco@example.com", Role.MODERATOR))
    with frozen_at_step_start():
        pending = [pending_sign_in(person) for _ in range(AT_ONCE)]
        outcomes = run_in_parallel([sign_in(pending_session, code_of(person)) for pending_session in pending])
    assert outcomes == {"done": 1, "UsedCode": AT_ONCE - 1}
    signed_in_sessions = [each for each in queries.sessions(person.email) if not each.stage]
    assert len(signed_in_sessions) == 1
    assert reload(person).revision == person.revision


@real_engines
def test_of_sixteen_sign_ins_with_one_recovery_code_one_succeeds(table: str) -> None:
    person, recovery = switch_on(add_person("marco@example.com", Role.MODERATOR))
    pending = [pending_sign_in(person) for _ in range(AT_ONCE)]
    outcomes = run_in_parallel([sign_in(pending_session, recovery[0]) for pending_session in pending])
    assert outcomes == {"done": 1, "WrongRecoveryCode": AT_ONCE - 1}
    assert len([each for each in queries.sessions(person.email) if not each.stage]) == 1
    assert reload(person).recovery_left == 9
    assert audit_entries.actions(person.email).count("person.recovery_code") == 1


@real_engines
def test_parallel_sign_ins_with_different_recovery_codes_all_succeed(table: str) -> None:
    person, recovery = switch_on(add_person("marco@example.com", Role.MODERATOR))
    outcomes = run_in_parallel([sign_in(pending_sign_in(person), code) for code in recovery[:6]])
    assert outcomes == {"done": 6}
    assert reload(person).recovery_left == 4


@real_engines
def test_a_pending_session_becomes_one_session(table: str) -> None:
    """One browser sends several recovery codes at once. Only the first one finds the pending session."""
    person, recovery = switch_on(add_person("marco@example.com", Role.MODERATOR))
    pending_session = pending_sign_in(person)
    outcomes = run_in_parallel([sign_in(pending_session, code) for code in recovery[:4]])
    assert outcomes == {"done": 1, "UsedCode": 3}
    assert reload(person).recovery_left == 9


@real_engines
def test_signing_in_while_the_second_factor_is_turned_off_leaves_no_session(table: str) -> None:
    person, _codes = switch_on(add_person("marco@example.com", Role.MODERATOR))
    with frozen_at_step_start():
        code, pending_session = code_of(person), pending_sign_in(person)

        def switch_off() -> Person:
            return second_factor.switch_off(
                person.email, current=PASSWORD, session_id="", command=new_command(person.actor)
            )

        outcomes = run_in_parallel([switch_off, sign_in(pending_session, code)])
    assert outcomes["done"] >= 1
    assert not reload(person).has_second_factor
    assert not any(each.is_good_for(reload(person)) for each in queries.sessions(person.email))


@real_engines
def test_of_four_parallel_set_ups_one_succeeds(table: str) -> None:
    person = add_person("marco@example.com", Role.MODERATOR)
    with frozen_at_step_start():

        def set_up(seed: str) -> Callable[[], Person]:
            code = code_of(person, seed=seed)
            command = new_command(person.actor)
            return lambda: second_factor.switch_on(
                person.email, current=PASSWORD, session_id="", seed=seed, code=code, command=command
            )

        outcomes = run_in_parallel([set_up(seed) for seed in ("one", "two", "three", "four")])
        assert outcomes == {"done": 1, Conflict.__name__: 3}
        after = reload(person)
        assert after.totp_seed in {"one", "two", "three", "four"}
        assert after.recovery_left == 10
        assert audit_entries.actions(person.email).count("person.second_factor_on") == 1
        assert second_factor.sign_in(pending_sign_in(after), code_of(after, 1), address="", agent="")


@real_engines
def test_a_sign_in_succeeds_although_the_reply_was_lost(table: str) -> None:
    """The retry finds that the code was used, by the same request. It must still succeed."""
    person, _codes = switch_on(add_person("marco@example.com", Role.MODERATOR))
    with frozen_at_step_start(), bad_network() as network:
        pending_session, code = pending_sign_in(person), code_of(person)
        network.next("TransactWriteItems", lose_reply, lose_reply)
        cookie = second_factor.sign_in(pending_session, code, address="", agent="")
    current = sessions.find(cookie)
    assert current is not None and current.session.is_good_for(current.person)
