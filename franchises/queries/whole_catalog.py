"""All products of a business or a branch at once, for work on many products: counts, transfers, files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from dashboard.core.errors import Refused
from dashboard.core.names import folded
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern
from franchises.items import StockItem
from franchises.queries.products import IN_LISTS

MAX_PRODUCTS = 100_000
# The most products of a branch from which a count or a transfer chooses some.
MAX_OF_BRANCH = 20_000
AT_ONCE = 2_000
_ATTRIBUTES = (*IN_LISTS, "franchiseId", "revision")


@access_pattern("Which products does this franchise have, all of them?", keys.STOCK_BY_NAME)
def all_products(business: str) -> list[StockItem]:
    """The products that are not retired. Only for a request that holds a part of the share of expensive work."""
    return _read_all(partial(read.page, keys.STOCK_BY_NAME.collection(tenant=business), StockItem), MAX_PRODUCTS)


@access_pattern("Which products does this branch have, all of them?", keys.STOCK_OF_BRANCH)
def products_of_branch(business: str, branch: str) -> list[StockItem]:
    """The products that are not retired, by name. Only for a request that holds a part of the share, as above."""
    try:
        collection = keys.STOCK_OF_BRANCH.collection(tenant=business, branch=branch)
    except BadKey:
        return []
    found = _read_all(partial(read.page, collection, StockItem), MAX_OF_BRANCH)
    return sorted(found, key=lambda product: (folded(product.title), product.id))


def _read_all(read_page: Callable[..., read.Page[StockItem]], most: int) -> list[StockItem]:
    found: list[StockItem] = []
    start_key: Any = None
    while True:
        page = read_page(limit=AT_ONCE, start_key=start_key, attributes=_ATTRIBUTES)
        found += page.items
        if len(found) > most:
            text = _("There are more than %(most)s products. Work with a part of them.")
            raise Refused(text % {"most": f"{most:,}"})
        start_key = page.next_start_key
        if start_key is None:
            return found
