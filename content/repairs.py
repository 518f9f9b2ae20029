"""Repairs of pages: the website service writes no card, which lists read."""

from __future__ import annotations

from collections.abc import Iterator

from content.items import Content, ContentCard
from content.queries.pages import find_page, load_page_and_card
from dashboard.platform.stream.changes import Change, Write
from dashboard.platform.stream.rules import repairs_of

PageAndCard = tuple[Content | None, ContentCard | None]


def load_page_of(change: Change) -> PageAndCard:
    item = change.new_item or change.old_item
    if item is None or not item.key_parts:
        return None, None
    business, node = str(item.key_parts["tenant"]), str(item.key_parts["node"])
    page, card = load_page_and_card(business, node)
    if page is not None and card is not None and (card.version or 0) > (page.version or 0):
        # The two were not read at the same moment: a save came in between.
        page = find_page(business, node)
    return page, card


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
    card.copy_from(page)
    if is_new:
        yield Write.of_new(card)
    elif card.changes():
        yield Write.of_changed(card)
