"""The domains as a page lists them: what is let in, and whose people are not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rooms.domains import is_domain, is_public, other_spelling
from rooms.queries.domains import LetIn

PAGE = 100
# So many of the domains that are not let in are shown, those with most people first.
OUTSIDE = 10


@dataclass(frozen=True)
class DomainRow:
    """A domain and how many people it has; none where nobody knows."""

    name: str
    people: int | None
    other: str
    is_public: bool
    # Whether there can be such a domain: another service may have written anything.
    is_domain: bool

    @property
    def count(self) -> str:
        return "–" if self.people is None else f"{self.people:,}"


def _row(name: str, people: int | None) -> DomainRow:
    return DomainRow(name, people, other_spelling(name), is_public(name), is_domain(name))


def found(at: LetIn, q: str) -> list[str]:
    """The domains of the list that are asked for, however they are spelled."""
    wanted = q.strip().lower().removeprefix("@")
    if not wanted:
        return at.names
    return [name for name in at.names if wanted in name or wanted in other_spelling(name)]


def page_of(at: LetIn, names: list[str], after: str) -> tuple[list[DomainRow], str | None]:
    """The rows that follow a domain, and the domain that the next page follows."""
    left = [name for name in names if name > after] if after else names
    counted = at.counted
    rows = [_row(name, counted.people(name) if counted else None) for name in left[:PAGE]]
    return rows, left[PAGE - 1] if len(left) > PAGE else None


@dataclass(frozen=True)
class Outside:
    """Domains of people that no domain of the list lets in; of everybody where the list is empty."""

    rows: list[DomainRow]
    domains: int
    people: int

    @property
    def more(self) -> int:
        return self.domains - len(self.rows)

    @property
    def count(self) -> str:
        return f"{self.people:,}"


def outside(at: LetIn) -> Outside | None:
    """None where nobody has counted."""
    if at.counted is None:
        return None
    numbers = dict(_not_listed(at))
    most_first = sorted(numbers, key=lambda name: (-numbers[name], name))
    # As people write them, not machines.
    rows = [_row(other_spelling(name) or name, numbers[name]) for name in most_first[:OUTSIDE]]
    return Outside(rows, len(numbers), sum(numbers.values()))


def _not_listed(at: LetIn) -> Iterator[tuple[str, int]]:
    counts = at.counted.counts if at.counted else {}
    return ((name, n) for name, n in counts.items() if at.whitelist.by(name) is None)
