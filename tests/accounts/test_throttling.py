"""The limits of sign-in attempts per account and per IP address, also with parallel attempts."""

from __future__ import annotations

import itertools
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from dashboard.core.clock import frozen
from dashboard.core.errors import TooMany
from dashboard.core.ids import new_id
from dashboard.platform.accounts import lockout, throttle
from dashboard.platform.accounts.hashers import Argon2
from dashboard.platform.accounts.lockout import TRIES_PER_ACCOUNT, TRIES_PER_NETWORK, WINDOW
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.requests import network
from tests.conftest import PASSWORD, add_person, every_engine, real_engines
from tests.ui.html import parse
from tests.ui.walk import new_browser
from tests.ui.world import World

# The first second of a window.
START = datetime.fromtimestamp(2_000_000 * WINDOW, tz=UTC)


addresses = (f"10.3.{number // 250}.{number % 250}" for number in itertools.count())
current_address = ""


@pytest.fixture(autouse=True)
def own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test uses its own IP address, because the tests share a table and a clock."""
    monkeypatch.setattr(sys.modules[__name__], "current_address", next(addresses))


def attempt_sign_in(email: str, password: str = "wrong-password", **options: Any) -> Any:
    sent = {"email": email, "password": password}
    return new_browser().post("/login/", sent, REMOTE_ADDR=current_address, **options)


@pytest.fixture
def low_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Low limits: 3 attempts per account, 6 per IP address."""
    monkeypatch.setattr(lockout, "TRIES_PER_ACCOUNT", 3)
    monkeypatch.setattr(lockout, "TRIES_PER_NETWORK", 6)


