"""The list of versions by their numbers. The first argument is always the business.

A key without leading zeros sorts above all keys with them. The two ranges are read in parallel, and merged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from typing import Any

from pynamodb.expressions.condition import Condition

from branding.items import Theme, ThemeStatus, statuses
from branding.queries.themes import MAX_UNPADDED, with_number
from dashboard.table import keys, read, schema
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from dashboard.table.registry import access_pattern

PAGE_SIZE = 9
# The first digits of keys with and without leading zeros.
_PADDED, _UNPADDED = "0", "1"
# In the position of a list: whether the business has keys without leading zeros.
_HAS_UNPADDED = "unpadded"
_OPTIONS: dict[str, Any] = {"newest_first": True, "consistent": True}


@dataclass(frozen=True)
class VersionPage(read.FilteredPage[Theme]):
    """A page of versions, newest first."""

    # There are more than MAX_UNPADDED keys without leading zeros: some of them are not in the list.
    has_more_unpadded: bool = False


def versions(business: str, start_key: Raw | None = None) -> VersionPage:
    """All versions. Consistent, so that a change is visible at once."""
    return build_version_page(business, [], start_key, read.gather_all(version_reads(business, [], start_key)))


def version_reads(business: str, statuses: list[ThemeStatus], start_key: Raw | None) -> list[Callable[[], Any]]:
    """The reads of a page, to run in parallel. Following pages read one range if the other one is empty."""
    start, has_unpadded = _position(start_key)
    regular = (
        partial(padded_versions_with_status, business, statuses) if statuses else partial(padded_versions, business)
    )
    return [partial(regular, start), *([partial(unpadded_versions, business)] if has_unpadded else [])]


def build_version_page(
    business: str, statuses: list[ThemeStatus], start_key: Raw | None, results: Sequence[Any]
) -> VersionPage:
    """The page from the results of `version_reads`. Empty `statuses` stand for all."""
    regular, found = results[0], results[1] if len(results) > 1 else read.Page([])
    unpadded = [each for each in with_number(found.items) if not statuses or each.current_status in statuses]
    if start_key is not None:
        before = Theme.new_at_key(_key_of(start_key)).number
        unpadded = [theme for theme in unpadded if theme.number < before]
    reached = regular.next_start_key
    if reached is not None:
        # The next page starts below the last number that is shown or was read.
        floor = int(Theme.new_at_key(_key_of(reached)).key_parts.get("version", 0))
        unpadded = [theme for theme in unpadded if theme.number > floor]
    # A number with both forms of key is listed once. Only unusual keys of the first range have no padded number.
    padded = [theme for theme in with_number(regular.items) if not theme.has_unpadded_key]
    by_number = {theme.number: theme for theme in (*unpadded, *padded)}
    themes = sorted(by_number.values(), key=lambda theme: theme.number, reverse=True)
    last_key_read = regular.last_key_read
    if len(themes) > PAGE_SIZE:
        themes = themes[:PAGE_SIZE]
        last = keys.THEME.key(tenant=business, version=themes[-1].number)
        reached, last_key_read = {schema.PK: {"S": last.pk}, schema.SK: {"S": last.sk}}, None
    if reached is not None and found.items:
        reached = reached | {_HAS_UNPADDED: {"N": "1"}}
    return VersionPage(themes, reached, last_key_read, has_more_unpadded=found.next_start_key is not None)


@access_pattern("Which versions have a key with leading zeros, newest first?", keys.THEME, partition=True)
def padded_versions(business: str, start: Raw | None) -> read.FilteredPage[Theme]:
    """Only the attributes that lists show."""
    collection = keys.THEME.collection(tenant=business)
    options: dict[str, Any] = {"attributes": Theme.IN_LISTS, "starts_with": _PADDED} | _OPTIONS
    found = read.page(collection, Theme, limit=PAGE_SIZE, start_key=start, **options)
    return read.FilteredPage(found.items, found.next_start_key)


@access_pattern("Which versions are drafts, published, or discarded?", keys.THEME, partition=True)
def padded_versions_with_status(
    business: str, statuses: list[ThemeStatus], start: Raw | None
) -> read.FilteredPage[Theme]:
    """No index serves this: it reads a limited number of versions and returns how far it got."""
    keep = reduce(or_, [_has_status(status) for status in statuses])
    collection = keys.THEME.collection(tenant=business)
    options: dict[str, Any] = {"since": _PADDED, "until": _PADDED} | _OPTIONS
    return read.filter_page(collection, Theme, keep, limit=PAGE_SIZE, start_key=start, **options)


@access_pattern("Which versions have a key without leading zeros?", keys.THEME, partition=True)
def unpadded_versions(business: str) -> read.Page[Theme]:
    """Also versions from 10,000,000 on."""
    collection = keys.THEME.collection(tenant=business)
    options: dict[str, Any] = {"attributes": Theme.IN_LISTS, "since": _UNPADDED} | _OPTIONS
    return read.page(collection, Theme, limit=MAX_UNPADDED, **options)


@dataclass(frozen=True)
class NewestVersions:
    """The newest versions, and those of them that have a key without leading zeros, by number."""

    themes: list[Theme]
    has_more: bool
    unpadded: dict[int, Theme]


@access_pattern("Which versions are the newest?", keys.THEME, partition=True)
def newest_versions(business: str) -> NewestVersions:
    """One query for a choice of versions, not for what somebody has just changed: it is not consistent.

    It reads twice as many versions as it returns, for the same capacity units as a consistent one: keys without
    leading zeros come first.
    """
    collection = keys.THEME.collection(tenant=business)
    found = read.page(collection, Theme, limit=2 * PAGE_SIZE, newest_first=True)
    themes = with_number(found.items)
    padded = [theme.number for theme in themes if not theme.has_unpadded_key]
    # All versions down to the last padded one were read.
    lowest = min(padded, default=0) if found.next_start_key else 0
    # The padded key of a number comes last.
    by_number = {theme.number: theme for theme in themes}
    numbers = sorted((number for number in by_number if number >= lowest), reverse=True)
    has_more = found.next_start_key is not None or len(numbers) > PAGE_SIZE
    newest = [by_number[number] for number in numbers[:PAGE_SIZE]]
    return NewestVersions(newest, has_more, {theme.number: theme for theme in themes if theme.has_unpadded_key})


def _has_status(status: ThemeStatus) -> Any:
    """The condition for `Theme.current_status`."""
    is_draft = Theme.status.is_in(*statuses.spellings(ThemeStatus.DRAFT)) | Theme.status.does_not_exist()
    was_live, was_discarded = Theme.first_published_at.exists(), Theme.discarded_at.exists()
    if status == ThemeStatus.DRAFT:
        return is_draft & ~was_live & ~was_discarded
    same: Condition = Theme.status.is_in(*statuses.spellings(status))
    if status == ThemeStatus.SUPERSEDED:
        return same | (is_draft & was_live)
    if status == ThemeStatus.DISCARDED:
        return same | (is_draft & was_discarded & ~was_live)
    return same


def _position(start_key: Raw | None) -> tuple[Raw | None, bool]:
    """The position among the keys with leading zeros, and whether the others have to be read too."""
    if start_key is None:
        return None, True
    start = {name: value for name, value in start_key.items() if name != _HAS_UNPADDED}
    # From 10,000,000 on a number has no leading zero: all keys with one follow.
    is_padded = _key_of(start).sk.startswith(f"{keys.THEME.sk.prefix({})}{_PADDED}")
    return start if is_padded else None, _HAS_UNPADDED in start_key


def _key_of(start_key: Raw) -> Key:
    return Key(start_key[schema.PK]["S"], start_key[schema.SK]["S"])
