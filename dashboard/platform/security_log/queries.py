"""Queries for the security log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from pynamodb.expressions.operand import Path

from dashboard.core.clock import now
from dashboard.platform.security_log.hashes import account_hashes
from dashboard.platform.security_log.items import SecurityEvent
from dashboard.platform.security_log.kinds import EventKind
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.keypattern import Collection
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire

PAGE = 50
# The days that are read in parallel.
DAYS_AT_ONCE = 7
# Events expire after 90 days (services.LIFE). Older days are not read.
MAX_DAYS = 92


@dataclass(frozen=True)
class EventFilter:
    """The filters of the log. The bounds are prefixes of sort keys, inclusive."""

    email: str = ""
    kind: str = ""
    since: str | None = None
    until: str | None = None

    @property
    def cursor_scope(self) -> tuple[str, ...]:
        """The filters as part of a cursor's scope."""
        return (self.email, self.kind, self.since or "", self.until or "")


@dataclass(frozen=True)
class EventPage(read.Page[SecurityEvent]):
    """`reached` is the time back to which a page that is not full has searched."""

    reached: datetime | None = None


@access_pattern("What happened to this account, newest first?", keys.SECURITY_EVENTS_OF_ACCOUNT)
def events_of(email: str, limit: int = 100) -> list[SecurityEvent]:
    """Events of a previous pepper are older than those of the current one, so they are read only if few are newer."""
    found: list[SecurityEvent] = []
    for each in account_hashes(email):
        if len(found) < limit:
            collection = keys.SECURITY_EVENTS_OF_ACCOUNT.collection(account=each)
            found += read.page(collection, SecurityEvent, newest_first=True, limit=limit - len(found)).items
    # While servers are restarted one after the other, both peppers are in use.
    return sorted(found, key=lambda event: event.sk, reverse=True)


@access_pattern("Which events of this kind happened since then, newest first?", keys.SECURITY_EVENTS_BY_KIND)
def events_since(kind: EventKind, moment: datetime, limit: int = 100) -> list[SecurityEvent]:
    collection = keys.SECURITY_EVENTS_BY_KIND.collection(kind=kind.value)
    since = to_wire(moment).removesuffix("Z")
    return read.page(collection, SecurityEvent, since=since, newest_first=True, limit=limit).items


@access_pattern(
    "Which security events match the filters, newest first?",
    keys.SECURITY_EVENTS_OF_ACCOUNT,
    keys.SECURITY_EVENTS_BY_KIND,
)
def events(filters: EventFilter, start_key: Any = None) -> read.Page[SecurityEvent]:
    """Reads the index of the account or of the kind; without either the log is read day by day."""
    if read.is_empty_range(filters.since, filters.until):
        return EventPage([])
    if not filters.email and not filters.kind:
        return _by_day(filters, start_key)
    if filters.email:
        return _of_account(filters, start_key)
    collection = keys.SECURITY_EVENTS_BY_KIND.collection(kind=filters.kind)
    return read.page(collection, SecurityEvent, start_key=start_key, limit=PAGE, **_range(filters))


def _range(filters: EventFilter) -> dict[str, Any]:
    return {"since": filters.since, "until": filters.until, "newest_first": True}


def _of_account(filters: EventFilter, start_key: dict[str, Any] | None) -> EventPage:
    """The events of the current pepper, then those of the previous ones, which are older."""
    hashes, items = account_hashes(filters.email), list[SecurityEvent]()
    first, start = (start_key["pepper"], start_key["start"]) if start_key else (0, None)
    for number in range(first, len(hashes)):
        collection = keys.SECURITY_EVENTS_OF_ACCOUNT.collection(account=hashes[number])
        found = matching_events(collection, filters, start_key=start, limit=PAGE - len(items))
        items, start = [*items, *found.items], None
        if found.next_start_key is not None:
            return EventPage(items, _start_in(number, found.next_start_key), found.reached)
        if len(items) == PAGE and number + 1 < len(hashes):
            return EventPage(items, _start_in(number + 1, None))
    return EventPage(items)


def _start_in(pepper: int, start_key: Raw | None) -> dict[str, Any]:
    """The start of the next page: the number of the pepper, and the position among its events."""
    return {"pepper": pepper, "start": start_key}


@access_pattern("Which events of this account match the filters, newest first?", keys.SECURITY_EVENTS_OF_ACCOUNT)
def matching_events(collection: Collection, filters: EventFilter, **options: Any) -> EventPage:
    if not filters.kind:
        all_kinds = read.page(collection, SecurityEvent, **_range(filters), **options)
        return EventPage(all_kinds.items, all_kinds.next_start_key)
    is_kind = Path([SecurityEvent.kind.attr_name]) == filters.kind
    found = read.filter_page(collection, SecurityEvent, is_kind, **_range(filters), **options)
    reached = SecurityEvent.new_at_key(found.last_key_read).key_parts.get("at") if found.last_key_read else None
    return EventPage(found.items, found.next_start_key, datetime.fromisoformat(str(reached)) if reached else None)


def _by_day(filters: EventFilter, start_key: dict[str, Any] | None) -> EventPage:
    """Several days in parallel, as one round trip. The next page starts in the day where this one ended."""
    first = max(_day(filters.since) or date.min, now().date() - timedelta(days=MAX_DAYS))
    last, start = min(_day(filters.until) or date.max, now().date()), None
    if start_key:
        last, start = date.fromisoformat(start_key["day"]), start_key["start"]
    days = [day for day in (last - timedelta(days=number) for number in range(DAYS_AT_ONCE)) if day >= first]
    reads: list[Callable[[], read.Page[SecurityEvent]]] = [
        lambda day=day, at=at: events_of_day(day, filters.since, filters.until, at)  # type: ignore[misc]
        for day, at in zip(days, [start] + [None] * (len(days) - 1), strict=False)
    ]
    items: list[SecurityEvent] = []
    for day, found in zip(days, read.gather_all(reads), strict=True):
        taken = found.items[: PAGE - len(items)]
        items += taken
        if len(taken) < len(found.items) or found.next_start_key is not None:
            return EventPage(items, _start_at(day, taken[-1] if taken else None))
    if not days or days[-1] == first:
        return EventPage(items)
    reached = datetime.combine(days[-1], time(), UTC)
    return EventPage(items, _start_at(days[-1] - timedelta(days=1), None), reached)


@access_pattern("Which security events happened on this day, newest first?", keys.SECURITY_EVENT, partition=True)
def events_of_day(day: date, since: str | None, until: str | None, start_key: Raw | None) -> read.Page[SecurityEvent]:
    collection = keys.SECURITY_EVENT.collection(date=day.isoformat())
    return read.page(
        collection, SecurityEvent, since=since, until=until, newest_first=True, start_key=start_key, limit=PAGE
    )


def _day(bound: str | None) -> date | None:
    return date.fromisoformat(bound[:10]) if bound else None


def _start_at(day: date, last: SecurityEvent | None) -> dict[str, Any]:
    """The start of the next page: the day, and the event of that day after which it starts."""
    return {"day": day.isoformat(), "start": {"PK": {"S": last.pk}, "SK": {"S": last.sk}} if last else None}
