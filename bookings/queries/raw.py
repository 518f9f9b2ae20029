"""Raw items, with everything that outside writers stored, and a helper for lists."""

from __future__ import annotations

from dashboard.core.names import unaccented
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.keypattern import Collection, Key
from dashboard.table.registry import access_pattern


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
