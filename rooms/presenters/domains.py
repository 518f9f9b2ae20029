"""Presenters of domains: the allowed ones, and excluded people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rooms.domains import is_domain, is_public, other_spelling
from rooms.queries.domains import AllowedDomains

PAGE = 100
# Excluded domains that are shown, largest first.
MAX_EXCLUDED = 10


@dataclass(frozen=True)
class DomainRow:
    """A domain and its number of people; None if unknown."""

    name: str
    people: int | None
    other_spelling: str
    is_public: bool
    # Whether the name is valid: outside writers may store anything.
    is_domain: bool

    @property
    def count(self) -> str:
        return "–" if self.people is None else f"{self.people:,}"


def _build_row(name: str, people: int | None) -> DomainRow:
    return DomainRow(name, people, other_spelling(name), is_public(name), is_domain(name))


def filter_names(allowed: AllowedDomains, q: str) -> list[str]:
    """The allowed domains that contain a text, in any spelling."""
    searched = q.strip().lower().removeprefix("@")
    if not searched:
        return allowed.names
    return [name for name in allowed.names if searched in name or searched in other_spelling(name)]


def build_rows(allowed: AllowedDomains, names: list[str], after: str) -> tuple[list[DomainRow], str | None]:
    """A page of rows after a domain, and the domain after which the next page starts."""
    remaining = [name for name in names if name > after] if after else names
    totals = allowed.totals
    rows = [_build_row(name, totals.people_of(name) if totals else None) for name in remaining[:PAGE]]
    return rows, remaining[PAGE - 1] if len(remaining) > PAGE else None


@dataclass(frozen=True)
class ExcludedDomains:
    """Domains that have people and are not in the list."""

    rows: list[DomainRow]
    domains: int
    people: int

    @property
    def hidden_count(self) -> int:
        return self.domains - len(self.rows)

    @property
    def count(self) -> str:
        return f"{self.people:,}"


def build_excluded(allowed: AllowedDomains) -> ExcludedDomains | None:
    """None before the first count."""
    if allowed.totals is None:
        return None
    numbers = dict(_excluded_counts(allowed))
    most_first = sorted(numbers, key=lambda name: (-numbers[name], name))
    # In the spelling that people use.
    rows = [_build_row(other_spelling(name) or name, numbers[name]) for name in most_first[:MAX_EXCLUDED]]
    return ExcludedDomains(rows, len(numbers), sum(numbers.values()))


def _excluded_counts(allowed: AllowedDomains) -> Iterator[tuple[str, int]]:
    counts = allowed.totals.counts if allowed.totals else {}
    return ((name, n) for name, n in counts.items() if allowed.whitelist.find_match(name) is None)
