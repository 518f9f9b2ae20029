"""The list of versions by their numbers. The first argument is always the business."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from typing import Any

from pynamodb.expressions.condition import Condition

from branding.items import Theme, ThemeStatus, statuses
from branding.queries.themes import MAX_UNPADDED, with_number
from branding.tokens import VERSION_LIMIT
from dashboard.table import keys, read, schema
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key
from dashboard.table.registry import access_pattern

PAGE_SIZE = 9
# In the position of a list: how many items in the order of the keys contain all keys without leading zeros.
_UNPADDED = "unpadded"

# Reads a page in the order of the keys, from a position, up to a limit.
LoadPage = Callable[[Raw | None, int], read.FilteredPage[Theme]]


@dataclass(frozen=True)
class VersionPage(read.FilteredPage[Theme]):
    """A page of versions, newest first."""

    # There are more than MAX_UNPADDED keys without leading zeros: some of them are not in the list.
    has_more_unpadded: bool = False


@access_pattern("Which versions has this business, newest first?", keys.THEME, partition=True)
def versions(business: str, start_key: Raw | None = None) -> VersionPage:
    """Only the attributes that lists show. Consistent, so that a change is visible at once."""
    collection = keys.THEME.collection(tenant=business)
    options: dict[str, Any] = {"attributes": Theme.IN_LISTS, "newest_first": True, "consistent": True}
    return _by_number(
        business,
        lambda start, limit: _to_filtered(read.page(collection, Theme, limit=limit, start_key=start, **options)),
        start_key,
    )


@access_pattern("Which versions are drafts, published, or discarded?", keys.THEME, partition=True)
def versions_with_status(business: str, statuses: list[ThemeStatus], start_key: Raw | None = None) -> VersionPage:
    """No index serves this: it reads a limited number of versions and returns how far it got."""
    keep = reduce(or_, [_has_status(status) for status in statuses])
    collection = keys.THEME.collection(tenant=business)
    options: dict[str, Any] = {"newest_first": True, "consistent": True}
    return _by_number(
        business,
        lambda start, limit: read.filter_page(collection, Theme, keep, limit=limit, start_key=start, **options),
        start_key,
    )


def _to_filtered(page: read.Page[Theme]) -> read.FilteredPage[Theme]:
    return read.FilteredPage(page.items, page.next_start_key)


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


def _by_number(business: str, load: LoadPage, start_key: Raw | None) -> VersionPage:
    """Put keys without leading zeros, which sort above all others, at the places of their numbers.

    Without such keys this is one read, as for any list. With them, each page also reads up to MAX_UNPADDED of them.
    """
    start, count = _position(start_key)
    if count:
        above = load(None, min(count, MAX_UNPADDED)).items
        regular = load(start, PAGE_SIZE)
    else:
        page = load(start, PAGE_SIZE)
        themes = with_number(page.items)
        if start is not None or not any(theme.has_unpadded_key for theme in themes):
            return VersionPage(themes, page.next_start_key, page.last_key_read)
        above = _read_above(load, page)
        count = len(above)
        above = above[:MAX_UNPADDED]
        regular = load(_top(business) if count > MAX_UNPADDED else _start_after(above[-1].key), PAGE_SIZE)
    above = [theme for theme in with_number(above) if _is_above(theme)]
    if start is not None:
        before = Theme.new_at_key(_key_of(start)).number
        above = [theme for theme in above if theme.number < before]
    return replace(_merge(business, above, regular, count), has_more_unpadded=count > MAX_UNPADDED)


def _is_above(theme: Theme) -> bool:
    """Whether its key sorts above those with a leading zero; keys without a number do too."""
    return "version" not in theme.key_parts or theme.has_unpadded_key or theme.number >= VERSION_LIMIT // 10


def _read_above(load: LoadPage, page: read.FilteredPage[Theme]) -> list[Theme]:
    """The items down to the last key without leading zeros; one more than MAX_UNPADDED if there are more."""
    items = list(page.items)
    if page.next_start_key is not None and _is_above(items[-1]):
        items += load(page.next_start_key, MAX_UNPADDED).items
    last = max(index for index, theme in enumerate(items) if _is_above(theme))
    return items[: min(last, MAX_UNPADDED) + 1]


def _merge(business: str, above: list[Theme], regular: read.FilteredPage[Theme], count: int) -> VersionPage:
    """The next page starts below the last number that is shown or was read."""
    reached = _key_of(regular.next_start_key) if regular.next_start_key else None
    if reached is not None:
        floor = int(Theme.new_at_key(reached).key_parts.get("version", 0))
        above = [theme for theme in above if theme.number > floor]
    by_number: dict[int, Theme] = {}
    for theme in [*(each for each in with_number(regular.items) if not each.has_unpadded_key), *above]:
        by_number.setdefault(theme.number, theme)
    themes = sorted(by_number.values(), key=lambda theme: theme.number, reverse=True)
    if len(themes) > PAGE_SIZE:
        last = keys.THEME.key(tenant=business, version=themes[PAGE_SIZE - 1].number)
        return VersionPage(themes[:PAGE_SIZE], _start_after(last, count))
    return VersionPage(themes, _start_after(reached, count) if reached else None, regular.last_key_read)


def _position(start_key: Raw | None) -> tuple[Raw | None, int]:
    if start_key is None:
        return None, 0
    start = {name: value for name, value in start_key.items() if name != _UNPADDED}
    return start, int(start_key.get(_UNPADDED, {}).get("N", 0))


def _start_after(key: Key, unpadded: int = 0) -> Raw:
    start = {schema.PK: {"S": key.pk}, schema.SK: {"S": key.sk}}
    return start | ({_UNPADDED: {"N": str(unpadded)}} if unpadded else {})


def _top(business: str) -> Raw:
    """Above the keys with a leading zero, and below those without."""
    return _start_after(keys.unpadded_theme(business, 1))


def _key_of(start_key: Raw) -> Key:
    return Key(start_key[schema.PK]["S"], start_key[schema.SK]["S"])
