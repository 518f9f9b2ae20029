"""Queries for franchises."""

from __future__ import annotations

from functools import partial
from typing import Any

from dashboard.core.errors import NotFound
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
    options: dict[str, Any] = {"starts_with": prefix, "start_key": start_key, "limit": limit}
    found = read.page(collection, Franchise, attributes=IN_LISTS, **options)
    return found.with_rows([each for each in found.items if each.key_parts])


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


def search(words: str) -> list[Franchise]:
    """Franchises whose name begins with the text, or with this id. Names sort with capitals before small letters."""
    spellings = list(dict.fromkeys((words, words.lower(), words.capitalize(), words.title())))
    found = read.gather_all(
        [partial(_by_id, words), *(partial(_by_prefix, spelling) for spelling in spellings)],
    )
    unique = {each.id: each for group in found for each in group}
    return sorted(unique.values(), key=lambda each: each.title.casefold())[:PAGE]


def _by_id(business: str) -> list[Franchise]:
    found = find_franchise(business)
    return [found] if found else []


def _by_prefix(prefix: str) -> list[Franchise]:
    return franchises(prefix).items
