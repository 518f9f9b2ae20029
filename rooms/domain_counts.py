"""How many people each domain has: adding up, and reading what was added up. It knows no table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.platform.event.domains import MAX_DOMAIN_LENGTH, domain_of, to_ascii
from dashboard.table.item_size import weight
from rooms.items import DomainCount

# What is not kept apart, and who has no domain. No domain is called so.
OTHERS = "*"
# So many domains are kept apart, in so many bytes: two such maps and more fit into one item.
MAX_DOMAINS, MAX_BYTES = 4_000, 120 * 1024


def valid_counts(counts: Any) -> dict[str, int]:
    """A map of domains and numbers, whatever it is."""
    if not isinstance(counts, dict):
        return {}
    return {name: n for name, n in counts.items() if isinstance(n, int) and not isinstance(n, bool) and n > 0}


def add_people(counts: Mapping[str, int], addresses: Iterable[str]) -> dict[str, int]:
    """The counts with these people in them."""
    totals = dict(counts)
    size = weight(totals)
    for address in addresses:
        name = _counted_name(address)
        if name not in totals and name != OTHERS:
            new_size = size + weight({name: 0})
            if len(totals) >= MAX_DOMAINS or new_size > MAX_BYTES:
                name = OTHERS
            else:
                size = new_size
        totals[name] = totals.get(name, 0) + 1
    return totals


def _counted_name(address: str) -> str:
    name = to_ascii(domain_of(address)) if "@" in address else ""
    return name if 0 < len(name.encode()) <= MAX_DOMAIN_LENGTH else OTHERS


@dataclass(frozen=True)
class DomainTotals:
    """What the count says."""

    counts: Mapping[str, int]
    total: int
    # Those whose domains are not kept apart.
    other_people: int

    @classmethod
    def from_item(cls, count: DomainCount | None) -> DomainTotals | None:
        """None where nobody has counted yet."""
        if count is None or count.counted_at is None:
            return None
        counts = valid_counts(count.counts)
        other_people = counts.pop(OTHERS, 0)
        return cls(counts, sum(counts.values()) + other_people, other_people)

    def people_of(self, domain: str) -> int | None:
        """How many a domain has; none where it may be among those that are not kept apart."""
        found = self.counts.get(to_ascii(domain))
        return found if found is not None or self.other_people else 0
