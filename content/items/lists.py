"""The index keys of the lists of a site."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard.table import keys
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey, Part


def by_type(item: Item, name: str, *, at: Part | None = None) -> Iterator[IndexKey]:
    """The index key in the list of a type, sorted by `at`, the time in the item's key, or its creation."""
    at = at or item.key_parts.get("at") or item.created_at
    yield from keys.SITE_ITEMS_BY_TYPE.optional_key(tenant=item.key_parts["tenant"], type=name, at=at)


def folded_email(email: str) -> str:
    """An e-mail address for comparisons: the service stores it as it was typed."""
    return email.strip().casefold()
