"""How many units were sold since a time, by product."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from dashboard.table import keys, read
from dashboard.table.registry import access_pattern
from franchises.items import Movement
from franchises.ledger import Units, add
from franchises.reasons import MovementReason

# The most sales that are added up, the latest ones: a page costs the same however much was sold.
MAX_SALES = 1_000
_ATTRIBUTES = ("at", "change", "name", "branchId")


@dataclass
class SoldProduct:
    """The sales of one product in one branch."""

    product_id: str
    branch_id: str
    title: str
    last_sold_at: datetime | None
    # Less what was undone.
    units: Units = 0


@dataclass(frozen=True)
class Sales:
    # The product with the most units first.
    products: list[SoldProduct]
    # If there were more sales than are added up: the time of the oldest one that is.
    first_at: datetime | None = None


@access_pattern("How many units of each product were sold since a time?", keys.MOVEMENTS_BY_REASON)
def sales_since(business: str, since: str) -> Sales:
    """`since` is a timestamp as stored, or its beginning."""
    collection = keys.MOVEMENTS_BY_REASON.collection(tenant=business, reason=MovementReason.SALE.value)
    found = read.page(collection, Movement, since=since, newest_first=True, limit=MAX_SALES, attributes=_ATTRIBUTES)
    return Sales(_by_product(found.items), found.items[-1].at if found.next_start_key else None)


def _by_product(newest_first: Iterable[Movement]) -> list[SoldProduct]:
    found: dict[str, SoldProduct] = {}
    for each in newest_first:
        product = found.setdefault(
            each.product_id, SoldProduct(each.product_id, each.branch_id or "", each.title, each.at)
        )
        product.units = add(product.units, -(each.change or 0))
    return sorted(found.values(), key=lambda product: (-product.units, product.title.casefold(), product.product_id))
