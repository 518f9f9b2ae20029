"""Queries that read all of a franchise, for `verify_stock`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from dashboard.table import keys, read
from dashboard.table.items import Raw, to_item
from dashboard.table.keypattern import Key
from dashboard.table.registry import access_pattern
from franchises.items import Movement, StockHead
from franchises.ledger import CountedStock, Units, add, counted
from franchises.queries.franchises import franchises
from franchises.queries.totals import Totals

PAGE = 1000


def all_businesses() -> Iterator[str]:
    """The businesses that have a franchise."""
    start_key: Any = None
    while True:
        page = franchises(start_key=start_key, limit=PAGE)
        yield from (each.id for each in page.items)
        start_key = page.next_start_key
        if start_key is None:
            return


@access_pattern("Which stock items has this franchise, as they are stored?", keys.STOCK, partition=True)
def raw_stock_page(business: str, start_key: Any = None) -> read.Page[Raw]:
    return read.raw_page(keys.STOCK.collection(tenant=business), start_key=start_key, limit=PAGE)


@access_pattern("Which heads of ledgers are listed, by their last movement?", keys.STOCK_BY_LAST_MOVEMENT)
def listed_products(business: str, start_key: Any = None) -> read.Page[StockHead]:
    collection = keys.STOCK_BY_LAST_MOVEMENT.collection(tenant=business)
    return read.page(collection, StockHead, start_key=start_key, limit=PAGE, attributes=["seq"])


@access_pattern("What is the whole ledger of this stock item?", keys.MOVEMENT, partition=True)
def raw_ledger(business: str, product_id: str) -> tuple[StockHead | None, list[Movement]]:
    """The head and all movements, the first one first."""
    head, movements, start_key = None, list[Movement](), None
    while True:
        page = read.raw_page(keys.stock_ledger(business, product_id), start_key=start_key, limit=PAGE)
        for item in map(to_item, page.items):
            if isinstance(item, StockHead):
                head = item
            elif isinstance(item, Movement):
                movements.append(item)
        start_key = page.next_start_key
        if start_key is None:
            return head, movements


@access_pattern("What do the heads of these ledgers count?", keys.STOCK_HEAD)
def totals_of_heads(business: str, product_ids: list[str]) -> dict[str, Totals]:
    """What the totals should be, by branch."""
    wanted: list[Key] = [keys.STOCK_HEAD.key(tenant=business, product=each) for each in product_ids]
    found: defaultdict[str, Totals] = defaultdict(Totals)
    for head in read.get_many(wanted):
        part: CountedStock = counted(head if isinstance(head, StockHead) else None)
        if part.branch_id:
            known = found[part.branch_id]
            units: Units = add(known.units, part.units)
            found[part.branch_id] = Totals(known.products + part.products, units)
    return dict(found)
