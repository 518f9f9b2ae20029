"""A queue per name within this process. It only saves retries: the conditions of the writes ensure correctness."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from weakref import WeakValueDictionary

# After this time a write continues without the lock; another process may be writing anyway.
MAX_WAIT_SECONDS = 5.0


class _FifoLock:
    """A lock that is granted in the order of requests, so that no thread starves."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._taken = False

    def acquire(self, timeout: float) -> bool:
        with self._lock:
            if not self._taken:
                self._taken = True
                return True
            event = threading.Event()
            self._waiting.append(event)
        if event.wait(timeout):
            return True
        with self._lock:
            if event.is_set():
                return True
            self._waiting.remove(event)
            return False

    def release(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False


# A lock is removed when no thread holds it or waits for it.
_locks: WeakValueDictionary[tuple[str, ...], _FifoLock] = WeakValueDictionary()
_locks_guard = threading.Lock()


@contextmanager
def queue_up(*names: tuple[str, ...]) -> Iterator[None]:
    """Hold the locks with these names. They are acquired in sorted order, which prevents deadlocks."""
    with ExitStack() as stack:
        for name in sorted(set(names)):
            with _locks_guard:
                lock = _locks.setdefault(name, _FifoLock())
            stack.enter_context(_locked(lock))
        yield


@contextmanager
def _locked(lock: _FifoLock) -> Iterator[None]:
    acquired = lock.acquire(MAX_WAIT_SECONDS)
    try:
        yield
    finally:
        if acquired:
            lock.release()
