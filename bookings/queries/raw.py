"""Items as they stand, with all that other services put there."""

from __future__ import annotations

from typing import TypeVar

from dashboard.table import keys, read
from dashboard.table.items import Item, Raw
from dashboard.table.keypattern import Collection, Key
from dashboard.table.registry import access_pattern

ItemT = TypeVar("ItemT", bound=Item)


def proper(page: read.Page[ItemT]) -> read.Page[ItemT]:
    """Without what another service put there under a key of no kind that we know: it has no name and no page."""
    return read.Page([each for each in page.items if each.key_parts], page.next)


@access_pattern(
    "What is kept of this service, provider or customer, word for word?",
    keys.SERVICE,
    keys.PROVIDER,
    keys.CUSTOMER,
    partition=True,
)
def raw_item(key: Key) -> Raw | None:
    """One item, as it is on the wire: the key itself sorts before all that begin like it."""
    found = read.raw_page(Collection(None, key.pk, key.sk), limit=1).items
    return found[0] if found and found[0]["SK"] == {"S": key.sk} else None


@access_pattern("Which hours are kept of this provider, word for word?", keys.AVAILABILITY, partition=True)
def raw_hours(business: str, provider_id: str) -> list[Raw]:
    return read.raw_page(keys.AVAILABILITY.under(tenant=business, provider=provider_id), limit=20).items
