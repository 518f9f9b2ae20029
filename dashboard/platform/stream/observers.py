"""Observers: functions that learn of every change of a kind of item, also of our own.

An observer is registered in the module `observers` of its app:

    @observes("post", "comment")
    def log_texts(changes: Sequence[ObservedChange]) -> None: ...

It is called after the repairs of a batch. The same change may be passed more than once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from dashboard.platform.stream.changes import Change
from dashboard.platform.stream.records import Record, change_of, created_at


@dataclass(frozen=True)
class ObservedChange:
    """A change, and when it was made, as the stream reports it."""

    change: Change
    at: datetime


Observer = Callable[[Sequence[ObservedChange]], None]
ObserverT = TypeVar("ObserverT", bound=Observer)
_OBSERVERS: list[tuple[frozenset[str], Observer]] = []


def observes(*kinds: str) -> Callable[[ObserverT], ObserverT]:
    """Register an observer of these kinds of items. It raises Unavailable if the change must be passed again."""

    def register(observer: ObserverT) -> ObserverT:
        _OBSERVERS.append((frozenset(kinds), observer))
        return observer

    return register


def notify_observers(records: Iterable[Record]) -> None:
    """Pass the changes of a batch to the observers of their kinds."""
    changes = [ObservedChange(change_of(record), datetime.fromtimestamp(created_at(record), UTC)) for record in records]
    for kinds, observer in _OBSERVERS:
        observed = [each for each in changes if each.change.kind in kinds]
        if observed:
            observer(observed)
