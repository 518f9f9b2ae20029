"""Raw items, with everything that outside writers stored, and helpers for lists of items."""

from __future__ import annotations

from typing import TypeVar

from dashboard.core.names import unaccented
from dashboard.table import keys, read
from dashboard.table.items import Item, Raw
from dashboard.table.keypattern import Collection, Key
from dashboard.table.registry import access_pattern

ItemT = TypeVar("ItemT", bound=Item)


def with_known_keys(page: read.Page[ItemT]) -> read.Page[ItemT]:
    """The page without items of outside writers whose key matches no pattern: they have no id and no page."""
    return read.Page([each for each in page.items if each.key_parts], page.next_start_key)


def contains_words(text: str, words: str) -> bool:
    """Whether a text contains all words, ignoring accents and case."""
    plain = unaccented(text)
    return all(word in plain for word in unaccented(words).split())


@access_pattern(
    "What is the raw item of this service, staff member or customer?",
    keys.SERVICE,
    keys.PROVIDER,
    keys.CUSTOMER,
    partition=True,
)
def raw_item(key: Key) -> Raw | None:
    """One item as it is on the wire. The key itself sorts before all keys that it begins."""
    items = read.raw_page(Collection(None, key.pk, key.sk), limit=1).items
    return items[0] if items and items[0]["SK"] == {"S": key.sk} else None


@access_pattern("What are the raw items of the hours of this staff member?", keys.AVAILABILITY, partition=True)
def raw_hours(business: str, provider_id: str) -> list[Raw]:
    return read.raw_page(keys.AVAILABILITY.collection(tenant=business, provider=provider_id), limit=20).items
