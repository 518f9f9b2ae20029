"""What was used on a day, and in a month. Each counter is an attribute of its own, to which processes add."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime, timedelta
from typing import Self

from dashboard.platform.usage.prices import cost_of
from dashboard.table import keys
from dashboard.table.items import Item, Raw
from dashboard.table.keypattern import Key

# How long a day is kept: billing needs the year before.
KEPT = timedelta(days=400)
# In place of an API key: people in the back office, requests without a known key, and the sum of everything.
PEOPLE, UNKNOWN_KEY, ALL = "people", "unknown", "all"
# The counters of whole requests, in place of an access pattern.
REQUESTS = "requests"
# Patterns beyond the maximum of one item are counted together.
OTHER_PATTERNS = "other"
MAX_PATTERNS = 150
# Between the name of a pattern and that of a counter, and before the number of a process's last addition.
_SEPARATOR, _PROCESS = "|", "process|"


@dataclass(frozen=True)
class Counters:
    """The counters of an access pattern or of whole requests. The names are those of the attributes."""

    calls: float = 0
    errors: float = 0
    reads: float = 0
    writes: float = 0
    ms: float = 0
    bytes: float = 0
    # Only of requests: refused because of too many, from a website that is not allowed, with a revoked key.
    throttled: float = 0
    foreign: float = 0
    rejected: float = 0

    def __add__(self, other: Self) -> Counters:
        return Counters(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    def added(self) -> Iterator[tuple[str, float]]:
        """The counters that are not 0."""
        for each in fields(self):
            value = getattr(self, each.name)
            if value:
                yield each.name, value

    @property
    def units(self) -> float:
        return self.reads + self.writes

    @property
    def mean_ms(self) -> float:
        return self.ms / self.calls if self.calls else 0.0

    @property
    def cost(self) -> float:
        """In US dollars."""
        return cost_of(self.reads, self.writes)

    @property
    def abuse(self) -> float:
        return self.throttled + self.foreign + self.rejected


_NAMES = frozenset(each.name for each in fields(Counters))


def attribute_of(pattern: str, counter: str) -> str:
    return f"{pattern}{_SEPARATOR}{counter}"


def process_attribute(process: str) -> str:
    """The number of the last addition of this process, so that none is made twice."""
    return f"{_PROCESS}{process}"


def counters_in(raw: Mapping[str, Mapping[str, str]]) -> dict[str, Counters]:
    """The counters of an item, by access pattern."""
    found: dict[str, dict[str, float]] = {}
    for name, value in raw.items():
        pattern, separator, counter = name.rpartition(_SEPARATOR)
        if separator and counter in _NAMES and "N" in value:
            found.setdefault(pattern, {})[counter] = float(value["N"])
    return {pattern: Counters(**values) for pattern, values in found.items()}


class Usage(Item):
    """The usage of one API key, or of the people of a business, on one day."""

    # That of the platform; those of a business are in its own partition.
    key_pattern = keys.SYSTEM_USAGE
    editable = False

    @classmethod
    def of(cls, raw: Raw, *, partial: bool = False) -> Self:
        item = super().of(raw, partial=partial)
        item.patterns = counters_in(raw)
        return item

    patterns: dict[str, Counters]

    @property
    def day(self) -> str:
        return str(self._parts_of_key.get("date", ""))

    @property
    def api_key(self) -> str:
        return str(self._parts_of_key.get("key", ""))

    @property
    def requests(self) -> Counters:
        """Whole requests, with the units of all their calls."""
        return self.patterns.get(REQUESTS, Counters())

    @property
    def _parts_of_key(self) -> Mapping[str, object]:
        return keys.SYSTEM_USAGE.read(*self.key) or keys.USAGE.read(*self.key) or {}


class MonthlyUsage(Item):
    """The requests of a business in a month: those with API keys, and all."""

    key_pattern = keys.MONTHLY_USAGE
    editable = False

    patterns: dict[str, Counters]

    @classmethod
    def of(cls, raw: Raw, *, partial: bool = False) -> Self:
        item = super().of(raw, partial=partial)
        item.patterns = counters_in(raw)
        return item

    @property
    def business(self) -> str:
        return str(self.key_parts["tenant"])

    @property
    def requests(self) -> Counters:
        return self.patterns.get(REQUESTS, Counters())

    @property
    def api_requests(self) -> Counters:
        """The requests that count towards the limit of the plan."""
        return self.patterns.get(API_REQUESTS, Counters())


# In a month: the requests with an API key.
API_REQUESTS = "api"


def usage_key(business: str, day: date | datetime, api_key: str) -> Key:
    parts = {"date": f"{day:%Y-%m-%d}", "key": api_key}
    return keys.USAGE.key(tenant=business, **parts) if business else keys.SYSTEM_USAGE.key(**parts)


def month_key(business: str, day: date | datetime) -> Key:
    return keys.MONTHLY_USAGE.key(tenant=business, month=f"{day:%Y-%m}")