@pytest.fixture
def counting_hasher(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """A hasher that only counts its calls. It accepts no password."""
    calls: Counter[str] = Counter()
    lock = threading.Lock()

    def verify(self: Argon2, password: str, encoded: str) -> bool:
        with lock:
            calls[password] += 1
        return False

    monkeypatch.setattr(Argon2, "verify", verify)
    return calls


def unknown_emails(count: int) -> list[str]:
    """E-mail addresses without account that no other test uses."""
    return [f"nobody-{new_id()[-8:]}-{number}@example.com" for number in range(count)]


@real_engines
def test_forty_parallel_attempts_do_not_exceed_the_limit_of_an_account(
    table: str, counting_hasher: Counter[str]
) -> None:
    add_person("marco@example.com", Role.MODERATOR)
    with frozen(START), ThreadPoolExecutor(40) as threads:
        attempts = [threads.submit(copy_context().run, attempt_sign_in, "marco@example.com") for _ in range(40)]
        statuses = Counter(each.result().status_code for each in attempts)
    assert counting_hasher["wrong-password"] == TRIES_PER_ACCOUNT
    assert statuses == {422: TRIES_PER_ACCOUNT, 429: 40 - TRIES_PER_ACCOUNT}


@real_engines
def test_parallel_attempts_on_many_accounts_do_not_exceed_the_limit_of_an_address(
    table: str, counting_hasher: Counter[str], low_limits: None
) -> None:
    with frozen(START), ThreadPoolExecutor(20) as threads:
        attempts = [threads.submit(copy_context().run, attempt_sign_in, email) for email in unknown_emails(20)]
        statuses = Counter(each.result().status_code for each in attempts)
    assert counting_hasher["wrong-password"] == 6
    assert statuses == {422: 6, 429: 14}


def test_the_limits_have_the_documented_values() -> None:
    assert (TRIES_PER_ACCOUNT, TRIES_PER_NETWORK, WINDOW) == (10, 50, 900)


@pytest.mark.parametrize("who", ["someone", "nobody"])
def test_the_limit_of_an_account_also_applies_to_unknown_accounts(
    world: World, counting_hasher: Counter[str], who: str
) -> None:
    """It is the same for unknown accounts, so the refusal does not show whether an account exists."""
    email = world.add().email if who == "someone" else unknown_emails(1)[0]
    with frozen(START + timedelta(minutes=5)):
        for _ in range(TRIES_PER_ACCOUNT):
            assert attempt_sign_in(email).status_code == 422
        refused = attempt_sign_in(email)
        assert refused.status_code == 429
        assert refused.headers["Retry-After"] == "600"
        (notice,) = parse(refused).by_class("notice")
        assert notice.text == "One thing needs your attention Too many attempts. Try again in 10 min."
        # Other accounts are not blocked, also from this IP address.
        assert attempt_sign_in(unknown_emails(1)[0]).status_code == 422
    assert counting_hasher["wrong-password"] == TRIES_PER_ACCOUNT + 1


def test_the_limit_of_an_account_ignores_case_and_spaces(
    world: World, counting_hasher: Counter[str], low_limits: None
) -> None:
    (email,) = unknown_emails(1)
    with frozen(START):
        for _ in range(3):
            attempt_sign_in(email)
        assert attempt_sign_in(f" {email.upper()}").status_code == 429


def test_the_limit_of_an_address_uses_the_address_from_the_trusted_proxy(
    world: World, counting_hasher: Counter[str], low_limits: None, settings: Any
) -> None:
    settings.TRUSTED_PROXIES = 1

    def attempt_from(email: str, address: str, claimed: str = "1.1.1.1") -> int:
        return int(attempt_sign_in(email, headers={"X-Forwarded-For": f"{claimed}, {address}"}).status_code)

    with frozen(START):
        for number, email in enumerate(unknown_emails(6)):
            assert attempt_from(email, "203.0.113.7", claimed=f"10.0.0.{number}") == 422
        assert attempt_from(unknown_emails(1)[0], "203.0.113.7", claimed="10.9.9.9") == 429
        assert attempt_from(unknown_emails(1)[0], "203.0.113.8") == 422


def test_without_a_trusted_proxy_a_forwarded_address_is_ignored(
    world: World, counting_hasher: Counter[str], low_limits: None
) -> None:
    with frozen(START):
        for number, email in enumerate(unknown_emails(6)):
            attempt_sign_in(email, headers={"X-Forwarded-For": f"10.0.0.{number}"})
        assert attempt_sign_in(unknown_emails(1)[0], headers={"X-Forwarded-For": "10.1.1.1"}).status_code == 429


def test_the_correct_password_is_refused_until_the_window_ends(world: World, low_limits: None) -> None:
    email = world.add().email
    with frozen(START):
        for _ in range(3):
            attempt_sign_in(email)
        refused = attempt_sign_in(email, PASSWORD)
        assert refused.status_code == 429 and not refused.cookies.get("session")
    with frozen(START + timedelta(seconds=WINDOW - 1)):
        assert attempt_sign_in(email, PASSWORD).status_code == 429
    with frozen(START + timedelta(seconds=WINDOW)):
        assert attempt_sign_in(email, PASSWORD).status_code == 303


@every_engine
def test_a_counter_allows_its_limit_and_starts_again_in_the_next_window(table: str) -> None:
    with frozen(START):
        for _ in range(3):
            throttle.count_or_refuse("a key with # and ü", limit=3, seconds=60)
        with pytest.raises(TooMany) as refused:
            throttle.count_or_refuse("a key with # and ü", limit=3, seconds=60)
        assert refused.value.retry_after == 60
        throttle.count_or_refuse("another", limit=3, seconds=60)
    with frozen(START + timedelta(seconds=60)):
        throttle.count_or_refuse("a key with # and ü", limit=1, seconds=60)


@every_engine
def test_taking_back_one_try_keeps_the_others(table: str) -> None:
    def begin() -> throttle.Attempt:
        return throttle.begin_attempt("a key with # and ü", limit=3, seconds=60)

    with frozen(START):
        first, second, third = begin(), begin(), begin()
        for each in (first, third):
            throttle.confirm(each)
        assert [first.number, second.number, third.number] == [1, 2, 3]
        throttle.confirm(second)
        with pytest.raises(TooMany) as refused:
            begin()
        assert refused.value.retry_after == 60
        for _ in range(2):
            throttle.take_back(second)
        fourth = begin()
        assert fourth.number == 3
        throttle.confirm(fourth)
        with pytest.raises(TooMany):
            begin()
        throttle.begin_attempt("another", limit=1, seconds=60)
    with frozen(START + timedelta(seconds=60)):
        throttle.take_back(third)
        assert begin().number == 1


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("203.0.113.5", "203.0.113.5"),
        ("::ffff:203.0.113.5", "203.0.113.5"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("not an address", "not an address"),
    ],
)
def test_ipv4_clients_of_an_ipv6_server_are_counted_by_their_own_address(address: str, expected: str) -> None:
    assert network(address) == expected
