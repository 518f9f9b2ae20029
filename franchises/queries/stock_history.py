"""The stock of a product over time."""

from __future__ import annotations

from dashboard.table import keys, read
from dashboard.table.registry import access_pattern
from franchises.items import Movement

# How many movements a chart looks back at most.
MAX_MOVEMENTS = 300


@access_pattern("How did the stock of this product change lately, newest first?", keys.MOVEMENT, partition=True)
def stock_history(business: str, product_id: str) -> list[Movement]:
    collection = keys.MOVEMENT.collection(tenant=business, product=product_id)
    attributes = ("at", "after")
    return read.page(collection, Movement, newest_first=True, limit=MAX_MOVEMENTS, attributes=attributes).items
