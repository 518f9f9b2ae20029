"""Queries for files and the versions that use them. The first argument is always the business."""

from __future__ import annotations

from dataclasses import dataclass

from pynamodb.expressions.operand import Path

from branding.items import Asset, AssetLink, AssetRole, Theme
from branding.queries.themes import typed, with_number
from dashboard.core.errors import NotFound
from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.registry import access_pattern

MAX_FILES = 200
# A condition names each entry of a list: how many of the maps in a version's `assets` it compares.
MAX_ASSET_MAPS = 20


@access_pattern("Which files does this business have?", keys.ASSET_LINK, partition=True)
def asset_links(business: str, start_key: Raw | None = None) -> read.Page[AssetLink]:
    collection = keys.ASSET_LINK.collection(tenant=business)
    return read.page(collection, AssetLink, limit=MAX_FILES, start_key=start_key, consistent=True)


def asset_names(business: str) -> dict[str, str]:
    """The names of the business's files, by id."""
    return {link.id: link.title for link in asset_links(business).items}


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
    return AssetState(typed(Asset, found[0]) if own else None, typed(AssetLink, found[1]))


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
    for index in range(MAX_ASSET_MAPS):
        keep |= Path([f"assets[{index}]", "assetId"]) == asset
    collection = keys.THEME.collection(tenant=business)
    found = read.filter_page(
        collection, Theme, keep, limit=limit, newest_first=True, max_requests=10_000, consistent=True
    ).items
    return with_number(found)


@access_pattern("Which of the newest versions use this file?", keys.THEME, partition=True)
def recent_themes_using(business: str, asset: str) -> list[Theme]:
    """With their names. The file's link has the numbers of all versions that we wrote."""
    attributes = ("version", "status", "name", "assets", "assetRoles", "firstPublishedAt", "timeToArchive")
    collection = keys.THEME.collection(tenant=business)
    page = read.page(collection, Theme, limit=60, attributes=attributes, newest_first=True, consistent=True)
    themes = with_number(page.items)
    return [theme for theme in themes if asset in theme.asset_ids or asset in theme.assets_by_role.values()]


@access_pattern("What was done to this file, newest first?", keys.AUDIT_BY_TARGET)
def asset_history(business: str, asset: str, limit: int = 20) -> list[AuditEntry]:
    collection = keys.AUDIT_BY_TARGET.collection(tenant=business, target=asset)
    return read.page(collection, AuditEntry, newest_first=True, limit=limit).items
