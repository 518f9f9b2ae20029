"""Queries for the products, resources, contexts, signals and files of a site."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, cast

from content.items import LibraryItem
from content.library.kind import LibraryKind
from dashboard.core.errors import NotFound
from dashboard.core.names import unaccented
from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.read import Page
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import from_wire

# A page of a list. A search reads so many items for a page, and shows at most a page of those that match.
PAGE_SIZE, SEARCHED = 50, 500
SHOP_KEYS = (
    keys.SITE_CATEGORY,
    keys.PRODUCT_COPY,
    keys.SITE_ORDER,
    keys.ORDER_OF_CUSTOMER,
    keys.COUPON,
    keys.COUPON_CODE,
    keys.PRODUCT_REVIEW,
    keys.POPUP,
    keys.VISITOR_FORM,
    keys.FORM_ADDRESS,
    keys.FORM_ENTRY,
    keys.DELIVERY_RULES,
    keys.SITE_COUNTER,
    keys.MOVED_MEDIA,
)


@dataclass(frozen=True)
class LibrarySearch(Page[Any]):
    """A page of a search, with how many items were searched, and back to when."""

    searched: int = 0
    searched_back_to: datetime | None = None


def key_of(kind: LibraryKind, business: str, item_id: str) -> Key:
    try:
        return kind.key_of(business, item_id)
    except BadKey:
        raise NotFound from None


@access_pattern(
    "What is this product, resource, context, signal or file of a site, or this item of its shop?",
    keys.PRODUCT,
    keys.RESOURCE,
    keys.CONTEXT,
    keys.SIGNAL,
    keys.SITE_ASSET,
    *SHOP_KEYS,
)
def load_item(kind: LibraryKind, business: str, item_id: str) -> LibraryItem:
    """Read consistently, with all that outside writers stored."""
    found = read.get(kind.item_class, key_of(kind, business, item_id))
    if found is None:
        raise NotFound
    return cast(LibraryItem, found)


@access_pattern(
    "Which products, resources, contexts, signals or files has this site, newest first?", keys.SITE_ITEMS_BY_TYPE
)
def items_of(kind: LibraryKind, business: str, start_key: Any = None, *, limit: int = PAGE_SIZE) -> Page[LibraryItem]:
    collection = keys.SITE_ITEMS_BY_TYPE.collection(tenant=business, type=kind.list_name)
    return cast(
        Page[LibraryItem],
        read.page(
            collection,
            kind.item_class,
            start_key=start_key,
            limit=limit,
            newest_first=True,
            attributes=kind.list_attributes,
        ),
    )


@access_pattern(
    "Which items of one kind has the shop of this site?",
    *SHOP_KEYS,
    partition=True,
)
def shop_items_of(
    kind: LibraryKind, business: str, start_key: Any = None, *, limit: int = PAGE_SIZE
) -> Page[LibraryItem]:
    """In the order of their keys: not all of them have a time."""
    collection = kind.item_class.key_pattern.collection(tenant=business)
    found = read.page(collection, kind.item_class, start_key=start_key, limit=limit, attributes=kind.list_attributes)
    return cast(Page[LibraryItem], found)


def listed_items(
    kind: LibraryKind, business: str, start_key: Any = None, *, limit: int = PAGE_SIZE
) -> Page[LibraryItem]:
    read_page = shop_items_of if kind.is_listed_by_key else items_of
    return read_page(kind, business, start_key, limit=limit)


def search(kind: LibraryKind, business: str, start_key: Any, *, q: str, status: str) -> LibrarySearch:
    """The items with all words in what the list shows, and with this status. It reads a bounded number of items."""
    found = listed_items(kind, business, start_key, limit=SEARCHED)
    matches = [
        (number, each)
        for number, each in enumerate(found.items, start=1)
        if _has_status(kind, each, status) and _has_words(kind, each, q)
    ]
    shown, searched, position = matches[:PAGE_SIZE], len(found.items), found.next_start_key
    if len(matches) > PAGE_SIZE:
        # The next page starts after the last match that is shown.
        searched, last = shown[-1]
        position = _start_after(last)
    return LibrarySearch([each for _number, each in shown], position, searched, _moment_of(position))


def _has_status(kind: LibraryKind, item: Any, status: str) -> bool:
    return not status or (item.status or kind.default_status) == status


def _has_words(kind: LibraryKind, item: Any, q: str) -> bool:
    texts = [kind.title_of(item), kind.sub(item) if kind.sub else "", kind.id_of(item)]
    plain = unaccented(" ".join(texts))
    return all(word in plain for word in unaccented(q).split())


def _start_after(item: LibraryItem) -> Raw:
    return {name: item.raw[name] for name in ("PK", "SK", "GSITypePK", "GSITypeSK") if name in item.raw}


def _moment_of(position: Raw | None) -> datetime | None:
    try:
        return from_wire(position["GSITypeSK"]["S"]) if position else None
    except (KeyError, ValueError):
        return None


def target_of(kind: LibraryKind, item_id: str) -> str:
    """The target of its audit entries."""
    return f"{kind.name}:{item_id}"


@access_pattern("What are the audit entries of this item of a site, newest first?", keys.AUDIT_BY_TARGET)
def history_of(kind: LibraryKind, business: str, item_id: str, limit: int = 10) -> list[AuditEntry]:
    collection = keys.AUDIT_BY_TARGET.collection(tenant=business, target=target_of(kind, item_id))
    return read.page(collection, AuditEntry, newest_first=True, limit=limit).items


def item_reads(kind: LibraryKind, business: str, item_id: str) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """The reads of the page of an item."""
    return partial(load_item, kind, business, item_id), partial(history_of, kind, business, item_id)
