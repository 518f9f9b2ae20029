"""Queries for franchises."""

from __future__ import annotations

from functools import partial
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.core.names import folded
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern
from franchises.fields import FRANCHISE_FIELDS
from franchises.items import Franchise

PAGE = 50
IN_LISTS = FRANCHISE_FIELDS.list_attributes("createdAt", "id")


@access_pattern("Which franchises are there, by name?", keys.FRANCHISES)
def franchises(prefix: str = "", start_key: Any = None, limit: int = PAGE) -> read.Page[Franchise]:
    collection = keys.FRANCHISES.collection()
    options: dict[str, Any] = {"starts_with": folded(prefix), "start_key": start_key, "limit": limit}
    return read.page(collection, Franchise, attributes=IN_LISTS, **options)


@access_pattern("Which franchise does this business have?", keys.FRANCHISE)
def find_franchise(business: str) -> Franchise | None:
    try:
        return read.get(Franchise, keys.FRANCHISE.key(tenant=business))
    except BadKey:
        return None


def load_franchise(business: str) -> Franchise:
    found = find_franchise(business)
    if found is None:
        raise NotFound
    return found


def search(text: str, start_key: Any = None) -> read.Page[Franchise]:
    """Franchises whose name begins with the text, in any spelling; first the one with this id."""
    if start_key:
        return franchises(text, start_key)
    by_id, by_name = read.gather(partial(find_franchise, text), partial(franchises, text))
    found = [*([by_id] if by_id else []), *by_name.items]
    return read.Page(list({each.id: each for each in found}.values()), by_name.next_start_key)
