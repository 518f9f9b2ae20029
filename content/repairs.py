"""Repairs of pages: the website service writes no card, which lists read."""

from __future__ import annotations

from collections.abc import Iterator

from content.items import Content, ContentCard
from content.queries.pages import load_page_and_card
from dashboard.platform.stream.changes import Change, Write
from dashboard.platform.stream.rules import repairs_of

PageAndCard = tuple[Content | None, ContentCard | None]


def load_page_of(change: Change) -> PageAndCard:
    item = change.new_item or change.old_item
    if item is None or not item.key_parts:
        return None, None
    return load_page_and_card(str(item.key_parts["tenant"]), str(item.key_parts["node"]))


@repairs_of("content", load=load_page_of, on_delete=True)
def repair_card(change: Change, loaded: PageAndCard) -> Iterator[Write]:
    """Make the card equal to the page as it is now, which may be newer than the change."""
    page, card = loaded
    if page is None:
        if card is not None:
            yield Write(card.key, deletes=True)
        return
    is_new = card is None
    card = card or ContentCard.new(**page.key_parts)
    card.title, card.slug, card.status, card.version = page.title, page.slug, page.status, page.version
    card.created_at = page.created_at
    # The service sets no update time when it creates a page.
    card.updated_at = page.updated_at or page.created_at
    if is_new:
        yield Write.of_new(card)
    elif card.changes():
        yield Write.of_changed(card)
