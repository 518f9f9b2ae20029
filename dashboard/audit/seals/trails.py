"""What is sealed: a log whose entries can be asked for by the day. The audit trail of a scope is one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from dashboard.audit.seals import queries
from dashboard.table import keys
from dashboard.table.items import Raw
from dashboard.table.keypattern import Collection, Key, Parts, Pattern
from dashboard.table.read import Page

T = TypeVar("T")

# Above everything that can follow in a sort key, and below everything that stands further on.
LAST = "\U0010ffff"
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
    place: Callable[[Raw], str]

    def day(self, day: str) -> Iterator[Raw]:
        return every(lambda start: self.entries(day, day, start, 1000))

    def next_place(self, after: str, until: str) -> str | None:
        """The place of the first entry after this one, through that day."""
        if not until or after > until + LAST:
            return None
        first = self.entries(after, until, None, 1).items
        return self.place(first[0]) if first else None


def every(ask: Callable[[Raw | None], Page[T]]) -> Iterator[T]:
    """All items of all pages, one page at a time."""
    page = ask(None)
    yield from page.items
    while page.next is not None:
        page = ask(page.next)
        yield from page.items


def day_of(place: str) -> str | None:
    """The day an entry belongs to; none where its key does not begin with one."""
    text = place[:10]
    if not _DAY.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None


PLATFORM = "platform"


def audit_trail(tenant: str | None = None) -> Trail:
    """The audit trail of a business, or of the platform."""
    if tenant is None:
        return _trail(PLATFORM, {}, keys.SYSTEM_AUDIT, keys.SYSTEM_SEAL, keys.SYSTEM_SEAL_PART, keys.SYSTEM_SEALING)
    return _trail(tenant, {"tenant": tenant}, keys.AUDIT, keys.SEAL, keys.SEAL_PART, keys.SEALING)


def trail_at(sealing: Key) -> Trail:
    """The trail that this record says the state of."""
    parts = keys.SEALING.read(*sealing)
    return audit_trail(str(parts["tenant"]) if parts else None)


def _trail(
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
        kind="business" if scope else name,
        name=name,
        sealing=sealing.key(**scope),
        seals=seal.under(**scope),
        seal=lambda day: seal.key(**scope, date=day),
        part=lambda day, number: part.key(**scope, date=day, part=number),
        parts=lambda day: part.under(**scope, date=day),
        entries=lambda since, until, start, limit: queries.entries(where, since, until, start, limit),
        place=lambda raw: raw["SK"]["S"].removeprefix(where.prefix),
    )
