"""Queries for products: the stock items of a franchise."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.core.names import folded
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire
from franchises.fields import PRODUCT_FIELDS
from franchises.items import StockHead, StockItem

PAGE, TOP = 50, 10
# How many stock items of one product a page lists: one for each branch.
MAX_IN_GROUP = 200
IN_LISTS = PRODUCT_FIELDS.list_attributes("stock", "branchId", "retiredAt")
HEAD_IN_LISTS = ("name", "sku", "minStock", "branchId", "lastAfter", "lastMovedAt")
# Keys of negative numbers begin with a minus, and sort before all others.
NEGATIVE = "-"
# The number of branches whose highest stock one page shows: each is a query of its own, all of them parallel.
MAX_BRANCHES = 50


def product_key(business: str, product_id: str) -> Key:
    """The id of a product is its whole sort key."""
    return keys.STOCK.key(tenant=business, product=product_id.removeprefix("product-"))


@access_pattern("Which product has this id?", keys.STOCK)
def find_product(business: str, product_id: str) -> StockItem | None:
    try:
        return read.get(StockItem, product_key(business, product_id))
    except BadKey:
        return None


def load_product(business: str, product_id: str) -> StockItem:
    found = find_product(business, product_id)
    if found is None:
        raise NotFound
    return found


@access_pattern("Which products have these ids?", keys.STOCK)
def products_with_ids(business: str, product_ids: Sequence[str]) -> list[StockItem]:
    found = read.get_many([product_key(business, each) for each in product_ids])
    return [each for each in found if isinstance(each, StockItem)]


@access_pattern("Which products does this branch have, by stock?", keys.STOCK_OF_BRANCH)
def stock_of_branch(
    business: str, branch_id: str, start_key: Any = None, *, highest_first: bool = True, limit: int = PAGE
) -> read.Page[StockItem]:
    try:
        collection = keys.STOCK_OF_BRANCH.collection(branch=branch_id, tenant=business)
    except BadKey:
        return read.Page([])
    options: dict[str, Any] = {"newest_first": highest_first, "start_key": start_key, "limit": limit}
    return read.page(collection, StockItem, attributes=IN_LISTS, **options)


@access_pattern("Which products of this franchise have the highest or the lowest stock?", keys.STOCK_BY_AMOUNT)
def stock_by_amount(
    business: str, start_key: Any = None, *, highest_first: bool = True, limit: int = PAGE
) -> read.Page[StockItem]:
    collection = keys.STOCK_BY_AMOUNT.collection(tenant=business)
    options: dict[str, Any] = {"newest_first": highest_first, "start_key": start_key, "limit": limit}
    return read.page(collection, StockItem, attributes=IN_LISTS, **options)


def top_stock(business: str, limit: int = TOP) -> list[StockItem]:
    return stock_by_amount(business, limit=limit).items


@access_pattern("Which products of this franchise have negative stock, the lowest first?", keys.STOCK_BY_AMOUNT)
def negative_stock(business: str, start_key: Any = None, limit: int = PAGE) -> read.Page[StockItem]:
    collection = keys.STOCK_BY_AMOUNT.collection(tenant=business)
    options: dict[str, Any] = {"until": NEGATIVE, "start_key": start_key, "limit": limit}
    return read.page(collection, StockItem, attributes=IN_LISTS, **options)


@access_pattern("Which products does this franchise have, by name?", keys.STOCK_BY_NAME)
def products_by_name(business: str, prefix: str = "", start_key: Any = None, limit: int = PAGE) -> read.Page[StockItem]:
    collection = keys.STOCK_BY_NAME.collection(tenant=business)
    options: dict[str, Any] = {"starts_with": folded(prefix), "start_key": start_key, "limit": limit}
    return read.page(collection, StockItem, attributes=IN_LISTS, **options)


@access_pattern("In which branches is this product?", keys.STOCK_OF_GROUP)
def stock_of_group(business: str, group: str, branch_id: str = "", limit: int = MAX_IN_GROUP) -> list[StockItem]:
    """The stock items of one product, in all branches or in one."""
    try:
        collection = keys.STOCK_OF_GROUP.collection(tenant=business, group=group)
    except BadKey:
        return []
    found = read.page(collection, StockItem, attributes=IN_LISTS, starts_with=branch_id, limit=limit).items
    return [each for each in found if not branch_id or each.branch_id == branch_id]


def find_by_code(business: str, code: str, branch_id: str = "") -> list[StockItem]:
    """Products with this id or SKU, for scanners and the search. With a branch, only products of this branch."""
    if not folded(code):
        return []
    by_id, by_sku = read.gather(
        partial(find_product, business, code),
        partial(stock_of_group, business, f"sku={folded(code)}", branch_id),
    )
    is_here = by_id is not None and not by_id.is_retired and (not branch_id or by_id.branch_id == branch_id)
    if by_id is not None and is_here:
        return [by_id]
    return by_sku


@access_pattern("Which products are at their minimum stock or below, the lowest first?", keys.LOW_STOCK)
def low_stock(business: str, start_key: Any = None, limit: int = PAGE) -> read.Page[StockHead]:
    collection = keys.LOW_STOCK.collection(tenant=business)
    return read.page(collection, StockHead, start_key=start_key, limit=limit, attributes=HEAD_IN_LISTS)


@access_pattern("How many products are at their minimum stock or below?", keys.LOW_STOCK)
def count_low_stock(business: str) -> int:
    return read.count(keys.LOW_STOCK.collection(tenant=business))


@access_pattern("Which products have not moved since a time, the oldest movement first?", keys.STOCK_BY_LAST_MOVEMENT)
def unmoved_since(business: str, moment: datetime, start_key: Any = None, limit: int = PAGE) -> read.Page[StockHead]:
    collection = keys.STOCK_BY_LAST_MOVEMENT.collection(tenant=business)
    options: dict[str, Any] = {"until": to_wire(moment), "start_key": start_key, "limit": limit}
    return read.page(collection, StockHead, attributes=HEAD_IN_LISTS, **options)


@access_pattern("Which products are retired, the latest first?", keys.RETIRED_STOCK)
def retired(business: str, start_key: Any = None, limit: int = PAGE) -> read.Page[StockItem]:
    collection = keys.RETIRED_STOCK.collection(tenant=business)
    options: dict[str, Any] = {"newest_first": True, "start_key": start_key, "limit": limit}
    return read.page(collection, StockItem, attributes=IN_LISTS, **options)
