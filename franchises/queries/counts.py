"""Queries for count sheets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern
from franchises.items import CountLine, CountSheet, StockHead, StockItem
from franchises.ledger import Units, units_of

# The most lines of a sheet. A larger branch is counted in parts.
MAX_LINES = 2_000


@dataclass(frozen=True)
class LineState:
    """A line of a sheet with the stock of its product, at one point in time."""

    sheet: CountSheet
    line: CountLine
    stock_item: StockItem | None
    head: StockHead | None

    @property
    def recorded(self) -> Units:
        """The stock as the ledger counts it; a missing stock, or a text, is 0."""
        return units_of(self.stock_item) if self.stock_item is not None else 0


@access_pattern("Which counts does this franchise have, newest first?", keys.COUNT_SHEETS)
def sheets(business: str, start_key: Any = None, limit: int = 50) -> read.Page[CountSheet]:
    collection = keys.COUNT_SHEETS.collection(tenant=business)
    return read.page(collection, CountSheet, newest_first=True, limit=limit, start_key=start_key)


@access_pattern("What is the state of this count?", keys.COUNT_SHEET)
def load_sheet(business: str, count: str) -> CountSheet:
    try:
        found = read.get(CountSheet, keys.COUNT_SHEET.key(tenant=business, count=count))
    except BadKey:
        found = None
    if found is None:
        raise NotFound
    return found


@access_pattern("Which lines does this count have?", keys.COUNT_LINE, partition=True)
def lines_of(business: str, count: str) -> list[CountLine]:
    """All lines, by the name of the product. A sheet has at most MAX_LINES."""
    try:
        collection = keys.COUNT_LINE.collection(tenant=business, count=count)
    except BadKey:
        return []
    found = read.page(collection, CountLine, limit=MAX_LINES, consistent=True).items
    return sorted(found, key=lambda line: (line.title.casefold(), line.product_id))


@access_pattern("What is the stock of a product at the moment when it is counted?", keys.COUNT_LINE)
def load_line_state(business: str, count: str, product_id: str) -> LineState:
    """One consistent read of the sheet, the line, the stock and the end of its ledger."""
    try:
        wanted = [
            keys.COUNT_SHEET.key(tenant=business, count=count),
            keys.COUNT_LINE.key(tenant=business, count=count, product=product_id),
            Key(business, product_id),
            keys.STOCK_HEAD.key(tenant=business, product=product_id),
        ]
    except BadKey as error:
        raise NotFound from error
    sheet, line, stock_item, head = read.get_many(wanted)
    if not isinstance(sheet, CountSheet) or not isinstance(line, CountLine):
        raise NotFound
    return LineState(
        sheet,
        line,
        stock_item if isinstance(stock_item, StockItem) else None,
        head if isinstance(head, StockHead) else None,
    )
