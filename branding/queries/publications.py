"""Queries for publications, schedules and share links. The first argument is always the business."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.translation import gettext_lazy as _

from branding.items import Publication, PublishedMarker, ScheduledPublication, ShareLink, Theme
from branding.queries.themes import theme_keys, to_themes, typed
from dashboard.core.errors import NotFound
from dashboard.platform.businesses.items import Business
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

TIMELINE_PAGE_SIZE = 20
MAX_SCHEDULES = 100
NOT_SCHEDULED = _("This schedule no longer exists. The version was published, or someone cancelled it.")


@access_pattern("Which versions were published, newest first?", keys.PUBLICATION, partition=True)
def publications(
    business: str, start_key: Raw | None = None, limit: int = TIMELINE_PAGE_SIZE
) -> read.Page[Publication]:
    collection = keys.PUBLICATION.collection(tenant=business)
    return read.page(collection, Publication, limit=limit, start_key=start_key, newest_first=True, consistent=True)


@access_pattern("Which versions are scheduled to publish, and when?", keys.SCHEDULED, partition=True)
def schedules(business: str) -> list[ScheduledPublication]:
    collection = keys.SCHEDULED.collection(tenant=business)
    return read.page(collection, ScheduledPublication, limit=MAX_SCHEDULES, consistent=True).items


@access_pattern(
    "Which version is live, and which are scheduled to publish?", keys.PUBLISHED, keys.SCHEDULED, partition=True
)
def marker_and_schedules(business: str) -> tuple[PublishedMarker | None, list[ScheduledPublication]]:
    """One query: no other kind of item has a key between theirs."""
    scheduled, live = keys.SCHEDULED.collection(tenant=business), keys.PUBLISHED.key(tenant=business)
    found = read.page(
        replace(scheduled, prefix=""), since=live.sk, until=scheduled.prefix, limit=MAX_SCHEDULES + 1, consistent=True
    ).items
    marker = next((each for each in found if isinstance(each, PublishedMarker)), None)
    return marker, [each for each in found if isinstance(each, ScheduledPublication)]


@dataclass(frozen=True)
class PublicationState:
    """A scheduled publication, and its version if that still exists."""

    schedule: ScheduledPublication
    theme: Theme | None


@access_pattern("What is scheduled for this time?", keys.SCHEDULED, keys.THEME)
def load_schedule(business: str, due_at: str, version: int) -> PublicationState:
    try:
        schedule_key = keys.SCHEDULED.key(tenant=business, due_at=due_at, version=version)
    except BadKey as error:
        raise NotFound from error
    schedule, *found = read.get_many([schedule_key, *theme_keys(business, [version])])
    if not isinstance(schedule, ScheduledPublication):
        raise NotFound(NOT_SCHEDULED)
    return PublicationState(schedule, to_themes(business, [version], found).get(version))


@access_pattern("Which share links does this version have?", keys.SHARE, partition=True)
def share_links(business: str, version: int) -> list[ShareLink]:
    collection = keys.SHARE.collection(tenant=business, version=version)
    return read.page(collection, ShareLink, limit=100, consistent=True).items


@dataclass(frozen=True)
class SharedTheme:
    """A share link, the version that it shows, and the business."""

    link: ShareLink
    theme: Theme
    business: Business | None


@access_pattern("What does this share link show?", keys.SHARE, keys.THEME, keys.TENANT)
def find_shared_theme(business: str, version: int, digest: str) -> SharedTheme | None:
    """One consistent round trip. None if the link has expired or was revoked, or the version is gone."""
    link_key = keys.SHARE.key(tenant=business, version=version, hash=digest)
    keys_to_read = [link_key, keys.TENANT.key(tenant=business), *theme_keys(business, [version])]
    link, owner, *found = read.get_many(keys_to_read)
    theme = to_themes(business, [version], found).get(version) if isinstance(link, ShareLink) else None
    if not isinstance(link, ShareLink) or theme is None or theme.is_discarded:
        return None
    return SharedTheme(link, theme, typed(Business, owner))


@access_pattern("Does this share link exist?", keys.SHARE)
def load_share_link(business: str, version: int, digest: str) -> ShareLink:
    try:
        found = read.get(ShareLink, keys.SHARE.key(tenant=business, version=version, hash=digest))
    except BadKey as error:
        raise NotFound from error
    if found is None:
        raise NotFound(_("This link no longer works. It was revoked or has expired."))
    return found
