"""Small limits for wrong passwords, and what a guesser does."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import UTC, datetime
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from dashboard.core.clock import frozen
from dashboard.platform.accounts import lockout, throttle
from dashboard.platform.accounts.hashers import Argon2
from tests.conftest import PASSWORD
from tests.ui.walk import new_browser

# The first second of a window.
START = datetime.fromtimestamp(2_000_000 * lockout.WINDOW, tz=UTC)
OFFICE, ELSEWHERE = "192.0.2.10", "203.0.113.7"
WRONG = "not-the-password"
BROWSER_COOKIE = settings.BROWSER_COOKIE_NAME


@pytest.fixture(autouse=True)
def one_window(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Small limits, and a frozen clock: no test continues in the next window."""
    monkeypatch.setattr(lockout, "TRIES_PER_ACCOUNT", 4)
    monkeypatch.setattr(lockout, "TRIES_PER_NETWORK", 6)
    monkeypatch.setattr(lockout, "TRIES_FROM_ALL_NETWORKS", 12)
    monkeypatch.setattr(lockout, "TRIES_UNDER_ATTACK", 2)
    with frozen(START):
        yield


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts the passwords that were really checked."""
    passwords: Counter[str] = Counter()
    lock = threading.Lock()

    def verify(self: Argon2, password: str, encoded: str) -> bool:
        with lock:
            passwords[password] += 1
        return password == PASSWORD

    monkeypatch.setattr(Argon2, "verify", verify)
    return passwords


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A try waits for others that are being checked as long as it takes, however slow the machine is."""
    monkeypatch.setattr(throttle, "MAX_WAIT", 60)
    monkeypatch.setattr(throttle, "MAX_CHECK", 60)


def login(email: str, password: str = PASSWORD, address: str = OFFICE, browser: Client | None = None) -> int:
    browser = browser or new_browser()
    response = browser.post("/login/", {"email": email, "password": password}, REMOTE_ADDR=address)
    return int(response.status_code)


def lock_out(email: str, address: str) -> None:
    """Guess until the account is locked for this network."""
    for _ in range(lockout.TRIES_PER_ACCOUNT):
        assert login(email, WRONG, address) == 422
    assert login(email, WRONG, address) == 429


def at_once(calls: list[Any]) -> Counter[int]:
    with ThreadPoolExecutor(len(calls)) as threads:
        return Counter(each.result() for each in [threads.submit(copy_context().run, call) for call in calls])
