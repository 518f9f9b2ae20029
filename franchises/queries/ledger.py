"""Queries for the movements of stock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Collection, IndexPattern
from dashboard.table.registry import access_pattern
from franchises.items import Movement

PAGE = 50
NEWEST_FIRST: dict[str, Any] = {"newest_first": True, "limit": PAGE}


@access_pattern("What is this movement?", keys.MOVEMENT)
def find_movement(business: str, product_id: str, seq: int) -> Movement | None:
    try:
        return read.get(Movement, keys.MOVEMENT.key(tenant=business, product=product_id, seq=seq))
    except BadKey:
        return None


def load_movement(business: str, product_id: str, seq: int) -> Movement:
    movement = find_movement(business, product_id, seq)
    if movement is None:
        raise NotFound
    return movement


@access_pattern("What are these movements?", keys.MOVEMENT)
def find_movements(business: str, wanted: Sequence[tuple[str, int]]) -> dict[tuple[str, int], Movement]:
    """By product and number. Those that do not exist are missing."""
    found = read.get_many([keys.MOVEMENT.key(tenant=business, product=each, seq=seq) for each, seq in wanted])
    return {(each.product_id, each.seq): each for each in found if isinstance(each, Movement)}


@access_pattern("Which movements has the stock of this product in its branch?", keys.MOVEMENT, partition=True)
def movements_of(
    business: str, product_id: str, start_key: Any = None, limit: int = PAGE, *, newest_first: bool = True
) -> read.Page[Movement]:
    try:
        collection = keys.MOVEMENT.collection(tenant=business, product=product_id)
    except BadKey:
        return read.Page([])
    options: dict[str, Any] = {"start_key": start_key, "limit": limit, "newest_first": newest_first}
    return read.page(collection, Movement, consistent=True, **options)


@access_pattern("Which movements belong to this count, file, transfer or undo?", keys.MOVEMENTS_OF_CAUSE)
def movements_of_cause(business: str, cause_id: str, start_key: Any = None, **options: Any) -> read.Page[Movement]:
    """Newest first. Options: `since` and `until` (timestamps as stored, or their beginnings), `limit`."""
    collection = _collection(keys.MOVEMENTS_OF_CAUSE, options, tenant=business, cause=cause_id)
    options = NEWEST_FIRST | options
    return read.page(collection, Movement, start_key=start_key, **options) if collection else read.Page([])


@access_pattern("Which movements has this person made?", keys.MOVEMENTS_BY)
def movements_by(business: str, email: str, start_key: Any = None, **options: Any) -> read.Page[Movement]:
    """With the same options."""
    collection = _collection(keys.MOVEMENTS_BY, options, tenant=business, email=email)
    options = NEWEST_FIRST | options
    return read.page(collection, Movement, start_key=start_key, **options) if collection else read.Page([])


def _collection(pattern: IndexPattern, options: dict[str, Any], **parts: str) -> Collection | None:
    """None if it is certain to be empty."""
    try:
        collection = pattern.collection(**parts)
    except BadKey:
        return None
    return None if read.is_empty_range(options.get("since"), options.get("until")) else collection
