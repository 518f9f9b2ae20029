"""Counting people by e-mail domain, without the table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.platform.event.domains import MAX_DOMAIN_LENGTH, domain_of, to_ascii
from dashboard.table.item_size import size_of
from dashboard.table.nested import StoredMap
from rooms.items import DomainCount

# The key for people without a domain and for domains that are not counted separately. No domain has this name.
OTHERS = "*"
# Domains that are counted separately, and the bytes they may take: two such maps fit into one item.
MAX_DOMAINS, MAX_BYTES = 4_000, 120 * 1024


def valid_counts(counts: Any) -> dict[str, int]:
    """The valid entries of a stored map of domains and numbers."""
    return {name: number for name, number in StoredMap.of(counts).counts().items() if number > 0}


def add_people(counts: Mapping[str, int], addresses: Iterable[str]) -> dict[str, int]:
    """The counts after adding these people."""
    totals = dict(counts)
    size = size_of(totals)
    for address in addresses:
        name = _counted_name(address)
        if name not in totals and name != OTHERS:
            new_size = size + size_of({name: 0})
            if len(totals) >= MAX_DOMAINS or new_size > MAX_BYTES:
                name = OTHERS
            else:
                size = new_size
        totals[name] = totals.get(name, 0) + 1
    return totals


def remove_person(counts: Mapping[str, int], address: str) -> dict[str, int]:
    """The counts without one person of this domain."""
    totals, name = dict(counts), _counted_name(address)
    name = name if name in totals else OTHERS
    totals[name] = totals.get(name, 0) - 1
    return {each: number for each, number in totals.items() if number > 0}


def _counted_name(address: str) -> str:
    name = to_ascii(domain_of(address)) if "@" in address else ""
    return name if 0 < len(name.encode()) <= MAX_DOMAIN_LENGTH else OTHERS


@dataclass(frozen=True)
class DomainTotals:
    """The number of people per domain."""

    counts: Mapping[str, int]
    total: int
    # People whose domain is not counted separately.
    other_people: int

    @classmethod
    def from_item(cls, count: DomainCount | None) -> DomainTotals | None:
        """None before the first count."""
        if count is None or count.counted_at is None:
            return None
        counts = valid_counts(count.counts)
        other_people = counts.pop(OTHERS, 0)
        return cls(counts, sum(counts.values()) + other_people, other_people)

    def people_of(self, domain: str) -> int | None:
        """The number of people of a domain; None if they may be among those not counted separately."""
        found = self.counts.get(to_ascii(domain))
        return found if found is not None or self.other_people else 0
