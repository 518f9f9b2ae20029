"""What follows from a change: mail, webhooks.

The record of the change (an audit entry, a moderation entry, a movement of stock, the event of an outside writer) is
written in the transaction of the change, and is itself a due task until everything that follows from it is queued.
So nothing is lost, and nothing follows from a change that did not happen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.exceptions import ImproperlyConfigured

from dashboard.core.clock import now
from dashboard.platform.outbox.records import OutboxRecord
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction


@dataclass(frozen=True)
class FollowUp:
    """One kind of consequence. `write` adds its items to the transaction in which the record forgets it."""

    name: str
    write: Callable[[OutboxRecord, Transaction], str]
    is_active: Callable[[], bool] = lambda: True


FOLLOW_UPS: dict[str, FollowUp] = {}
# By the name of a change, such as an audit action: what follows from it, and how long after it.
_DELAYS: dict[str, dict[str, timedelta]] = {}
_is_paused: ContextVar[bool] = ContextVar("follow-ups are paused", default=False)


def register_follow_up(follow_up: FollowUp) -> None:
    if FOLLOW_UPS.setdefault(follow_up.name, follow_up) is not follow_up:
        raise ImproperlyConfigured(f"The follow-up {follow_up.name} is registered twice.")


def follow(change: str, follow_up: str, delay: timedelta = timedelta()) -> None:
    """Let something follow from each change of this name. The delays of one change must differ."""
    delays = _DELAYS.setdefault(change, {})
    if any(name != follow_up and each == delay for name, each in delays.items()):
        raise ImproperlyConfigured(f"Two follow-ups of {change} have the same delay.")
    delays[follow_up] = delay


def mark(record: OutboxRecord, change: str, at: datetime | None = None) -> None:
    """Make the record of a change due, if anything follows from it."""
    if _is_paused.get():
        return
    at = at or now()
    times = {
        name: to_wire(at + delay)
        for name, delay in _DELAYS.get(change, {}).items()
        if name in FOLLOW_UPS and FOLLOW_UPS[name].is_active()
    }
    record.set_follow_ups(times)


@contextmanager
def without_follow_ups() -> Iterator[None]:
    """Nothing follows from the changes inside, such as those that create demo data."""
    token = _is_paused.set(True)
    try:
        yield
    finally:
        _is_paused.reset(token)
