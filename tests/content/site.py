"""Creates pages and addresses of a site for tests, also as the website service writes them."""

from __future__ import annotations

from typing import Any

from content.addresses import slug_of_title
from content.items import Content, ContentCard
from content.queries.routes import find_destination
from content.services import pages, publishing
from content.statuses import PageStatus
from dashboard.core.clock import now
from dashboard.platform.businesses.items import Business
from dashboard.table import connection, keys, read, write
from dashboard.table.commands import new_command
from dashboard.table.items import Raw
from tests.adoption.outside import follow, put_raw
from tests.conftest import ACTOR

BUSINESS, NEIGHBOURS = "andina", "harbour"
SITE = f"/b/{BUSINESS}/site/"
CREATED = {"createdAt": "2026-02-03T08:11:42.905Z", "Type": "Page"}


def put_outside_page(node: str, *, business: str = BUSINESS, is_followed: bool = True, **attributes: Any) -> Raw:
    """A page as the service writes it. The follower adds its card."""
    values = {"title": node, "slug": f"/{node}", "status": "Published", "version": 1, "nodeId": node}
    raw = put_raw(keys.CONTENT.key(tenant=business, node=node), **CREATED, **values | attributes)
    if is_followed:
        follow(raw)
    return raw


def give_domain(domain: str, business: str = BUSINESS) -> str:
    """Set the domain of a business as an outside writer does: without reserving it."""
    connection.table().update_item(*keys.TENANT.key(tenant=business), actions=[Business.domain.set(domain)])
    return domain


def put_cards(count: int, *, business: str = BUSINESS, body: str = "") -> None:
    """Pages with their cards, written without the follower."""
    for number in range(count):
        page = Content.new(tenant=business, node=f"page-{number}")
        page.title, page.slug, page.status, page.version = f"Page {number}", f"/page-{number}", "Draft", 1
        page.created_at = now()
        if body:
            page.blocks = [{"type": "paragraph", "content": [{"type": "text", "text": body}]}]
        card = ContentCard.new(tenant=business, node=f"page-{number}")
        card.copy_from(page)
        write.put(page)
        write.put(card)


def a_page(title: str = "About us", *, business: str = BUSINESS, slug: str = "", **values: Any) -> Content:
    made = {"title": title, "slug": slug or slug_of_title(title), **values}
    blocks = made.pop("blocks", None)
    return pages.create(business, made, blocks=blocks, command=new_command(ACTOR))


def save_page(page: Content, blocks: list[Any] | None = None, *, business: str = BUSINESS, **values: Any) -> Content:
    return pages.save(business, page.node, values, blocks, revision=page.revision, command=new_command(ACTOR))


def set_status_of(page: Content, status: PageStatus, *, business: str = BUSINESS) -> Content:
    return publishing.set_status(business, page.node, status, revision=page.revision, command=new_command(ACTOR))


def publish(page: Content, *, business: str = BUSINESS) -> Content:
    return set_status_of(page, PageStatus.PUBLISHED, business=business)


def raw_page(node: str, business: str = BUSINESS) -> Raw:
    found = read.raw_item(keys.CONTENT.key(tenant=business, node=node))
    assert found is not None
    return found


def raw_version(node: str, number: int, business: str = BUSINESS) -> Raw | None:
    return read.raw_item(keys.CONTENT_VERSION.key(tenant=business, node=node, version=number))


def leads_to(slug: str, business: str = BUSINESS) -> str:
    """The node of the page that an address leads to, and after a space its address; empty for nowhere."""
    found = find_destination(business, slug)
    return f"{found.node} {found.card.slug}" if found.card is not None else ""


def page_url(page: Content, business: str = BUSINESS) -> str:
    return f"/b/{business}/site/pages/{page.node}/"
