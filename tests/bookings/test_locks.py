"""A lock within this process: one holder at a time, first come first served, and a limited wait."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from dashboard.core import locks
from dashboard.core.locks import queue_up


def test_one_thread_at_a_time_holds_a_lock() -> None:
    inside, most = 0, 0

    def one(_number: int) -> None:
        nonlocal inside, most
        with queue_up(("andina", "maria")):
            inside += 1
            most = max(most, inside)
            time.sleep(0.002)
            inside -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(40)))
    assert most == 1


def test_the_lock_is_given_in_order_of_arrival() -> None:
    order: list[int] = []

    def one(number: int) -> None:
        with queue_up(("andina", "maria")):
            order.append(number)

    with queue_up(("andina", "maria")):
        threads = [threading.Thread(target=one, args=[number]) for number in range(6)]
        for thread in threads:
            thread.start()
            time.sleep(0.02)
    for thread in threads:
        thread.join()
    assert order == list(range(6))


def test_other_providers_and_businesses_do_not_wait() -> None:
    with queue_up(("andina", "maria")), ThreadPoolExecutor(2) as pool:

        def other(business: str, provider: str) -> bool:
            with queue_up((business, provider)):
                return True

        assert pool.submit(other, "andina", "ana").result(timeout=2)
        assert pool.submit(other, "otra", "maria").result(timeout=2)


def test_locking_two_providers_in_any_order_does_not_deadlock() -> None:
    def one(number: int) -> None:
        pair = ("maria", "ana") if number % 2 else ("ana", "maria")
        for _ in range(50):
            with queue_up(*(("andina", each) for each in pair)):
                pass

    since = time.perf_counter()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(4)))
    assert time.perf_counter() - since < locks.MAX_WAIT_SECONDS


def test_after_the_maximum_wait_a_thread_continues_without_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lock stays with its holder."""
    monkeypatch.setattr(locks, "MAX_WAIT_SECONDS", 0.05)
    passed = threading.Event()

    def late() -> None:
        with queue_up(("andina", "maria")):
            passed.set()

    with queue_up(("andina", "maria")):
        thread = threading.Thread(target=late)
        thread.start()
        assert passed.wait(2)
        thread.join()
    with queue_up(("andina", "maria")):
        pass


def test_a_released_lock_is_removed_from_memory() -> None:
    with queue_up(("andina", "nobody-else")):
        assert ("andina", "nobody-else") in locks._locks
    assert ("andina", "nobody-else") not in locks._locks


def test_an_exception_releases_the_lock() -> None:
    with pytest.raises(ZeroDivisionError), queue_up(("andina", "maria"), ("andina", "maria")):
        _ = 1 // 0
    with queue_up(("andina", "maria")):
        pass
