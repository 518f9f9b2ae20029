"""One at a time for each provider, within this process: for speed. What is right, the ledger's revision decides."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from weakref import WeakValueDictionary

# Whoever has waited so long goes on without: another process may be at it just as well.
LONGEST_WAIT = 5.0


class _Turn:
    """A lock that is gone when nobody holds or waits for it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


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
    ours = turn.lock.acquire(timeout=LONGEST_WAIT)
    try:
        yield
    finally:
        if ours:
            turn.lock.release()
