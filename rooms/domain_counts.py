"""How many people each domain has: adding up, and reading what was added up. It knows no table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.platform.event.domains import LONGEST, domain_of, same_as
from dashboard.table.item_size import weight
from rooms.items import DomainCount

# What is not kept apart, and who has no domain. No domain is called so.
OTHERS = "*"
# So many domains are kept apart, in so many bytes: two such maps and more fit into one item.
MOST, MOST_BYTES = 4_000, 120 * 1024


def counts_of(counts: Any) -> dict[str, int]:
    """A map of domains and numbers, whatever it is."""
    if not isinstance(counts, dict):
        return {}
    return {name: n for name, n in counts.items() if isinstance(n, int) and not isinstance(n, bool) and n > 0}


def with_people(counts: Mapping[str, int], addresses: Iterable[str]) -> dict[str, int]:
    """The counts with these people in them."""
    after = dict(counts)
    size = weight(after)
    for address in addresses:
        name = _name_of(address)
        if name not in after and name != OTHERS:
            heavier = size + weight({name: 0})
            if len(after) >= MOST or heavier > MOST_BYTES:
                name = OTHERS
            else:
                size = heavier
        after[name] = after.get(name, 0) + 1
    return after


def _name_of(address: str) -> str:
    name = same_as(domain_of(address)) if "@" in address else ""
    return name if 0 < len(name.encode()) <= LONGEST else OTHERS


@dataclass(frozen=True)
class Counted:
    """What the count says."""

    counts: Mapping[str, int]
    total: int
    # Those whose domains are not kept apart.
    others: int

    @classmethod
    def of(cls, count: DomainCount | None) -> Counted | None:
        """None where nobody has counted yet."""
        if count is None or count.counted_at is None:
            return None
        counts = counts_of(count.counts)
        others = counts.pop(OTHERS, 0)
        return cls(counts, sum(counts.values()) + others, others)

    def people(self, domain: str) -> int | None:
        """How many a domain has; none where it may be among those that are not kept apart."""
        found = self.counts.get(same_as(domain))
        return found if found is not None or self.others else 0
