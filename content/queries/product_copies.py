"""Queries for the copies of a product in its categories."""

from __future__ import annotations

from collections.abc import Iterator

from content.items import Product
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern


@access_pattern("Which copies of this product are in its categories?", keys.PRODUCT_COPY)
def copies_of(business: str, product: str, categories: list[str]) -> dict[Key, Raw | None]:
    """In one consistent call."""
    wanted = list(keys_of_copies(business, product, categories))
    return dict(zip(wanted, read.raw_items(wanted), strict=True)) if wanted else {}


def keys_of_copies(business: str, product: str, categories: list[str]) -> Iterator[Key]:
    for category in categories:
        try:
            yield keys.PRODUCT_COPY.key(tenant=business, category=category, product=product)
        except BadKey:
            continue  # The service could not have written one either.


@access_pattern("What is the product of these copies now?", keys.PRODUCT)
def find_product(business: str, product: str) -> Product | None:
    return read.get(Product, keys.PRODUCT.key(tenant=business, id=product))
