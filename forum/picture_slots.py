"""How many pictures of other hosts are fetched at once: each fetch occupies a thread of the server for some seconds."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

MAX_IN_PROCESS = 3
MAX_OF_PERSON = 2
RETRY_AFTER = 2

_lock = threading.Lock()
_by_person: Counter[str] = Counter()


class NoSlot(Exception):
    """Too many pictures are being fetched, by everybody or by this person."""


@contextmanager
def picture_slot(email: str) -> Iterator[None]:
    with _lock:
        if _by_person.total() >= MAX_IN_PROCESS or _by_person[email] >= MAX_OF_PERSON:
            raise NoSlot
        _by_person[email] += 1
    try:
        yield
    finally:
        with _lock:
            _by_person[email] -= 1
            if not _by_person[email]:
                del _by_person[email]
