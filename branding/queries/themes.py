"""Queries for versions. The first argument is always the business."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from branding.items import BrandMeta, PublishedMarker, Theme
from branding.tokens import VERSION_LIMIT
from dashboard.core.errors import NotFound
from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.items import Item, PlainItem, Raw
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern

# How many keys without leading zeros, or without a number, are read when looking for the highest version.
MAX_UNPADDED = 50


def theme_keys(business: str, numbers: Iterable[int]) -> list[Key]:
    return [theme_key(business, number) for number in numbers]


def to_themes(business: str, numbers: Sequence[int], found: Sequence[Item | PlainItem | None]) -> dict[int, Theme]:
    """The versions that were found at their keys. The others are looked for, in a second round trip."""
    themes = {number: each for number, each in zip(numbers, found, strict=True) if isinstance(each, Theme)}
    missing = [number for number in numbers if number not in themes]
    return themes | (find_unpadded(business, missing) if missing else {})


@access_pattern("Which of these versions have a key without leading zeros?", keys.THEME)
def find_unpadded(business: str, versions: Iterable[int]) -> dict[int, Theme]:
    """For versions that are not at their keys: an outside writer may have left out the zeros."""
    numbers = list(versions)
    found = read.get_many([keys.unpadded_theme(business, number) for number in numbers])
    return {number: each for number, each in zip(numbers, found, strict=True) if isinstance(each, Theme)}


@access_pattern("What is in this version?", keys.THEME)
def load_theme(business: str, version: int, *, is_unpadded: bool = False) -> Theme:
    """In one round trip if the caller knows the form of the key, otherwise in up to two."""
    tried_keys = [theme_key(business, version), keys.unpadded_theme(business, version)]
    for key in reversed(tried_keys) if is_unpadded else tried_keys:
        if found := read.get(Theme, key):
            return found
    raise NotFound


@access_pattern("Which version is live?", keys.PUBLISHED)
def find_marker(business: str) -> PublishedMarker | None:
    return read.get(PublishedMarker, keys.PUBLISHED.key(tenant=business))


@dataclass(frozen=True)
class ThemeState:
    """A version, the marker of the live version, and further versions read with them."""

    theme: Theme
    marker: PublishedMarker | None
    other_themes: dict[int, Theme]

    @property
    def live_version(self) -> int | None:
        return self.marker.number if self.marker else None


@access_pattern("What is in this version, and which version is live?", keys.THEME, keys.PUBLISHED)
def load_theme_state(business: str, version: int, *other_versions: int | None) -> ThemeState:
    """One consistent round trip."""
    numbers = list(dict.fromkeys([version, *(number for number in other_versions if number is not None)]))
    found = read.get_many([keys.PUBLISHED.key(tenant=business), *theme_keys(business, numbers)])
    return theme_state(version, to_themes(business, numbers, found[1:]), typed(PublishedMarker, found[0]))


@access_pattern("What is in this version, whichever form its key has, and in these others?", keys.THEME)
def find_themes(business: str, version: int, *other_versions: int | None) -> dict[int, Theme]:
    """One consistent round trip; another one for other versions whose key has no leading zeros."""
    others = [number for number in dict.fromkeys(other_versions) if number is not None and number != version]
    keys_to_read = [*theme_keys(business, [version, *others]), keys.unpadded_theme(business, version)]
    padded, *found, unpadded = read.get_many(keys_to_read)
    theme = padded if isinstance(padded, Theme) else unpadded
    return to_themes(business, others, found) | ({version: theme} if isinstance(theme, Theme) else {})


def theme_state(version: int, themes: dict[int, Theme], marker: PublishedMarker | None) -> ThemeState:
    """The state from the versions that were found and the marker. NotFound if this version does not exist."""
    themes = dict(themes)
    theme = themes.pop(version, None)
    if theme is None:
        is_live = marker is not None and marker.number == version
        raise NotFound(missing_version_text(version) if is_live else None)
    return ThemeState(theme, marker, themes)


@access_pattern("What is in these versions, and which version is live?", keys.THEME, keys.PUBLISHED)
def themes_and_marker(business: str, *versions: int) -> tuple[dict[int, Theme], PublishedMarker | None]:
    """The versions that exist at padded keys, in one consistent round trip."""
    numbers = list(dict.fromkeys(versions))
    found = read.get_many([keys.PUBLISHED.key(tenant=business), *theme_keys(business, numbers)])
    themes = {number: each for number, each in zip(numbers, found[1:], strict=True) if isinstance(each, Theme)}
    return themes, typed(PublishedMarker, found[0])


@access_pattern("Which number does the next version get?", keys.BRAND_META)
def find_brand_meta(business: str) -> BrandMeta | None:
    return read.get(BrandMeta, keys.BRAND_META.key(tenant=business))


@access_pattern("Which version has the highest number?", keys.THEME, partition=True)
def find_highest_version(business: str) -> Theme | None:
    """Includes expired versions. Keys without leading zeros sort above all others, so that the others are read too."""
    collection, last = keys.THEME.collection(tenant=business), str(VERSION_LIMIT - 1)
    highest = _to_versions(read.raw_page(collection, until=last, limit=1, newest_first=True))
    if highest and not highest[0].has_unpadded_key:
        return highest[0]
    candidates = [
        *_to_versions(read.raw_page(collection, until=last, limit=MAX_UNPADDED, newest_first=True)),
        *_to_versions(read.raw_page(collection, until="0", limit=1, newest_first=True)),
    ]
    return max(candidates, key=lambda theme: theme.number, default=None)


def _to_versions(page: read.Page[Raw]) -> list[Theme]:
    return with_number([Theme.of(raw, partial=True) for raw in page.items])


def with_number(themes: list[Theme]) -> list[Theme]:
    """Leave out keys without a number, and with one that no version can have."""
    return [theme for theme in themes if theme.key_parts and theme.number < VERSION_LIMIT]


@access_pattern("What was done to this version, newest first?", keys.AUDIT_BY_TARGET)
def theme_history(business: str, version: int, limit: int = 20) -> list[AuditEntry]:
    collection = keys.AUDIT_BY_TARGET.collection(tenant=business, target=audit_target(version))
    return read.page(collection, AuditEntry, newest_first=True, limit=limit).items


def audit_target(version: int) -> str:
    """The id of a version in the audit trail."""
    return f"theme-{version}"


def missing_version_text(version: int) -> str:
    """Outside writers may set the marker to a version that does not exist, or delete the live one."""
    return _("Version %(version)s is marked as live, but it no longer exists.") % {"version": version}


def theme_key(business: str, version: int) -> Any:
    try:
        return keys.THEME.key(tenant=business, version=version)
    except BadKey as error:
        raise NotFound from error


def typed(cls: type[Any], found: Item | PlainItem | None) -> Any:
    return found if isinstance(found, cls) else None
