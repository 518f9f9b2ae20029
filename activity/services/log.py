"""Logs events: each exactly once, together with its counters."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from activity.counters import CounterGroup, coarse_counters_for, counters_for, group_of
from activity.events import BadEvent, Event, check_event
from activity.items import new_item
from dashboard.core.clock import now
from dashboard.core.errors import Unavailable
from dashboard.table import oplog
from dashboard.table.appends import CounterTooLarge, NewItem, append
from dashboard.table.keypattern import Key
from dashboard.table.read import gather_all
from dashboard.table.transactions import MAX_STEPS

logger = logging.getLogger("trastienda.activity")

# The counters of the hour, of the minute and of its people.
_EVENTS_PER_TRANSACTION = MAX_STEPS - 3


class LogStatus(StrEnum):
    LOGGED = "logged"
    # It was logged before, with the same id, person and time.
    DUPLICATE = "duplicate"
    REFUSED = "refused"
    # The table did not answer. The event may be sent again.
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True)
class LogResult:
    """What became of one event."""

    event: Event
    status: LogStatus
    error: BadEvent | Unavailable | None = None


def log(events: Sequence[Event], *, moment: datetime | None = None) -> list[LogResult]:
    """Log events, in transactions of a few that run in parallel; returns the result of each, in their order.

    `moment` is the time at which their times are checked, for demo data and imports.
    """
    moment = moment or now()
    results: dict[int, LogResult] = {}
    accepted: list[tuple[int, Event]] = []
    seen: dict[tuple[str, str, datetime], int] = {}
    for index, event in enumerate(events):
        try:
            check_event(event, moment)
        except BadEvent as error:
            results[index] = LogResult(event, LogStatus.REFUSED, error)
            continue
        if seen.setdefault((event.id, event.user, event.at), index) != index:
            results[index] = LogResult(event, LogStatus.DUPLICATE)
        else:
            accepted.append((index, event))
    with oplog.attributed_to("activity.services.log"):
        batches = list(_batches(accepted))
        outcomes = gather_all([_writer(group, batch, moment) for group, batch in batches]) if batches else []
    for (_, batch), statuses in zip(batches, outcomes, strict=True):
        for (index, _event), result in zip(batch, statuses, strict=True):
            results[index] = result
    return [results[index] for index in range(len(events))]


def _batches(accepted: Iterable[tuple[int, Event]]) -> Iterator[tuple[CounterGroup, list[tuple[int, Event]]]]:
    """The events of each transaction: they share their counters."""
    groups: dict[CounterGroup, list[tuple[int, Event]]] = {}
    for index, event in accepted:
        groups.setdefault(group_of(event), []).append((index, event))
    for group, members in groups.items():
        for start in range(0, len(members), _EVENTS_PER_TRANSACTION):
            yield group, members[start : start + _EVENTS_PER_TRANSACTION]


def _writer(group: CounterGroup, batch: Sequence[tuple[int, Event]], moment: datetime) -> _Write:
    return _Write(group, [event for _, event in batch], moment)


@dataclass(frozen=True)
class _Write:
    """Writes the events of one transaction. Events that were logged before are left out and not counted."""

    group: CounterGroup
    events: Sequence[Event]
    moment: datetime

    def __call__(self) -> list[LogResult]:
        duplicates: set[int] = set()
        try:
            items = [new_item(event) for event in self.events]
            while len(duplicates) < len(items):
                new = [index for index in range(len(items)) if index not in duplicates]
                existing = self._append([items[index] for index in new], [self.events[index] for index in new])
                if not existing:
                    break
                duplicates |= {index for index in new if items[index].key in existing}
        except Unavailable as error:
            return [LogResult(event, LogStatus.UNAVAILABLE, error) for event in self.events]
        return [
            LogResult(event, LogStatus.DUPLICATE if index in duplicates else LogStatus.LOGGED)
            for index, event in enumerate(self.events)
        ]

    def _append(self, items: Sequence[NewItem], events: Sequence[Event]) -> frozenset[Key]:
        try:
            return append(items, counters_for(self.group, events, self.moment))
        except CounterTooLarge:
            logger.warning("a counter of activity is full", extra={"minute": self.group.minute.isoformat()})
            return append(items, coarse_counters_for(self.group, events, self.moment))
