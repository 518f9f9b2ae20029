"""Nobody can lock a person out, guess without limit, or be refused for correct passwords and keys."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.test import RequestFactory

from dashboard.core.clock import frozen
from dashboard.core.errors import TooMany
from dashboard.core.ids import new_id
from dashboard.platform.accounts import lockout, queries, throttle
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.requests import address as address_of
from dashboard.platform.apikeys import authentication
from tests.accounts.second_factors import switch_on
from tests.apikeys.factories import call_api, create_key
from tests.attacks.sign_in_attempts import (
    ELSEWHERE,
    OFFICE,
    START,
    WRONG,
    at_once,
    checked,
    lock_out,
    login,
    one_window,
    patient,
)
from tests.conftest import PASSWORD, add_business, add_person, real_engines
from tests.faults import bad_network, lose_reply
from tests.ui.world import World, world

__all__ = ["checked", "one_window", "patient", "world"]


# --- Correct passwords -----------------------------------------------------------------------------------
def test_correct_passwords_count_neither_against_the_account_nor_the_address(
    world: World, checked: Counter[str]
) -> None:
    emails = [world.add().email for _ in range(2)]
    for email in emails * 2 * lockout.TRIES_PER_NETWORK:
        assert login(email) == 303
    for email in emails:
        assert login(email, WRONG) == 422


def test_the_correct_password_of_a_person_with_a_second_factor_does_not_count(
    world: World, checked: Counter[str]
) -> None:
    person, _codes = switch_on(world.add())
    for _ in range(2 * lockout.TRIES_PER_NETWORK):
        assert login(person.email) == 303
    assert login(person.email, WRONG) == 422


def test_one_valid_password_gives_no_further_guesses_of_other_accounts(world: World, checked: Counter[str]) -> None:
    """A correct password takes back only its own try, not the wrong ones of the same address or account."""
    own, other = world.add().email, world.add().email
    statuses = []
    for _ in range(lockout.TRIES_PER_NETWORK + 2):
        statuses.append(login(other, WRONG))
        assert login(own) in {303, 429}
    assert statuses.count(422) == lockout.TRIES_PER_ACCOUNT == checked[WRONG]
    guessed = [login(f"nobody-{new_id()[-8:]}@example.com", WRONG) for _ in range(lockout.TRIES_PER_NETWORK)]
    assert guessed.count(422) == lockout.TRIES_PER_NETWORK - lockout.TRIES_PER_ACCOUNT


def test_a_correct_password_does_not_give_the_wrong_ones_back(world: World, checked: Counter[str]) -> None:
    email = world.add().email
    for _ in range(lockout.TRIES_PER_ACCOUNT - 1):
        assert login(email, WRONG) == 422
    assert login(email) == 303
    assert [login(email, WRONG), login(email, WRONG)] == [422, 429]


def test_refused_guesses_count_nowhere(world: World, checked: Counter[str]) -> None:
    """Else one locked account would lock the whole address, and one address the account everywhere."""
    email = world.add().email
    lock_out(email, OFFICE)
    for _ in range(2 * lockout.TRIES_FROM_ALL_NETWORKS):
        assert login(email, WRONG) == 429
    assert login(world.add().email) == 303
    statuses = [login(email, WRONG, ELSEWHERE) for _ in range(lockout.TRIES_PER_ACCOUNT)]
    assert statuses == [422] * lockout.TRIES_PER_ACCOUNT


# --- Per network -----------------------------------------------------------------------------------------
def test_an_attacker_elsewhere_does_not_lock_the_person_out_at_their_office(
    world: World, checked: Counter[str]
) -> None:
    email = world.add().email
    lock_out(email, ELSEWHERE)
    assert login(email, PASSWORD, ELSEWHERE) == 429
    assert login(email, PASSWORD, OFFICE) == 303


def test_an_attacker_with_many_networks_only_slows_unknown_browsers_down(world: World, checked: Counter[str]) -> None:
    email = world.add().email
    statuses = [
        login(email, WRONG, f"203.0.113.{host}")
        for host in range(20)
        for _ in range(lockout.TRIES_PER_ACCOUNT)
    ]  # fmt: skip
    full = lockout.TRIES_FROM_ALL_NETWORKS // lockout.TRIES_PER_ACCOUNT
    assert statuses.count(422) == lockout.TRIES_FROM_ALL_NETWORKS + (20 - full) * lockout.TRIES_UNDER_ATTACK
    # The person in the office, in a browser that is new: fewer tries than usual, but not none.
    assert [login(email, WRONG), login(email)] == [422, 303]
    assert [login(email, WRONG), login(email, WRONG)] == [422, 429]


def test_addresses_of_one_ipv6_customer_are_one_network(world: World, checked: Counter[str]) -> None:
    email = world.add().email
    statuses = [login(email, WRONG, f"2001:db8:0:{subnet:x}::1") for subnet in range(lockout.TRIES_PER_ACCOUNT + 2)]
    assert statuses.count(422) == lockout.TRIES_PER_ACCOUNT
    assert login(email, PASSWORD, "2001:db8:0:100::1") == 303


def test_a_text_that_is_no_address_fills_no_counter_of_others(world: World, checked: Counter[str]) -> None:
    """Names of counters contain what strangers type."""
    email = world.add().email
    for text in (f"{email} from {OFFICE}", f"from {OFFICE}", f'{email}", "{OFFICE}'):
        for _ in range(lockout.TRIES_PER_ACCOUNT):
            login(text, WRONG, address="198.51.100.9")
    assert login(email) == 303


@pytest.mark.parametrize("hop", ["203.0.113.5:5123", "203.0.113.5", "[2001:db8::7]:443", "2001:db8::7"])
def test_the_port_that_a_proxy_adds_is_no_part_of_the_address(settings: Any, hop: str) -> None:
    settings.TRUSTED_PROXIES = 1
    request = RequestFactory().get("/", headers={"X-Forwarded-For": hop})
    assert address_of(request) in {"203.0.113.5", "2001:db8::7"}


# --- At the same moment ----------------------------------------------------------------------------------
@real_engines
def test_parallel_guesses_do_not_exceed_the_limit_of_the_account(table: str, checked: Counter[str]) -> None:
    email = add_person("marco@example.com", Role.MODERATOR).email
    statuses = at_once([lambda: login(email, WRONG)] * 24)
    assert checked[WRONG] == lockout.TRIES_PER_ACCOUNT
    assert statuses == {422: lockout.TRIES_PER_ACCOUNT, 429: 24 - lockout.TRIES_PER_ACCOUNT}


@real_engines
@pytest.mark.usefixtures("patient")
def test_parallel_correct_sign_ins_are_never_refused(table: str, checked: Counter[str]) -> None:
    """More people of one network sign in at the same moment than may guess wrong."""
    email = add_person("marco@example.com", Role.MODERATOR).email
    assert at_once([lambda: login(email)] * 4 * lockout.TRIES_PER_NETWORK) == {303: 4 * lockout.TRIES_PER_NETWORK}


def test_a_try_is_not_refused_if_the_others_are_taken_back_meanwhile(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were correct, and are taken back after the counter refused this one and before it is read."""
    others, find = [throttle.begin_attempt("sign-in", limit=1, seconds=lockout.WINDOW)], queries.find_counter

    def take_back_then_find(key: Any) -> Any:
        while others:
            throttle.take_back(others.pop())
        return find(key)

    monkeypatch.setattr(throttle, "find_counter", take_back_then_find)
    assert throttle.begin_attempt("sign-in", limit=1, seconds=lockout.WINDOW).number == 1


