"""Limits how many repeated events one process stores, because strangers can cause them without limit."""

from __future__ import annotations

import threading
from collections.abc import Hashable

from dashboard.core.clock import now

# Beyond this, repeated events are only in the JSON lines until the minute ends.
MAX_A_MINUTE = 600


class MinuteLimit:
    """Each name once a minute, and at most MAX_A_MINUTE names."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._minute = 0
        self._names: set[Hashable] = set()

    def allows(self, name: Hashable) -> bool:
        minute = int(now().timestamp()) // 60
        with self._lock:
            if minute != self._minute:
                self._minute = minute
                self._names.clear()
            if name in self._names or len(self._names) >= MAX_A_MINUTE:
                return False
            self._names.add(name)
            return True

    def clear(self) -> None:
        with self._lock:
            self._names.clear()
