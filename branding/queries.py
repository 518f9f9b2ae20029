"""What is asked about a business's look. The business comes first in every question."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.operand import Path

from branding.items import (
    Asset,
    AssetLink,
    BrandMeta,
    Publication,
    PublishedMarker,
    Role,
    ScheduledPublication,
    ShareLink,
    Status,
    Theme,
)
from branding.tokens import VERSIONS
from dashboard.core.errors import NotFound
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.businesses.items import Business
from dashboard.table import keys, read
from dashboard.table.items import Item, PlainItem, Raw
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

ItemT = TypeVar("ItemT", bound=Item)
# One more is always asked for: a list costs the same with ten versions and with a thousand.
PAGE = 9
TIMELINE = 20
MOST_FILES = 200
# So many keys that hold no number are passed by in search of the newest version.
MOST_ODD = 20
NOT_PLANNED = _("Nothing is set for that moment any more: it went live, or someone has cancelled it.")


@access_pattern("Which versions has this business, newest first?", keys.THEME, partition=True)
def versions(business: str, start: Raw | None = None) -> read.Page[Theme]:
    """Without their bodies. Consistent: what was saved a moment ago is there as it is."""
    where = keys.THEME.under(tenant=business)
    found = read.page(where, Theme, limit=PAGE, start=start, only=Theme.CARD, newest_first=True, consistent=True)
    return replace(found, items=_with("version", found.items))


@access_pattern("Which versions are drafts, were in force, or were discarded?", keys.THEME, partition=True)
def versions_that_are(business: str, statuses: list[Status], start: Raw | None = None) -> read.Sifted[Theme]:
    """No index serves this: it reads a bounded stretch and says how far it looked."""
    keep = Theme.status.is_in(*statuses)
    if Status.DRAFT in statuses:
        keep |= Theme.status.does_not_exist()
    where = keys.THEME.under(tenant=business)
    found = read.filter_page(where, Theme, keep, limit=PAGE, start=start, newest_first=True, consistent=True)
    return replace(found, items=_with("version", found.items))


def _with(part: str, items: list[ItemT]) -> list[ItemT]:
    """Without what another service has put at a key that does not say this: nothing could lead to it."""
    return [item for item in items if part in item.key_parts]


@access_pattern("What does this version look like?", keys.THEME)
def theme(business: str, version: int) -> Theme:
    found = read.get(Theme, theme_key(business, version))
    if found is None:
        raise NotFound
    return found


@access_pattern("Which version is in force?", keys.PUBLISHED)
def marker(business: str) -> PublishedMarker | None:
    return read.get(PublishedMarker, keys.PUBLISHED.key(tenant=business))


@dataclass(frozen=True)
class ThemeState:
    """A version, what is in force, and other versions that were asked for with it."""

    theme: Theme
    marker: PublishedMarker | None
    others: dict[int, Theme]

    @property
    def in_force(self) -> int | None:
        return self.marker.number if self.marker else None


@access_pattern("How does this version stand to the one in force?", keys.THEME, keys.PUBLISHED)
def standing(business: str, version: int, *others: int | None) -> ThemeState:
    """All of it as it is now, in one consistent trip."""
    numbers = [number for number in dict.fromkeys(others) if number is not None and number != version]
    wanted = [theme_key(business, version), keys.PUBLISHED.key(tenant=business)]
    found = read.get_many([*wanted, *(theme_key(business, number) for number in numbers)])
    marked = _as(PublishedMarker, found[1])
    if not isinstance(found[0], Theme):
        in_force = marked is not None and marked.number == version
        raise NotFound(not_in_the_table(version) if in_force else None)
    there = {n: each for n, each in zip(numbers, found[2:], strict=True) if isinstance(each, Theme)}
    return ThemeState(found[0], marked, there)


@access_pattern("What do these versions look like, and which is in force?", keys.THEME, keys.PUBLISHED)
def some(business: str, *versions: int) -> tuple[dict[int, Theme], PublishedMarker | None]:
    """Those of them that are there, in one consistent trip."""
    numbers = list(dict.fromkeys(versions))
    found = read.get_many([keys.PUBLISHED.key(tenant=business), *(theme_key(business, number) for number in numbers)])
    there = {n: each for n, each in zip(numbers, found[1:], strict=True) if isinstance(each, Theme)}
    return there, _as(PublishedMarker, found[0])


@access_pattern("Which number does the next version get?", keys.BUSINESS)
def find_brand_meta(business: str) -> BrandMeta | None:
    return read.get(BrandMeta, keys.BUSINESS.key(tenant=business))


@access_pattern("Which version has the highest number?", keys.THEME, partition=True)
def newest_number(business: str) -> int:
    """Other services make versions too; 0 where there is none. What they put at a key that holds none is passed by."""
    where, start = keys.THEME.under(tenant=business), None
    for _try in range(MOST_ODD):
        found = read.raw_page(where, until=str(VERSIONS - 1), start=start, limit=1, newest_first=True)
        number = next((Theme.of(raw, partial=True).key_parts.get("version", VERSIONS) for raw in found.items), 0)
        start = found.next
        if int(number) < VERSIONS:
            return int(number)
        if start is None:
            break
    return 0


@access_pattern("What was put in force, newest first?", keys.PUBLICATION, partition=True)
def publications(business: str, start: Raw | None = None, limit: int = TIMELINE) -> read.Page[Publication]:
    where = keys.PUBLICATION.under(tenant=business)
    return read.page(where, Publication, limit=limit, start=start, newest_first=True, consistent=True)


@access_pattern("What is to go live, and when?", keys.SCHEDULED, partition=True)
def schedules(business: str) -> list[ScheduledPublication]:
    where = keys.SCHEDULED.under(tenant=business)
    return _with("version", read.page(where, ScheduledPublication, limit=100, consistent=True).items)


@dataclass(frozen=True)
class Planned:
    """A publication that is set for later, and the version, as far as that still is."""

    schedule: ScheduledPublication
    theme: Theme | None


@access_pattern("What is set for this moment?", keys.SCHEDULED, keys.THEME)
def planned(business: str, due_at: str, version: int) -> Planned:
    try:
        wanted = keys.SCHEDULED.key(tenant=business, due_at=due_at, version=version)
    except BadKey as error:
        raise NotFound from error
    found = read.get_many([wanted, theme_key(business, version)])
    if not isinstance(found[0], ScheduledPublication):
        raise NotFound(NOT_PLANNED)
    return Planned(found[0], _as(Theme, found[1]))


@access_pattern("Which links show this version to strangers?", keys.SHARE, partition=True)
def shares(business: str, version: int) -> list[ShareLink]:
    where = keys.SHARE.under(tenant=business, version=version)
    return _with("hash", read.page(where, ShareLink, limit=100, consistent=True).items)


@dataclass(frozen=True)
class Shared:
    """What a link shows: itself, the version, and whose that is."""

    link: ShareLink
    theme: Theme
    business: Business | None


@access_pattern("What does this link show?", keys.SHARE, keys.THEME, keys.TENANT)
def shared(business: str, version: int, digest: str) -> Shared | None:
    """In one consistent trip; none where the link has run out or was revoked, or the version is gone."""
    wanted = [keys.SHARE.key(tenant=business, version=version, hash=digest), theme_key(business, version)]
    link, theme, owner = read.get_many([*wanted, keys.TENANT.key(tenant=business)])
    if not isinstance(link, ShareLink) or not isinstance(theme, Theme) or theme.is_discarded:
        return None
    return Shared(link, theme, _as(Business, owner))


@access_pattern("Which link is this?", keys.SHARE)
def share(business: str, version: int, digest: str) -> ShareLink:
    try:
        found = read.get(ShareLink, keys.SHARE.key(tenant=business, version=version, hash=digest))
    except BadKey as error:
        raise NotFound from error
    if found is None:
        raise NotFound(_("This link does not work any more: it was revoked, or its time is over."))
    return found


@access_pattern("Which files has this business?", keys.ASSET_LINK, partition=True)
def files(business: str, start: Raw | None = None) -> read.Page[AssetLink]:
    where = keys.ASSET_LINK.under(tenant=business)
    found = read.page(where, AssetLink, limit=MOST_FILES, start=start, consistent=True)
    return replace(found, items=_with("asset", found.items))


@access_pattern("Has this business as many files as it can have?", keys.ASSET_LINK, partition=True)
def is_full(business: str) -> bool:
    where = keys.ASSET_LINK.under(tenant=business)
    return len(read.page(where, AssetLink, limit=MOST_FILES, only=(), consistent=True).items) >= MOST_FILES


@access_pattern("What is known of these files?", keys.ASSET_LINK)
def links(business: str, assets: list[str]) -> dict[str, AssetLink]:
    """Those of them that the business has."""
    found = read.get_many([keys.ASSET_LINK.key(tenant=business, asset=each) for each in dict.fromkeys(assets)])
    return {each.id: each for each in found if isinstance(each, AssetLink)}


def usable(assets: list[str]) -> list[str]:
    """Those of them that can stand in a key: an id may have come from an address."""
    return [each for each in assets if keys.can_be_asset(each)]


@dataclass(frozen=True)
class Kept:
    """A file as it is known: by its id, and among the files of its business. A deleted one has no link."""

    asset: Asset | None
    link: AssetLink | None


@access_pattern("What is known of this file?", keys.ASSET, keys.ASSET_LINK)
def find_file(business: str, asset: str) -> Kept:
    """Another business's is not there, whoever asks: the item says whose it is."""
    found = read.get_many([keys.ASSET.key(asset=asset), keys.ASSET_LINK.key(tenant=business, asset=asset)])
    own = isinstance(found[0], Asset) and found[0].business_id == business
    return Kept(_as(Asset, found[0]) if own else None, _as(AssetLink, found[1]))


