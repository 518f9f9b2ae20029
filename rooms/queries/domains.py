"""Queries for allowed domains and the count of people by domain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from dashboard.platform.configs.items import Config
from dashboard.platform.event.domains import Whitelist
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.nested import StoredMap
from dashboard.table.registry import access_pattern
from dashboard.table.schema import BY_NAME, PK, SK
from dashboard.table.timestamps import to_wire
from rooms.configs.domains import DOMAINS, whitelist_of
from rooms.domain_counts import DomainTotals, valid_counts
from rooms.items import DomainCount, SubtractedPerson

# People in one step of the count.
PAGE = 1_000
# Sorts before every timestamp.
_LOWEST = "\x01"
_INDEX = BY_NAME[keys.PEOPLE_BY_AGE.index]
# The registration time in the index key of a person.
REGISTERED_AT = str(_INDEX.sk)
_POSITION = (PK, SK, REGISTERED_AT)
# Sorts after a second and before the next one.
_AFTER = "~"


@dataclass(frozen=True)
class AllowedDomains:
    """The saved list and the number of people per domain."""

    config: Config | None
    count: DomainCount | None

    @property
    def revision(self) -> int:
        return self.config.revision if self.config else 0

    @property
    def number(self) -> int:
        """The current version; 0 if none was saved."""
        return self.config.number if self.config else 0

    @cached_property
    def whitelist(self) -> Whitelist:
        return whitelist_of(self.config)

    @cached_property
    def names(self) -> list[str]:
        """The allowed domains, sorted."""
        return sorted(self.whitelist.names.values())

    @cached_property
    def totals(self) -> DomainTotals | None:
        return DomainTotals.from_item(self.count)

    @property
    def recounted_people(self) -> int:
        """The number of people counted so far in an unfinished recount."""
        return sum(valid_counts(self.count.recount_counts).values()) if self.count else 0


@access_pattern("Which domains are allowed, and how many people has each?", keys.CONFIG, keys.DOMAIN_COUNT)
def load_allowed_domains() -> AllowedDomains:
    """The list and the count in one consistent read."""
    config, count = read.get_many([keys.CONFIG.key(name=DOMAINS.name), keys.DOMAIN_COUNT.key()])
    return AllowedDomains(
        config if isinstance(config, Config) else None,
        count if isinstance(count, DomainCount) else None,
    )


@access_pattern("How many people has each domain, and who was counted last?", keys.DOMAIN_COUNT)
def find_domain_count() -> DomainCount | None:
    return read.get(DomainCount, keys.DOMAIN_COUNT.key())


@access_pattern("Is this deleted person subtracted from the count?", keys.SUBTRACTED_PERSON)
def is_subtracted(email: str, registered_at: str) -> bool:
    key = keys.SUBTRACTED_PERSON.key(registered_at=registered_at, email=email)
    return read.get(SubtractedPerson, key) is not None


@dataclass(frozen=True)
class PeoplePage:
    """The next people to count, and the position after them. `position` is None if there is nobody."""

    people: list[Raw]
    position: dict[str, str] | None = None
    has_more: bool = False


@access_pattern("Who registered after this person, oldest first?", keys.PEOPLE_BY_AGE)
def people_after(position: Mapping[str, Any] | None, until: datetime) -> PeoplePage:
    """The keys of people after a position, including expired items: the count covers the whole index.

    A page ends with a second, unless a second has more people than a page: then `is_passed` can tell for every other
    second who was counted.
    """
    last, start_key = to_wire(until), _start_key(position)
    if start_key is not None and start_key[REGISTERED_AT]["S"] > last:
        return PeoplePage([])  # Clocks differ: nobody can have registered between.
    found = read.raw_page(
        keys.PEOPLE_BY_AGE.collection(), since=_LOWEST, until=last, start_key=start_key, limit=PAGE + 1, attributes=()
    )
    people, following = found.items[:PAGE], found.items[PAGE:]
    has_more = bool(following) or found.next_start_key is not None
    if not people:
        return PeoplePage([], has_more=has_more)
    second = people[-1][REGISTERED_AT]
    if not has_more or (following and following[0][REGISTERED_AT] != second):
        return PeoplePage(people, _after_second(people[-1]), has_more)
    earlier = [each for each in people if each[REGISTERED_AT] != second]
    if earlier:
        return PeoplePage(earlier, _after_second(earlier[-1]), has_more)
    return PeoplePage(people, _index_position(people[-1]), has_more)


def is_passed(position: Mapping[str, Any] | None, registered_at: str) -> bool:
    """Whether the count has passed people with this key in the index. In a second that is not finished: no."""
    start_key = _start_key(position)
    return start_key is not None and registered_at < start_key[REGISTERED_AT]["S"]


def registered_until(position: Mapping[str, Any] | None) -> str:
    """The registration time of the last person that was counted."""
    start_key = _start_key(position)
    return start_key[REGISTERED_AT]["S"].removesuffix(_AFTER) if start_key else ""


def _index_position(raw: Raw) -> dict[str, str]:
    """The position of a person in the index of people by age."""
    return {name: raw[name]["S"] for name in _POSITION}


def _after_second(raw: Raw) -> dict[str, str]:
    """The position after all people of the same second."""
    return _index_position(raw) | {REGISTERED_AT: raw[REGISTERED_AT]["S"] + _AFTER}


def _start_key(position: Mapping[str, Any] | None) -> Raw | None:
    """The start key of a query; None if the position is invalid, to start at the beginning."""
    parts = {name: StoredMap.of(position).text(name) for name in _POSITION}
    if not all(parts.values()):
        return None
    start_key = {name: {"S": text} for name, text in parts.items()}
    return start_key | {_INDEX.pk: {"S": keys.PEOPLE_BY_AGE.collection().pk}}
