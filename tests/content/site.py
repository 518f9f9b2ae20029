"""Creates pages and addresses of a site for tests, also as the website service writes them."""

from __future__ import annotations

from typing import Any

from content.items import Content, ContentCard
from dashboard.table import keys, write
from dashboard.table.items import Raw
from tests.adoption.outside import follow, put_raw

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


def put_cards(count: int, *, business: str = BUSINESS, body: str = "") -> None:
    """Pages with their cards, written without the follower."""
    for number in range(count):
        page = Content.new(tenant=business, node=f"page-{number}")
        page.title, page.slug, page.status, page.version = f"Page {number}", f"/page-{number}", "Draft", 1
        if body:
            page.blocks = [{"type": "paragraph", "content": [{"type": "text", "text": body}]}]
        card = ContentCard.new(tenant=business, node=f"page-{number}")
        card.copy_from(page)
        write.put(page)
        write.put(card)
