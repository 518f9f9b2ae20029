"""Queries for themes, files, schedules and share links. The first argument is always the business."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.operand import Path

from branding.items import (
    Asset,
    AssetLink,
    AssetRole,
    BrandMeta,
    Publication,
    PublishedMarker,
    ScheduledPublication,
    ShareLink,
    Theme,
    ThemeStatus,
)
from branding.tokens import VERSION_LIMIT
from dashboard.core.errors import NotFound
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.businesses.items import Business
from dashboard.table import keys, read
from dashboard.table.items import Item, PlainItem, Raw
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

ItemT = TypeVar("ItemT", bound=Item)
PAGE_SIZE = 9
TIMELINE_PAGE_SIZE = 20
MAX_FILES = 200
# How many keys of outside writers without a version number are skipped when looking for the highest version.
MAX_SKIPPED = 20
NOT_SCHEDULED = _("This schedule no longer exists. The version was published, or someone cancelled it.")


@access_pattern("Which versions has this business, newest first?", keys.THEME, partition=True)
def versions(business: str, start_key: Raw | None = None) -> read.Page[Theme]:
    """Only the attributes that lists show. Consistent, so that a change is visible at once."""
    collection = keys.THEME.collection(tenant=business)
    found = read.page(
        collection,
        Theme,
        limit=PAGE_SIZE,
        start_key=start_key,
        attributes=Theme.CARD,
        newest_first=True,
        consistent=True,
    )
    return replace(found, items=_with_key_part("version", found.items))


@access_pattern("Which versions are drafts, published, or discarded?", keys.THEME, partition=True)
def versions_with_status(
    business: str, statuses: list[ThemeStatus], start_key: Raw | None = None
) -> read.FilteredPage[Theme]:
    """No index serves this: it reads a limited number of versions and returns how far it got."""
    keep = Theme.status.is_in(*statuses)
    if ThemeStatus.DRAFT in statuses:
        keep |= Theme.status.does_not_exist()
    collection = keys.THEME.collection(tenant=business)
    found = read.filter_page(
        collection, Theme, keep, limit=PAGE_SIZE, start_key=start_key, newest_first=True, consistent=True
    )
    return replace(found, items=_with_key_part("version", found.items))


def _with_key_part(part: str, items: list[ItemT]) -> list[ItemT]:
    """Leave out items of outside writers whose key lacks this part: no page could link to them."""
    return [item for item in items if part in item.key_parts]


@access_pattern("What is in this version?", keys.THEME)
def load_theme(business: str, version: int) -> Theme:
    found = read.get(Theme, theme_key(business, version))
    if found is None:
        raise NotFound
    return found


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
    numbers = [number for number in dict.fromkeys(other_versions) if number is not None and number != version]
    first = [theme_key(business, version), keys.PUBLISHED.key(tenant=business)]
    found = read.get_many([*first, *(theme_key(business, number) for number in numbers)])
    marker = _typed(PublishedMarker, found[1])
    if not isinstance(found[0], Theme):
        is_live = marker is not None and marker.number == version
        raise NotFound(missing_version_text(version) if is_live else None)
    others = {n: each for n, each in zip(numbers, found[2:], strict=True) if isinstance(each, Theme)}
    return ThemeState(found[0], marker, others)


@access_pattern("What is in these versions, and which version is live?", keys.THEME, keys.PUBLISHED)
def themes_and_marker(business: str, *versions: int) -> tuple[dict[int, Theme], PublishedMarker | None]:
    """The versions that exist, in one consistent round trip."""
    numbers = list(dict.fromkeys(versions))
    found = read.get_many([keys.PUBLISHED.key(tenant=business), *(theme_key(business, number) for number in numbers)])
    themes = {n: each for n, each in zip(numbers, found[1:], strict=True) if isinstance(each, Theme)}
    return themes, _typed(PublishedMarker, found[0])


@access_pattern("Which number does the next version get?", keys.BUSINESS)
def find_brand_meta(business: str) -> BrandMeta | None:
    return read.get(BrandMeta, keys.BUSINESS.key(tenant=business))


@access_pattern("Which version has the highest number?", keys.THEME, partition=True)
def highest_version(business: str) -> int:
    """0 if there is none. Outside writers create versions too; their keys without a number are skipped."""
    collection, start_key = keys.THEME.collection(tenant=business), None
    for _try in range(MAX_SKIPPED):
        found = read.raw_page(collection, until=str(VERSION_LIMIT - 1), start_key=start_key, limit=1, newest_first=True)
        number = next((Theme.of(raw, partial=True).key_parts.get("version", VERSION_LIMIT) for raw in found.items), 0)
        start_key = found.next_start_key
        if int(number) < VERSION_LIMIT:
            return int(number)
        if start_key is None:
            break
    return 0


@access_pattern("Which versions were published, newest first?", keys.PUBLICATION, partition=True)
def publications(
    business: str, start_key: Raw | None = None, limit: int = TIMELINE_PAGE_SIZE
) -> read.Page[Publication]:
    collection = keys.PUBLICATION.collection(tenant=business)
    return read.page(collection, Publication, limit=limit, start_key=start_key, newest_first=True, consistent=True)


@access_pattern("Which versions are scheduled to publish, and when?", keys.SCHEDULED, partition=True)
def schedules(business: str) -> list[ScheduledPublication]:
    collection = keys.SCHEDULED.collection(tenant=business)
    return _with_key_part("version", read.page(collection, ScheduledPublication, limit=100, consistent=True).items)


@dataclass(frozen=True)
class PublicationState:
    """A scheduled publication, and its version if that still exists."""

    schedule: ScheduledPublication
    theme: Theme | None


@access_pattern("What is scheduled for this time?", keys.SCHEDULED, keys.THEME)
def load_schedule(business: str, due_at: str, version: int) -> PublicationState:
    try:
        wanted = keys.SCHEDULED.key(tenant=business, due_at=due_at, version=version)
    except BadKey as error:
        raise NotFound from error
    found = read.get_many([wanted, theme_key(business, version)])
    if not isinstance(found[0], ScheduledPublication):
        raise NotFound(NOT_SCHEDULED)
    return PublicationState(found[0], _typed(Theme, found[1]))


@access_pattern("Which share links does this version have?", keys.SHARE, partition=True)
def share_links(business: str, version: int) -> list[ShareLink]:
    collection = keys.SHARE.collection(tenant=business, version=version)
    return _with_key_part("hash", read.page(collection, ShareLink, limit=100, consistent=True).items)


@dataclass(frozen=True)
class SharedTheme:
    """A share link, the version that it shows, and the business."""

    link: ShareLink
    theme: Theme
    business: Business | None


@access_pattern("What does this share link show?", keys.SHARE, keys.THEME, keys.TENANT)
def find_shared_theme(business: str, version: int, digest: str) -> SharedTheme | None:
    """One consistent round trip. None if the link has expired or was revoked, or the version is gone."""
    wanted = [keys.SHARE.key(tenant=business, version=version, hash=digest), theme_key(business, version)]
    link, theme, owner = read.get_many([*wanted, keys.TENANT.key(tenant=business)])
    if not isinstance(link, ShareLink) or not isinstance(theme, Theme) or theme.is_discarded:
        return None
    return SharedTheme(link, theme, _typed(Business, owner))


@access_pattern("Does this share link exist?", keys.SHARE)
def load_share_link(business: str, version: int, digest: str) -> ShareLink:
    try:
        found = read.get(ShareLink, keys.SHARE.key(tenant=business, version=version, hash=digest))
    except BadKey as error:
        raise NotFound from error
    if found is None:
        raise NotFound(_("This link no longer works. It was revoked or has expired."))
    return found


@access_pattern("Which files does this business have?", keys.ASSET_LINK, partition=True)
def asset_links(business: str, start_key: Raw | None = None) -> read.Page[AssetLink]:
    collection = keys.ASSET_LINK.collection(tenant=business)
    found = read.page(collection, AssetLink, limit=MAX_FILES, start_key=start_key, consistent=True)
    return replace(found, items=_with_key_part("asset", found.items))


@access_pattern("Has this business reached the maximum number of files?", keys.ASSET_LINK, partition=True)
def has_max_files(business: str) -> bool:
    collection = keys.ASSET_LINK.collection(tenant=business)
    return len(read.page(collection, AssetLink, limit=MAX_FILES, attributes=(), consistent=True).items) >= MAX_FILES


@access_pattern("Which of these files does this business have?", keys.ASSET_LINK)
def asset_links_by_id(business: str, assets: list[str]) -> dict[str, AssetLink]:
    found = read.get_many([keys.ASSET_LINK.key(tenant=business, asset=each) for each in dict.fromkeys(assets)])
    return {each.id: each for each in found if isinstance(each, AssetLink)}


def valid_asset_ids(assets: list[str]) -> list[str]:
    """The ids that a key can hold: they may come from a URL."""
    return [each for each in assets if keys.can_be_asset(each)]


@dataclass(frozen=True)
class AssetState:
    """A file and its entry in the list of its business. A deleted file has no entry."""

    asset: Asset | None
    link: AssetLink | None


@access_pattern("Which file is this, and which versions use it?", keys.ASSET, keys.ASSET_LINK)
def asset_state(business: str, asset: str) -> AssetState:
    """A file of another business is not found: the item says whose it is."""
    found = read.get_many([keys.ASSET.key(asset=asset), keys.ASSET_LINK.key(tenant=business, asset=asset)])
    own = isinstance(found[0], Asset) and found[0].business_id == business
    return AssetState(_typed(Asset, found[0]) if own else None, _typed(AssetLink, found[1]))


def load_asset(business: str, asset: str) -> Asset:
    """A file that is not deleted."""
    found = asset_state(business, asset).asset
    if found is None or found.is_deleted:
        raise NotFound
    return found


@access_pattern("Where is this file stored?", keys.ASSET)
def find_asset(asset: str) -> Asset | None:
    """For the public file URL."""
    return read.get(Asset, keys.ASSET.key(asset=asset))


@access_pattern("Which versions use this file?", keys.THEME, partition=True)
def themes_using(business: str, asset: str, limit: int = 20) -> list[Theme]:
    """Includes versions of outside writers. Reads every version: only for deleting and replacing."""
    keep = Theme.assets.contains(keys.asset_reference(asset))
    for role in AssetRole:
        keep |= Path(["assetRoles", role.value]) == asset
    collection = keys.THEME.collection(tenant=business)
    found = read.filter_page(
        collection, Theme, keep, limit=limit, newest_first=True, max_requests=10_000, consistent=True
    ).items
    return _with_key_part("version", found)


@access_pattern("Which of the newest versions use this file?", keys.THEME, partition=True)
def recent_themes_using(business: str, asset: str) -> list[Theme]:
    """With their names. The file's link has the numbers of all versions that we wrote."""
    only = ("version", "status", "name", "assets", "assetRoles", "firstPublishedAt", "timeToArchive")
    collection = keys.THEME.collection(tenant=business)
    page = read.page(collection, Theme, limit=60, attributes=only, newest_first=True, consistent=True)
    themes = _with_key_part("version", page.items)
    return [theme for theme in themes if asset in theme.asset_ids or asset in theme.assets_by_role.values()]


@access_pattern("What was done to this file, newest first?", keys.AUDIT_BY_TARGET)
def asset_history(business: str, asset: str, limit: int = 20) -> list[AuditEntry]:
    collection = keys.AUDIT_BY_TARGET.collection(tenant=business, target=asset)
    return read.page(collection, AuditEntry, newest_first=True, limit=limit).items


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


def _typed(cls: type[Any], found: Item | PlainItem | None) -> Any:
    return found if isinstance(found, cls) else None
