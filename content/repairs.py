"""Repairs of what the website service writes: the card of a page, and its title at its address and its comments."""

from __future__ import annotations

from collections.abc import Iterator

from content.items import Consent, Content, ContentCard, Lead, LeadState, PageComment, Route
from content.items.consents import listed_choice
from content.lead_repairs import state_writes, store_overwritten_contacts
from content.queries.leads import find_state_and_row
from content.queries.pages import cards_of, find_page, load_page_and_card
from content.queries.routes import find_route
from dashboard.core.errors import NotFound
from dashboard.platform.stream.changes import Change, Write
from dashboard.platform.stream.rules import follows_repair_of, repairs_of
from dashboard.table import keys

LoadedPage = tuple[Content | None, ContentCard | None, Route | None]


def load_page_of(change: Change) -> LoadedPage:
    item = change.new_item or change.old_item
    if item is None or not item.key_parts:
        return None, None, None
    business, node = str(item.key_parts["tenant"]), str(item.key_parts["node"])
    page, card = load_page_and_card(business, node)
    if page is not None and card is not None and (card.version or 0) > (page.version or 0):
        # The two were not read at the same moment: a save came in between.
        page = find_page(business, node)
    route = find_route(business, page.slug) if page is not None and page.slug else None
    return page, card, route


@repairs_of("content", load=load_page_of, on_delete=True)
def repair_card(change: Change, loaded: LoadedPage) -> Iterator[Write]:
    """Make the card equal to the page as it is now, which may be newer than the change, and note the title."""
    page, card, route = loaded
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
    if route is not None and route.node == page.node and not route.leads_elsewhere and route.title != page.title:
        route.title = page.title
        yield Write.of_changed(route)


def load_card_of_route(change: Change) -> ContentCard | None:
    route = change.new_item
    if not isinstance(route, Route) or not route.key_parts or not route.node or route.leads_elsewhere:
        return None
    return cards_of(str(route.key_parts["tenant"]), [route.node]).get(route.node)


@repairs_of("route", load=load_card_of_route)
def repair_route(change: Change, card: ContentCard | None) -> Iterator[Write]:
    """Note the title of the page: the list of addresses reads no cards."""
    route = change.new_item
    if isinstance(route, Route) and card is not None and card.title and route.title != card.title:
        route.title = card.title
        yield Write.of_changed(route)


def load_card_of_comment(change: Change) -> ContentCard | None:
    comment = change.new_item
    if not isinstance(comment, PageComment) or not comment.key_parts:
        return None
    business, node = str(comment.key_parts["tenant"]), comment.ref.page
    return cards_of(business, [node]).get(node)


@repairs_of("page comment", load=load_card_of_comment)
def repair_comment(change: Change, card: ContentCard | None) -> Iterator[Write]:
    """Note the title of the page: a list of comments reads the cards of the newest pages only."""
    comment = change.new_item
    if isinstance(comment, PageComment) and card is not None and card.title and comment.page_title != card.title:
        comment.page_title = card.title
        yield Write.of_changed(comment)


def load_lead_state(change: Change) -> tuple[LeadState | None, bool]:
    """Our item about the lead, and whether its row still exists."""
    row = change.new_item
    if not isinstance(row, Lead) or not row.key_parts:
        return None, False
    try:
        return find_state_and_row(str(row.key_parts["tenant"]), row.lead, row.key)
    except NotFound:
        return None, False


@repairs_of("lead", load=load_lead_state)
def repair_lead(change: Change, loaded: tuple[LeadState | None, bool]) -> Iterator[Write]:
    """Make our item about the lead: it lists the lead, and survives the next Put of the row."""
    row, (state, exists) = change.new_item, loaded
    # A lead that was erased meanwhile gets no item again.
    if isinstance(row, Lead) and row.key_parts and exists:
        yield from state_writes(change, row, state)


@follows_repair_of("lead")
def keep_overwritten_contacts(change: Change) -> None:
    """The service overwrites the row with each contact."""
    store_overwritten_contacts(change)


@repairs_of("consent")
def repair_consent(change: Change, loaded: None) -> Iterator[Write]:
    """Count a consent once: the mark on it is written together with the counter."""
    consent = change.new_item
    if not isinstance(consent, Consent) or not consent.key_parts or consent.counted_on or consent.day is None:
        return
    consent.counted_on = day = consent.day.isoformat()
    yield Write.of_changed(consent)
    counter = keys.CONSENT_DAY.key(tenant=str(consent.key_parts["tenant"]), date=day)
    yield Write(counter, added={listed_choice(consent.choice): 1})