def test_a_try_that_waited_for_others_may_come_again_soon(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The counter is full of tries that are still being checked. Most of them may be correct."""
    monkeypatch.setattr(throttle, "MAX_WAIT", 0)
    throttle.begin_attempt("sign-in", limit=1, seconds=lockout.WINDOW)
    with pytest.raises(TooMany) as refusal:
        throttle.begin_attempt("sign-in", limit=1, seconds=lockout.WINDOW)
    assert refusal.value.retry_after == throttle.MAX_CHECK


@real_engines
def test_parallel_guesses_with_correct_sign_ins_in_between_do_not_exceed_the_limit(
    table: str, checked: Counter[str]
) -> None:
    """A guesser who signs in to their own account meanwhile gets no more guesses from this address."""
    own = add_person("marco@example.com", Role.MODERATOR).email
    others = [f"nobody-{number}@example.com" for number in range(16)]
    calls = [call for email in others for call in (lambda email=email: login(email, WRONG), lambda: login(own))]
    at_once(calls)
    assert checked[WRONG] <= lockout.TRIES_PER_NETWORK
    for email in others:
        login(f"more-{email}", WRONG)
    assert checked[WRONG] == lockout.TRIES_PER_NETWORK, "and no correct password has used a guess up"


@real_engines
def test_parallel_guesses_from_many_networks_are_slowed_down_exactly(table: str, checked: Counter[str]) -> None:
    email = add_person("marco@example.com", Role.MODERATOR).email
    for number in range(lockout.TRIES_FROM_ALL_NETWORKS):
        assert login(email, WRONG, f"203.0.113.{number}") == 422
    at_once([lambda: login(email, WRONG, OFFICE)] * 12)
    assert checked[WRONG] == lockout.TRIES_FROM_ALL_NETWORKS + lockout.TRIES_UNDER_ATTACK


@real_engines
def test_a_lost_reply_counts_a_try_once_and_takes_it_back_once(table: str, checked: Counter[str]) -> None:
    email = add_person("marco@example.com", Role.MODERATOR).email
    with bad_network() as network:
        for _ in range(3 * lockout.TRIES_PER_NETWORK):
            network.next("UpdateItem", *[lose_reply] * 2)
            assert login(email) == 303
    for _ in range(lockout.TRIES_PER_ACCOUNT):
        assert login(email, WRONG) == 422
    assert login(email, WRONG) == 429


# --- API keys --------------------------------------------------------------------------------------------
def test_unknown_api_keys_do_not_stop_valid_keys_from_the_same_address(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authentication, "WRONG_KEYS", 3)
    add_business("andina", "Andina")
    _, secret = create_key("andina")
    unknown = [call_api(f"tk_00000000_{number:064}", REMOTE_ADDR=OFFICE).status_code for number in range(6)]
    assert unknown == [401] * 3 + [429] * 3
    assert [call_api(secret, REMOTE_ADDR=OFFICE).status_code for _ in range(3)] == [200] * 3
    assert call_api(f"tk_00000000_{7:064}", REMOTE_ADDR=OFFICE).status_code == 429, "unknown keys are still refused"


def test_a_person_is_unchanged_by_wrong_passwords(world: World, checked: Counter[str]) -> None:
    """Their open forms get no conflict."""
    person: Person = world.add()
    lock_out(person.email, OFFICE)
    assert queries.load_person(person.email).revision == person.revision
    with frozen(START + timedelta(seconds=lockout.WINDOW)):
        assert login(person.email) == 303
