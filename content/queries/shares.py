"""Queries for links to pages that are not published."""

from __future__ import annotations

from dataclasses import dataclass

from content.items import Content, PageShareLink
from content.statuses import PageStatus
from dashboard.core.errors import NotFound
from dashboard.platform.businesses.items import Business
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

# More than a page can have.
_LIMIT = 200


@access_pattern("Which links show this page to people without an account?", keys.PAGE_SHARE, partition=True)
def page_share_links(business: str, node: str) -> list[PageShareLink]:
    """Those that work, the last one first."""
    try:
        collection = keys.PAGE_SHARE.collection(tenant=business, node=node)
    except BadKey:
        return []
    found = read.page(collection, PageShareLink, limit=_LIMIT, consistent=True).items
    active = [link for link in found if not link.is_revoked]
    return sorted(active, key=lambda link: str(link.raw.get("createdAt")), reverse=True)


@access_pattern("Does this link to a page exist?", keys.PAGE_SHARE)
def load_page_share_link(business: str, node: str, digest: str) -> PageShareLink:
    try:
        found = read.get(PageShareLink, keys.PAGE_SHARE.key(tenant=business, node=node, hash=digest))
    except BadKey as error:
        raise NotFound from error
    if found is None:
        raise NotFound
    return found


@dataclass(frozen=True)
class SharedPage:
    """A page that a link shows, and its business."""

    page: Content
    business: Business


@access_pattern("Which page does this link show?", keys.PAGE_SHARE, keys.CONTENT, keys.TENANT)
def find_shared_page(business: str, node: str, digest: str) -> SharedPage | None:
    """One consistent round trip. None if the link has expired or was revoked, or the page is gone or archived."""
    parts = {"tenant": business, "node": node}
    try:
        link_key, page_key = keys.PAGE_SHARE.key(**parts, hash=digest), keys.CONTENT.key(**parts)
        link, page, owner = read.get_many([link_key, page_key, keys.TENANT.key(tenant=business)])
    except BadKey:
        return None
    if not isinstance(link, PageShareLink) or link.is_revoked:
        return None
    if not isinstance(page, Content) or page.state == PageStatus.ARCHIVED or not isinstance(owner, Business):
        return None
    return SharedPage(page, owner)
