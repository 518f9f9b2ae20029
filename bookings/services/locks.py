"""One at a time for each provider, within this process: for speed. What is right, the ledger's revision decides."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from weakref import WeakValueDictionary

# Whoever has waited so long goes on without: another process may be at it just as well.
LONGEST_WAIT = 5.0


class _Turn:
    """Whoever came first is first: else some would wait for as long as there are others."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()
        self._taken = False

    def acquire(self, timeout: float) -> bool:
        with self._lock:
            if not self._taken:
                self._taken = True
                return True
            called = threading.Event()
            self._waiting.append(called)
        if called.wait(timeout):
            return True
        with self._lock:
            if called.is_set():
                return True
            self._waiting.remove(called)
            return False

    def release(self) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False


# A turn is gone when nobody has it or waits for it.
_turns: WeakValueDictionary[tuple[str, str], _Turn] = WeakValueDictionary()
_turns_lock = threading.Lock()


@contextmanager
def in_turn(business: str, *providers: str) -> Iterator[None]:
    """Wait for one's turn with these providers; always in the same order, so that no two wait for each other."""
    with ExitStack() as held:
        for provider in sorted(set(providers)):
            with _turns_lock:
                turn = _turns.setdefault((business, provider), _Turn())
            held.enter_context(_turn(turn))
        yield


@contextmanager
def _turn(turn: _Turn) -> Iterator[None]:
    ours = turn.acquire(LONGEST_WAIT)
    try:
        yield
    finally:
        if ours:
            turn.release()
