"""Trails: logs that are sealed by the day. The audit trails of the platform and of each business, and logs of apps."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from dashboard.platform.audit.seals import queries
from dashboard.table import keys
from dashboard.table.items import Raw
from dashboard.table.keypattern import Collection, Key, Parts, Pattern
from dashboard.table.read import Page

T = TypeVar("T")

# Sorts after every day and before the seals of other trails in the same partition.
NO_END = "9999-99-99"
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True)
class Trail:
    """A log to seal. The position of an entry is its sort key without the common prefix and starts with its day."""

    # `scope` identifies the log and is signed with each seal; `kind` and `name` are shown.
    scope: str
    kind: str
    name: str
    sealing: Key
    seals: Collection
    seal: Callable[[str], Key]
    part: Callable[[str, int], Key]
    parts: Callable[[str], Collection]
    # The entries between two positions, in order, with consistent reads.
    entries: Callable[[str, str, Raw | None, int], Page[Raw]]
    position: Callable[[Raw], str]

    def day(self, day: str) -> Iterator[Raw]:
        return all_pages(lambda start: self.entries(day, day, start, 1000))

    def next_day(self, since: str, until: str, on_undated: Callable[[Raw], None] = lambda _: None) -> str | None:
        """The first day with entries in this range. Calls `on_undated` for earlier entries whose key has no day."""
        if not until or (since > until and not since.startswith(until)):
            return None
        for raw in all_pages(lambda start: self.entries(since, until, start, 1000 if start else 1)):
            day = day_of(self.position(raw))
            if day is not None:
                return day
            on_undated(raw)
        return None

    def day_of_entry(self, raw: Raw) -> str | None:
        """The day of an entry, or None if its key contains no valid day."""
        return day_of(self.position(raw))

    def entries_from(self, since: str) -> Iterator[Raw]:
        """All entries from this position on."""
        return all_pages(lambda start: self.entries(since, "", start, 1000))

    def has_entries(self) -> bool:
        return bool(self.entries("", "", None, 1).items)


def all_pages(load: Callable[[Raw | None], Page[T]]) -> Iterator[T]:
    """All items of all pages, one page at a time."""
    page = load(None)
    yield from page.items
    while page.next_start_key is not None:
        page = load(page.next_start_key)
        yield from page.items


def day_of(position: str) -> str | None:
    """The day at the start of a position, or None if there is no valid day."""
    text = position[:10]
    if not _DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None


def position_after(day: str) -> str:
    """The first position after all positions of this day. Without a day, the first position of all."""
    return day[:-1] + chr(ord(day[-1]) + 1) if day else ""


PLATFORM, BUSINESS = "platform", "business"


def audit_trail(business: str | None = None) -> Trail:
    """The audit trail of a business, or of the platform."""
    if business is None:
        return _build_trail(
            PLATFORM, {}, keys.SYSTEM_AUDIT, keys.SYSTEM_SEAL, keys.SYSTEM_SEAL_PART, keys.SYSTEM_SEALING
        )
    return _build_trail(business, {"tenant": business}, keys.AUDIT, keys.SEAL, keys.SEAL_PART, keys.SEALING)


def business_trails(batch_size: int = 100) -> Iterator[list[Trail]]:
    """The trails of all businesses, in batches that fit into one batch read."""
    batch: list[Trail] = []
    for business in all_pages(queries.businesses):
        parts = keys.TENANT.read(*business.key)
        if parts:
            batch.append(audit_trail(str(parts["tenant"])))
        if len(batch) == batch_size:
            yield batch
            batch = []
    if batch:
        yield batch


# The logs of apps that are sealed like the audit trails.
APP_TRAILS: list[Callable[[], Trail]] = []


def register_sealed_log(trail: Callable[[], Trail]) -> Callable[[], Trail]:
    """Register an app's log. Its sealing starts after it has entries."""
    APP_TRAILS.append(trail)
    return trail


def app_trails() -> list[Trail]:
    return [trail() for trail in APP_TRAILS]


def find_trail(kind: str, name: str) -> Trail | None:
    """The trail that an entry about a start of sealing names, or None if there is no such trail."""
    if kind == BUSINESS:
        return audit_trail(name)
    return next((trail for trail in (audit_trail(), *app_trails()) if trail.kind == kind), None)


def trail_at(sealing: Key) -> Trail:
    """The trail that this record belongs to."""
    for trail in app_trails():
        if trail.sealing == sealing:
            return trail
    parts = keys.SEALING.read(*sealing)
    return audit_trail(str(parts["tenant"]) if parts else None)


def _build_trail(
    name: str,
    scope: Parts,
    entry: Pattern,
    seal: Pattern,
    part: Pattern,
    sealing: Pattern,
) -> Trail:
    collection = entry.collection(**scope)
    return Trail(
        scope=collection.pk,
        kind=BUSINESS if scope else name,
        name=name,
        sealing=sealing.key(**scope),
        seals=seal.collection(**scope),
        seal=lambda day: seal.key(**scope, date=day),
        part=lambda day, number: part.key(**scope, date=day, part=number),
        parts=lambda day: part.collection(**scope, date=day),
        entries=lambda since, until, start, limit: queries.entries(collection, since, until, start, limit),
        position=lambda raw: raw["SK"]["S"].removeprefix(collection.prefix),
    )
