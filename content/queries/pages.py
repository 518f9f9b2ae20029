"""Queries for the pages of a site."""

from __future__ import annotations

from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from content.items import Content, ContentCard
from dashboard.core.errors import NotFound
from dashboard.core.names import folded
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Collection
from dashboard.table.registry import access_pattern

PAGE = 50
IN_LISTS = (
    "title",
    "slug",
    "status",
    "version",
    "pageType",
    "tags",
    "createdAt",
    "updatedAt",
    "updatedBy",
    "updatedByName",
)


@access_pattern("What are this page and its card now?", keys.CONTENT, keys.CONTENT_CARD)
def load_page_and_card(business: str, node: str) -> tuple[Content | None, ContentCard | None]:
    """Read consistently; None where it does not exist."""
    parts = {"tenant": business, "node": node}
    page, card = read.get_many([keys.CONTENT.key(**parts), keys.CONTENT_CARD.key(**parts)])
    return page if isinstance(page, Content) else None, card if isinstance(card, ContentCard) else None


@access_pattern("Which page is this?", keys.CONTENT)
def find_page(business: str, node: str) -> Content | None:
    try:
        return read.get(Content, keys.CONTENT.key(tenant=business, node=node))
    except BadKey:
        return None


def load_page(business: str, node: str) -> Content:
    found = find_page(business, node)
    if found is None:
        raise NotFound
    return found


@access_pattern("Which cards do these pages have?", keys.CONTENT_CARD)
def cards_of(business: str, nodes: list[str]) -> dict[str, ContentCard]:
    """By the ids of the pages; only those that exist."""
    keys_of_cards = []
    for node in dict.fromkeys(nodes):
        try:
            keys_of_cards.append(keys.CONTENT_CARD.key(tenant=business, node=node))
        except BadKey:
            continue
    found = read.get_many(keys_of_cards) if keys_of_cards else []
    return {card.node: card for card in found if isinstance(card, ContentCard)}


@access_pattern("Which pages does this site have, the latest change first?", keys.CONTENTS, keys.CONTENTS_BY_STATUS)
def pages(
    business: str,
    start_key: Any = None,
    *,
    status: str = "",
    text: str = "",
    page_type: str = "",
    limit: int = PAGE,
    max_requests: int = read.MAX_FILTER_REQUESTS,
) -> read.Page[ContentCard]:
    """From their cards: no list reads the body of a page. A text or a type filters the pages that were changed last."""
    collection = _collection(business, status)
    condition = _filter_condition(text, page_type)
    options: dict[str, Any] = {"newest_first": True, "start_key": start_key, "limit": limit}
    if condition is None:
        return read.page(collection, ContentCard, attributes=IN_LISTS, **options)
    return read.filter_page(collection, ContentCard, condition, max_requests=max_requests, **options)


def _collection(business: str, status: str) -> Collection:
    if status:
        return keys.CONTENTS_BY_STATUS.collection(tenant=business, status=status)
    return keys.CONTENTS.collection(tenant=business)


def _filter_condition(text: str, page_type: str) -> Condition | None:
    """Every word is in the title or the slug."""
    condition: Condition | None = None
    for word in folded(text).split():
        has_word = Path([ContentCard.search_text.attr_name]).contains(word)
        condition = has_word if condition is None else condition & has_word
    if page_type:
        is_type = Path([ContentCard.page_type.attr_name]) == page_type
        condition = is_type if condition is None else condition & is_type
    return condition
