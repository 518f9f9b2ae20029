"""The stock of a product over time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from dashboard.table import keys, read
from dashboard.table.registry import access_pattern
from franchises.items import Movement
from franchises.queries.ledger import movements_of

# How many movements a chart looks back at most.
MAX_MOVEMENTS = 300


@access_pattern("How did the stock of this product change lately, newest first?", keys.MOVEMENT, partition=True)
def stock_history(business: str, product_id: str) -> list[Movement]:
    collection = keys.MOVEMENT.collection(tenant=business, product=product_id)
    attributes = ("at", "after")
    return read.page(collection, Movement, newest_first=True, limit=MAX_MOVEMENTS, attributes=attributes).items


# Of several products together.
MAX_TOGETHER, LEAST_OF_EACH = 600, 20


def histories(business: str, product_ids: Sequence[str]) -> list[read.Page[Movement]]:
    """The latest movements of each of these products, newest first, all in one round trip."""
    limit = min(MAX_MOVEMENTS, max(LEAST_OF_EACH, MAX_TOGETHER // max(1, len(product_ids))))
    return read.gather_all([partial(movements_of, business, each, limit=limit) for each in product_ids])
