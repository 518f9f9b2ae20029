"""What is sealed: a log whose entries can be asked for by the day. The audit trail of a scope is one."""

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

# Above every day, and below every seal of another trail in the same partition.
NO_END = "9999-99-99"
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True)
class Trail:
    """A log to seal. A place is an entry's sort key without the prefix that all share: it begins with its day."""

    # As it is signed, and as people read it.
    scope: str
    kind: str
    name: str
    sealing: Key
    seals: Collection
    seal: Callable[[str], Key]
    part: Callable[[str, int], Key]
    parts: Callable[[str], Collection]
    # The entries from one place to another, consistently and in order.
    entries: Callable[[str, str, Raw | None, int], Page[Raw]]
    position: Callable[[Raw], str]

    def day(self, day: str) -> Iterator[Raw]:
        return all_pages(lambda start: self.entries(day, day, start, 1000))

    def next_day(self, since: str, until: str, on_undated: Callable[[Raw], None] = lambda _: None) -> str | None:
        """The first day from here through there that has entries; told of those before it whose key names no day."""
        if not until or (since > until and not since.startswith(until)):
            return None
        for raw in all_pages(lambda start: self.entries(since, until, start, 1000 if start else 1)):
            day = day_of(self.position(raw))
            if day is not None:
                return day
            on_undated(raw)
        return None

    def day_of_entry(self, raw: Raw) -> str | None:
        """The day an entry belongs to; none where its key names none."""
        return day_of(self.position(raw))

    def entries_from(self, since: str) -> Iterator[Raw]:
        """All entries from this place on."""
        return all_pages(lambda start: self.entries(since, "", start, 1000))

    def has_entries(self) -> bool:
        return bool(self.entries("", "", None, 1).items)


def all_pages(ask: Callable[[Raw | None], Page[T]]) -> Iterator[T]:
    """All items of all pages, one page at a time."""
    page = ask(None)
    yield from page.items
    while page.next is not None:
        page = ask(page.next)
        yield from page.items


def day_of(position: str) -> str | None:
    """The day an entry belongs to; none where its key does not begin with one."""
    text = position[:10]
    if not _DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None


def position_after(day: str) -> str:
    """The first place above all that begin with this day, whatever follows it; without a day the first of all."""
    return day[:-1] + chr(ord(day[-1]) + 1) if day else ""


PLATFORM, BUSINESS = "platform", "business"


def audit_trail(business: str | None = None) -> Trail:
    """The audit trail of a business, or of the platform."""
    if business is None:
        return _build_trail(
            PLATFORM, {}, keys.SYSTEM_AUDIT, keys.SYSTEM_SEAL, keys.SYSTEM_SEAL_PART, keys.SYSTEM_SEALING
        )
    return _build_trail(business, {"tenant": business}, keys.AUDIT, keys.SEAL, keys.SEAL_PART, keys.SEALING)


def business_trails(is_same_moment: int = 100) -> Iterator[list[Trail]]:
    """The trails of all businesses, as many at a time as one question may name."""
    batch: list[Trail] = []
    for business in all_pages(queries.businesses):
        parts = keys.TENANT.read(*business.key)
        if parts:
            batch.append(audit_trail(str(parts["tenant"])))
        if len(batch) == is_same_moment:
            yield batch
            batch = []
    if batch:
        yield batch


# Logs of other apps that are sealed like the trails: each says how it is read.
APP_TRAILS: list[Callable[[], Trail]] = []


def register_sealed_log(trail: Callable[[], Trail]) -> Callable[[], Trail]:
    """Register a log that is sealed once it has entries."""
    APP_TRAILS.append(trail)
    return trail


def app_trails() -> list[Trail]:
    return [trail() for trail in APP_TRAILS]


def find_trail(kind: str, name: str) -> Trail | None:
    """The trail that an entry of a beginning names; none where that is no trail."""
    if kind == BUSINESS:
        return audit_trail(name)
    return next((trail for trail in (audit_trail(), *app_trails()) if trail.kind == kind), None)


def trail_at(sealing: Key) -> Trail:
    """The trail that this record says the state of."""
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
    where = entry.under(**scope)
    return Trail(
        scope=where.pk,
        kind=BUSINESS if scope else name,
        name=name,
        sealing=sealing.key(**scope),
        seals=seal.under(**scope),
        seal=lambda day: seal.key(**scope, date=day),
        part=lambda day, number: part.key(**scope, date=day, part=number),
        parts=lambda day: part.under(**scope, date=day),
        entries=lambda since, until, start, limit: queries.entries(where, since, until, start, limit),
        position=lambda raw: raw["SK"]["S"].removeprefix(where.prefix),
    )