@access_pattern("Where is this file kept?", keys.ASSET)
def public_file(asset: str) -> Asset | None:
    """For whoever has its address: the one thing that is asked of the table there."""
    return read.get(Asset, keys.ASSET.key(asset=asset))


@access_pattern("Which versions show this file?", keys.THEME, partition=True)
def showing(business: str, asset: str, most: int = 20) -> list[Theme]:
    """Also those that other services wrote. Reads every version: for whoever is about to delete, and nobody else."""
    keep = Theme.assets.contains(keys.asset_reference(asset))
    for role in Role:
        keep |= Path(["assetRoles", role.value]) == asset
    where = keys.THEME.under(tenant=business)
    found = read.filter_page(where, Theme, keep, limit=most, newest_first=True, looks=10_000, consistent=True).items
    return _with("version", found)


@access_pattern("Which of the newest versions show this file?", keys.THEME, partition=True)
def lately_showing(business: str, asset: str) -> list[Theme]:
    """Their names, as far back as one look goes; the file's link knows the numbers of all that we wrote."""
    only = ("version", "status", "name", "assets", "assetRoles", "firstPublishedAt", "timeToArchive")
    where = keys.THEME.under(tenant=business)
    found = _with("version", read.page(where, Theme, limit=60, only=only, newest_first=True, consistent=True).items)
    return [theme for theme in found if asset in theme.files or asset in theme.shown_files.values()]


@access_pattern("What was done to this file, newest first?", keys.AUDIT_BY_TARGET)
def history_of_file(business: str, asset: str, limit: int = 20) -> list[AuditEntry]:
    where = keys.AUDIT_BY_TARGET.under(tenant=business, target=asset)
    return read.page(where, AuditEntry, newest_first=True, limit=limit).items


@access_pattern("What was done to this version, newest first?", keys.AUDIT_BY_TARGET)
def history_of(business: str, version: int, limit: int = 20) -> list[AuditEntry]:
    where = keys.AUDIT_BY_TARGET.under(tenant=business, target=target_of(version))
    return read.page(where, AuditEntry, newest_first=True, limit=limit).items


def target_of(version: int) -> str:
    """What the trail calls a version."""
    return f"theme-{version}"


def not_in_the_table(version: int) -> str:
    """A marker may name a version that nobody can find: another service moved it, or took the version away."""
    return _("Version %(version)s is marked as live, but it no longer exists.") % {"version": version}


def theme_key(business: str, version: int) -> Any:
    try:
        return keys.THEME.key(tenant=business, version=version)
    except BadKey as error:
        raise NotFound from error


def _as(cls: type[Any], found: Item | PlainItem | None) -> Any:
    return found if isinstance(found, cls) else None
