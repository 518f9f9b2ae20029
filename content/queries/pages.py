"""Queries for the pages of a site."""

from __future__ import annotations

from content.items import Content, ContentCard
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern


@access_pattern("What are this page and its card now?", keys.CONTENT, keys.CONTENT_CARD)
def load_page_and_card(business: str, node: str) -> tuple[Content | None, ContentCard | None]:
    """Read consistently; None where it does not exist."""
    parts = {"tenant": business, "node": node}
    page, card = read.get_many([keys.CONTENT.key(**parts), keys.CONTENT_CARD.key(**parts)])
    return page if isinstance(page, Content) else None, card if isinstance(card, ContentCard) else None
