"""Queries for the movements of stock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, IndexPattern
from dashboard.table.registry import access_pattern
from franchises.items import Movement

PAGE = 50


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


@access_pattern("Which movements has this franchise?", keys.MOVEMENTS)
def movements(business: str, start_key: Any = None, **options: Any) -> read.Page[Movement]:
    """Newest first. Options: `since` and `until` (timestamps as stored, or their beginnings), `limit`."""
    return _page(keys.MOVEMENTS, start_key, options, tenant=business)


@access_pattern("Which movements has this branch?", keys.MOVEMENTS_OF_BRANCH)
def movements_of_branch(business: str, branch_id: str, start_key: Any = None, **options: Any) -> read.Page[Movement]:
    return _page(keys.MOVEMENTS_OF_BRANCH, start_key, options, tenant=business, branch=branch_id)


@access_pattern("Which movements have this reason?", keys.MOVEMENTS_BY_REASON)
def movements_by_reason(business: str, reason: str, start_key: Any = None, **options: Any) -> read.Page[Movement]:
    return _page(keys.MOVEMENTS_BY_REASON, start_key, options, tenant=business, reason=reason)


@access_pattern("Which movements belong to this count, file, transfer or undo?", keys.MOVEMENTS_OF_CAUSE)
def movements_of_cause(business: str, cause_id: str, start_key: Any = None, **options: Any) -> read.Page[Movement]:
    return _page(keys.MOVEMENTS_OF_CAUSE, start_key, options, tenant=business, cause=cause_id)


@access_pattern("Which movements has this person made?", keys.MOVEMENTS_BY)
def movements_by(business: str, email: str, start_key: Any = None, **options: Any) -> read.Page[Movement]:
    return _page(keys.MOVEMENTS_BY, start_key, options, tenant=business, email=email)


def _page(pattern: IndexPattern, start_key: Any, options: dict[str, Any], **parts: str) -> read.Page[Movement]:
    try:
        collection = pattern.collection(**parts)
    except BadKey:
        return read.Page([])
    if read.is_empty_range(options.get("since"), options.get("until")):
        return read.Page([])
    return read.page(collection, Movement, **({"limit": PAGE, "newest_first": True} | options), start_key=start_key)
