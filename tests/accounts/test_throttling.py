"""How many tries there are, whoever tries, from wherever, however many at once."""

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
from dashboard.platform.accounts.lockout import TRIES_AN_ACCOUNT, TRIES_AN_ADDRESS, WINDOW
from dashboard.platform.accounts.permissions import Role
from tests.conftest import PASSWORD, add_person, every_engine, real_engines
from tests.ui.html import parse
from tests.ui.walk import new_browser
from tests.ui.world import World

# The first second of a window.
START = datetime.fromtimestamp(2_000_000 * WINDOW, tz=UTC)


addresses = (f"10.3.{number // 250}.{number % 250}" for number in itertools.count())
here = ""


@pytest.fixture(autouse=True)
def own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test tries from an address of its own: they share a table and a clock."""
    monkeypatch.setattr(sys.modules[__name__], "here", next(addresses))


def try_once(email: str, password: str = "wrong-password", **options: Any) -> Any:
    sent = {"email": email, "password": password}
    return new_browser().post("/login/", sent, REMOTE_ADDR=here, **options)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small limits where the limit itself is not the point: 3 tries an account, 6 an address."""
    monkeypatch.setattr(lockout, "TRIES_AN_ACCOUNT", 3)
    monkeypatch.setattr(lockout, "TRIES_AN_ADDRESS", 6)


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """A hasher that only counts whom it was asked about: no password is ever right."""
    asked: Counter[str] = Counter()
    lock = threading.Lock()

    def verify(self: Argon2, password: str, encoded: str) -> bool:
        with lock:
            asked[password] += 1
        return False

    monkeypatch.setattr(Argon2, "verify", verify)
    return asked


def emails(count: int) -> list[str]:
    """Addresses that nobody has, and no other test tries."""
    return [f"nobody-{new_id()[-8:]}-{number}@example.com" for number in range(count)]


@real_engines
def test_forty_at_once_let_through_the_limit_and_no_more(table: str, cheap: Counter[str]) -> None:
    add_person("marco@example.com", Role.MODERATOR)
    with frozen(START), ThreadPoolExecutor(40) as threads:
        tries = [threads.submit(copy_context().run, try_once, "marco@example.com") for _ in range(40)]
        statuses = Counter(each.result().status_code for each in tries)
    assert cheap["wrong-password"] == TRIES_AN_ACCOUNT
    assert statuses == {422: TRIES_AN_ACCOUNT, 429: 40 - TRIES_AN_ACCOUNT}


@real_engines
def test_many_at_once_from_one_address_against_as_many_accounts(table: str, cheap: Counter[str], few: None) -> None:
    with frozen(START), ThreadPoolExecutor(20) as threads:
        tries = [threads.submit(copy_context().run, try_once, email) for email in emails(20)]
        statuses = Counter(each.result().status_code for each in tries)
    assert cheap["wrong-password"] == 6
    assert statuses == {422: 6, 429: 14}


def test_the_limits_are_what_people_were_told() -> None:
    assert (TRIES_AN_ACCOUNT, TRIES_AN_ADDRESS, WINDOW) == (10, 50, 900)


@pytest.mark.parametrize("who", ["someone", "nobody"])
def test_the_limit_of_an_account(world: World, cheap: Counter[str], who: str) -> None:
    """The same for an account that exists and one that does not: the refusal tells nothing."""
    email = world.add().email if who == "someone" else emails(1)[0]
    with frozen(START + timedelta(minutes=5)):
        for _ in range(TRIES_AN_ACCOUNT):
            assert try_once(email).status_code == 422
        refused = try_once(email)
        assert refused.status_code == 429
        assert refused.headers["Retry-After"] == "600"
        (notice,) = parse(refused).by_class("notice")
        assert notice.text == "One thing needs your attention Too many attempts. Try again in 10 min."
        # Others, also from here, are not held up.
        assert try_once(emails(1)[0]).status_code == 422
    assert cheap["wrong-password"] == TRIES_AN_ACCOUNT + 1


def test_the_limit_counts_the_account_however_it_is_written(world: World, cheap: Counter[str], few: None) -> None:
    (email,) = emails(1)
    with frozen(START):
        for _ in range(3):
            try_once(email)
        assert try_once(f" {email.upper()}").status_code == 429


def test_the_limit_of_an_address_counts_what_our_proxy_saw(
    world: World, cheap: Counter[str], few: None, settings: Any
) -> None:
    settings.TRUSTED_PROXIES = 1

    def from_address(email: str, address: str, claimed: str = "1.1.1.1") -> int:
        return int(try_once(email, headers={"X-Forwarded-For": f"{claimed}, {address}"}).status_code)

    with frozen(START):
        for number, email in enumerate(emails(6)):
            assert from_address(email, "203.0.113.7", claimed=f"10.0.0.{number}") == 422
        assert from_address(emails(1)[0], "203.0.113.7", claimed="10.9.9.9") == 429
        assert from_address(emails(1)[0], "203.0.113.8") == 422


def test_without_a_proxy_a_claimed_address_counts_for_nothing(world: World, cheap: Counter[str], few: None) -> None:
    with frozen(START):
        for number, email in enumerate(emails(6)):
            try_once(email, headers={"X-Forwarded-For": f"10.0.0.{number}"})
        assert try_once(emails(1)[0], headers={"X-Forwarded-For": "10.1.1.1"}).status_code == 429


def test_even_the_right_password_waits_for_the_window_to_pass(world: World, few: None) -> None:
    email = world.add().email
    with frozen(START):
        for _ in range(3):
            try_once(email)
        refused = try_once(email, PASSWORD)
        assert refused.status_code == 429 and not refused.cookies.get("session")
    with frozen(START + timedelta(seconds=WINDOW - 1)):
        assert try_once(email, PASSWORD).status_code == 429
    with frozen(START + timedelta(seconds=WINDOW)):
        assert try_once(email, PASSWORD).status_code == 303


@every_engine
def test_a_counter_lets_through_its_limit_and_starts_over(table: str) -> None:
    with frozen(START):
        for _ in range(3):
            throttle.check("a key with # and ü", limit=3, seconds=60)
        with pytest.raises(TooMany) as refused:
            throttle.check("a key with # and ü", limit=3, seconds=60)
        assert refused.value.retry_after == 60
        throttle.check("another", limit=3, seconds=60)
    with frozen(START + timedelta(seconds=60)):
        throttle.check("a key with # and ü", limit=1, seconds=60)


@every_engine
def test_a_try_is_taken_back_and_no_other(table: str) -> None:
    def begin() -> throttle.Attempt:
        return throttle.begin("a key with # and ü", limit=3, seconds=60)

    with frozen(START):
        first, second, third = begin(), begin(), begin()
        assert [first.number, second.number, third.number] == [1, 2, 3]
        with pytest.raises(TooMany) as refused:
            begin()
        assert refused.value.retry_after == 60
        for _ in range(2):
            throttle.take_back(second)
        assert begin().number == 3
        with pytest.raises(TooMany):
            begin()
        throttle.begin("another", limit=1, seconds=60)
    with frozen(START + timedelta(seconds=60)):
        throttle.take_back(third)
        assert begin().number == 1
