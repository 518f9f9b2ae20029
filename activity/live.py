"""The live page's numbers: each process reads them at most once a second, whatever the number of viewers.

With 500 viewers a query for each request would read the same items a hundred times a second. The fragment that all
viewers of one language see is rendered once, too.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from activity.event_rooms import EventRooms
from activity.queries.now import NowCounts, now_counts
from dashboard.core.clock import is_frozen
from dashboard.table.read import gather
from rooms.public import all_rooms

MAX_AGE = 1.0


@dataclass
class Live:
    """The numbers of one moment, and the fragments rendered from them by language."""

    event: EventRooms
    counts: NowCounts
    read_at: float
    fragments: dict[str, str] = field(default_factory=dict)

    @property
    def is_fresh(self) -> bool:
        return time.monotonic() - self.read_at < MAX_AGE

    def fragment(self, variant: str, render: Callable[[], str]) -> str:
        """Two threads may render it at the same time: the result is the same."""
        if variant not in self.fragments:
            self.fragments[variant] = render()
        return self.fragments[variant]


class _Current:
    lock = threading.Lock()
    live: Live | None = None


def load_live() -> Live:
    """The current numbers. Requests that arrive during a read wait for it and share its result."""
    live = _Current.live
    if live is not None and live.is_fresh and not is_frozen():
        return live
    with _Current.lock:
        live = _Current.live
        if live is None or not live.is_fresh or is_frozen():
            rooms, counts = gather(all_rooms, now_counts)
            # From the end of the read, so that a slow one is not repeated at once.
            live = _Current.live = Live(EventRooms.of(rooms), counts, time.monotonic())
        return live


def forget_live() -> None:
    """Read the numbers again with the next request: for tests, whose tables differ."""
    _Current.live = None
