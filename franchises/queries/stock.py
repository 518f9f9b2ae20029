"""Queries for a stock item with the end of its ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dashboard.core.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.items import Item
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern
from franchises.items import Franchise, Movement, StockHead, StockItem
from franchises.ledger import StockLedger

_PREFIX = keys.STOCK.sk.prefix({})


@dataclass(frozen=True)
class StockState:
    """A stock item with the end of its ledger and the rule of its franchise, read consistently."""

    business: str
    product_id: str
    item: StockItem | None
    head: StockHead | None
    allows_negative_stock: bool = False
    # The movements that were read with it, by number.
    movements: dict[int, Movement] = field(default_factory=dict)

    @property
    def ledger(self) -> StockLedger:
        """The ledger, to compute one change. It uses the items of this state."""
        return StockLedger(self.business, self.product_id, self.item, self.head)


def item_key(business: str, product_id: str) -> Key:
    """The key of a stock item. Raises NotFound for an id that none can have."""
    try:
        return keys.STOCK.key(tenant=business, product=product_id.removeprefix(_PREFIX))
    except BadKey as error:
        raise NotFound from error


def is_product_id(text: str) -> bool:
    """Whether this can be the id of a product."""
    try:
        return text.startswith(_PREFIX) and bool(keys.STOCK_HEAD.key(tenant="a", product=text)) and text != _PREFIX
    except BadKey:
        return False


@access_pattern("What is the stock of this product in its branch?", keys.STOCK)
def find_stock_item(business: str, product_id: str) -> StockItem | None:
    return read.get(StockItem, item_key(business, product_id)) if is_product_id(product_id) else None


def load_stock_item(business: str, product_id: str) -> StockItem:
    item = find_stock_item(business, product_id)
    if item is None:
        raise NotFound
    return item


def load_stock_state(business: str, product_id: str) -> StockState:
    """The state of one stock item. Raises NotFound if it does not exist."""
    (state,) = load_stock_states(business, [product_id])
    if state.item is None:
        raise NotFound
    return state


@access_pattern(
    "What are the stock and the end of the ledger of these products, and may they go below zero?",
    keys.STOCK,
    keys.STOCK_HEAD,
    keys.MOVEMENT,
    keys.FRANCHISE,
)
def load_stock_states(
    business: str, product_ids: Sequence[str], movements: Sequence[tuple[str, int]] = ()
) -> list[StockState]:
    """The states of these products in their order, with these movements of theirs. One call reads 49 products."""
    if not all(is_product_id(product_id) for product_id in product_ids):
        raise NotFound
    wanted = [keys.FRANCHISE.key(tenant=business)]
    for product_id in product_ids:
        wanted += [item_key(business, product_id), keys.STOCK_HEAD.key(tenant=business, product=product_id)]
    wanted += [keys.MOVEMENT.key(tenant=business, product=product, seq=seq) for product, seq in movements]
    found = dict(zip(wanted, read.get_many(wanted), strict=True))
    franchise = found[wanted[0]]
    return [
        StockState(
            business,
            product_id,
            _of(StockItem, found[item_key(business, product_id)]),
            _of(StockHead, found[keys.STOCK_HEAD.key(tenant=business, product=product_id)]),
            isinstance(franchise, Franchise) and bool(franchise.allows_negative_stock),
            {each.seq: each for each in found.values() if isinstance(each, Movement) and each.product_id == product_id},
        )
        for product_id in product_ids
    ]


@access_pattern("What is in the ledger of this stock item, for its repair?", keys.STOCK, keys.STOCK_HEAD)
def load_ledger(business: str, product_id: str) -> StockLedger:
    """Item and head as they are now; either may be missing."""
    found = read.get_many([item_key(business, product_id), keys.STOCK_HEAD.key(tenant=business, product=product_id)])
    return StockLedger(business, product_id, _of(StockItem, found[0]), _of(StockHead, found[1]))


def _of(cls: type[Any], found: Item | object | None) -> Any:
    return found if isinstance(found, cls) else None
