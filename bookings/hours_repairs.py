"""Repairs of working hours that outside writers change: our attributes, exceptions of all weekdays, the revision."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from bookings.hours import WEEKDAYS
from bookings.items import Availability, Provider
from bookings.queries.booking_state import load_hours_state
from dashboard.platform.stream.changes import Change, Write
from dashboard.table.nested import maps_in, texts_in

# The weekday of the item in which the booking service stores the exceptions of all weekdays.
EXCEPTIONS = "EXCEPTIONS"
# Marks an exception that was copied from that item.
_COPIED = "fromExceptionRules"
_SOURCES = frozenset({"timeRanges", "breaks", "exceptions", "exceptionRules"})


@dataclass(frozen=True)
class HoursState:
    """The staff member whose hours changed, and their hours by weekday."""

    provider: Provider | None
    days: dict[str, Availability]


def load_changed_hours(change: Change) -> HoursState | None:
    """None if the hours are as before. An item with index keys and no previous image was repaired before."""
    item = change.new_item or change.old_item
    is_first_repair = change.old is None and change.new is not None and "GSITypePK" not in change.new
    is_changed = change.old is not None and bool(change.changed & _SOURCES)
    if item is None or not item.key_parts or not (is_first_repair or is_changed):
        return None
    business, provider = str(item.key_parts["tenant"]), str(item.key_parts["provider"])
    weekdays = WEEKDAYS if item.key_parts["weekday"] == EXCEPTIONS else ()
    return HoursState(*load_hours_state(business, provider, weekdays))


def hours_writes(change: Change, state: HoursState | None) -> Iterator[Write]:
    """Copy the exceptions, and increase the schedule's revision: a booking that read the previous hours must fail."""
    if state is None:
        return
    item = change.new_item or change.old_item
    if item is not None and item.key_parts["weekday"] == EXCEPTIONS:
        rules = change.new_item.exception_rules if isinstance(change.new_item, Availability) else []
        yield from _copies(item.key_parts, rules or [], state.days)
    provider = state.provider
    if provider is not None:
        provider.schedule_revision = provider.schedule_revision + 1
        yield Write.of_changed(provider, ["scheduleRevision"])


def _copies(parts: Any, rules: list[Any], days: dict[str, Availability]) -> Iterator[Write]:
    for weekday in WEEKDAYS:
        day = days.get(weekday)
        before = (day.exceptions or []) if day is not None else []
        copied = [rule | {_COPIED: True} for rule in maps_in(rules) if _weekday_of(rule.text("date")) == weekday]
        copied += [{"date": text, _COPIED: True} for text in texts_in(rules) if _weekday_of(text) == weekday]
        after = [*without_copies(before), *copied]
        if after == before:
            continue
        is_new = day is None
        day = day or Availability.new(**{**parts, "weekday": weekday})
        day.exceptions, day.revision = after, day.revision + 1
        yield Write.of_new(day) if is_new else Write.of_changed(day)


def without_copies(exceptions: Iterable[Any]) -> list[Any]:
    """The exceptions that were saved here, or in the item of the weekday."""
    entries = list(exceptions)
    copies = [each for each in maps_in(entries) if each.flag(_COPIED)]
    return [each for each in entries if each not in copies]


def _weekday_of(date: str) -> str:
    with suppress(ValueError):
        return WEEKDAYS[dt.date.fromisoformat(date).weekday()]
    return ""
