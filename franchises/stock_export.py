"""The stock of a business as CSV, with the columns that the import reads."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dashboard.table.read import in_background
from dashboard.web.downloads import BOM, as_csv
from franchises.fields import price_for_input
from franchises.items import StockItem
from franchises.queries.branches import branches_of, titles_of
from franchises.queries.products import products_by_name

COLUMNS = ("branch", "branch name", "product", "sku", "name", "stock", "minimum", "price")
AT_ONCE = 500


def lines(business: str) -> Generator[str]:
    """The lines of the file by name, one page of products at a time."""
    start_key: Any = None
    branches_read = in_background(lambda: titles_of(branches_of(business)))
    head = BOM + as_csv([COLUMNS])
    while True:
        found = products_by_name(business, start_key=start_key, limit=AT_ONCE)
        titles = branches_read.result()
        yield head + as_csv(_row(product, titles) for product in found.items)
        start_key, head = found.next_start_key, ""
        if start_key is None:
            return


def _row(product: StockItem, titles: dict[str, str]) -> tuple[object, ...]:
    branch = product.branch_id or ""
    return (
        branch,
        titles.get(branch, ""),
        product.id,
        product.sku,
        product.name,
        product.stock,
        product.min_stock,
        price_for_input(product.price),
    )
