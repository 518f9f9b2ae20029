"""Stock items as outside writers write and delete them, and a check of their ledgers."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from dashboard.table import connection
from franchises.items import StockItem
from franchises.queries.ledger import movements_of
from franchises.queries.products import load_product
from tests.bookings.catalog import put
from tests.franchises.stores import BUSINESS


def delete_product(product_id: str, business: str = BUSINESS) -> None:
    connection.client().delete_item(
        TableName=connection.table().table_name, Key={"PK": {"S": business}, "SK": {"S": product_id}}
    )


ODD_PRODUCTS: list[dict[str, Any]] = [
    {"id": "product-a#b", "name": "Hash # in id"},
    {"id": "product-" + "y" * 300, "name": "Long id"},
    {"id": "product-text", "name": "Text", "stock": "muchas"},
    {"id": "product-minus", "name": "Minus", "stock": -7},
    {"id": "product-none", "name": "None", "stock": None},
    {"id": "product-huge", "name": "Huge", "stock": 10**20},
    {"id": "product-half", "name": "Half", "stock": 2.5},
    {"id": "product-nobranch", "name": "No branch", "branchId": None},
    {"id": "product-wrongbranch", "name": "Wrong branch", "branchId": "branch-x#y"},
    {"id": "product-noname", "name": None},
    {"id": "product-formula", "name": "=1+1", "sku": "@SUM(A1)"},
    {"id": "product-long", "name": "n#" * 700, "sku": "s" * 1500},
    {"id": "product-types", "name": 12, "sku": ["a"], "minStock": "few", "price": "free", "retiredAt": None},
]


def put_odd_products(branch_id: str) -> None:
    for odd in ODD_PRODUCTS:
        values = {"franchiseId": BUSINESS, "branchId": branch_id, "stock": 5} | odd
        given = {name: value for name, value in values.items() if value is not None}
        put(BUSINESS, odd["id"], **given)
        stock: Any = given.get("stock")
        if isinstance(stock, int) and 0 <= stock < 10**10 and given.get("branchId") == branch_id:
            put(
                BUSINESS, odd["id"], **given, GSI1PK=f"BRANCH#{branch_id}",
                GSI1SK=f"{BUSINESS}#S#{stock:010}", GSITypePK=f"{BUSINESS}#STOCK",
                GSITypeSK=f"{stock:010}",
            )  # fmt: skip


def stock_of(product: StockItem | str) -> Any:
    return load_product(BUSINESS, product if isinstance(product, str) else product.id).stock


def is_consistent(product: StockItem | str) -> bool:
    """Whether the movements explain the stock, without gaps."""
    product_id = product if isinstance(product, str) else product.id
    moved = movements_of(BUSINESS, product_id, limit=1000, newest_first=False).items
    numbers = [each.seq for each in moved] == list(range(1, len(moved) + 1))
    chained = all(one.after == other.before for one, other in pairwise(moved))
    return numbers and chained and (not moved or moved[-1].after == (stock_of(product) or 0))
