"""Creates franchises, branches and products for tests, also as an outside writer writes them."""

from __future__ import annotations

from typing import Any

from dashboard.table.commands import new_command
from franchises.items import Branch, Franchise, StockItem
from franchises.services import branches, franchises, products
from tests.bookings.catalog import put, raw_at
from tests.conftest import ACTOR

BUSINESS, NEIGHBOURS = "andina", "harbour"
STORES = f"/b/{BUSINESS}/stores/"
BRANCHES, PRODUCTS, MOVEMENTS = (f"{STORES}{name}/" for name in ("branches", "products", "movements"))


def a_franchise(name: str = "Tiendas Andina", *, business: str = BUSINESS, **values: Any) -> Franchise:
    return franchises.create(business, {"name": name, **values}, command=new_command(ACTOR))


def a_branch(name: str = "Centro", *, business: str = BUSINESS) -> Branch:
    return branches.create(business, {"name": name}, command=new_command(ACTOR))


def a_product(
    name: str = "Café 250 g", branch: Branch | str = "", *, stock: int = 10, business: str = BUSINESS, **values: Any
) -> StockItem:
    branch_id = branch.id if isinstance(branch, Branch) else branch
    return products.create(business, branch_id, {"name": name, **values}, stock=stock, command=new_command(ACTOR))


def product_url(product: StockItem, business: str = BUSINESS) -> str:
    return f"/b/{business}/stores/products/{product.id}/"


def raw_product(product: StockItem | str, business: str = BUSINESS) -> dict[str, Any]:
    return raw_at(business, product if isinstance(product, str) else product.id)


# --- As an outside writer writes it ---
SEED = "123e4567-e89b-12d3-a456-426614174000"
_TIMES = {"createdAt": "2026-01-12T20:00:00", "updatedAt": "2026-01-12T20:00:00"}


def put_seed_items(business: str = SEED) -> None:
    """Write the examples of the platform's document."""
    put(f"FRANCHISE#{business}", "METADATA", id=business, name="Franquicia McDonald's", **_TIMES)
    put(
        business,
        "branch-001",
        id="branch-001",
        franchiseId=business,
        name="Sucursal Centro",
        GSI1PK="BRANCH#branch-001",
        GSI2PK=f"FRANCHISE_BRANCHES#{business}",
        **_TIMES,
    )
    put_seed_product(business)


def put_seed_product(business: str, product_id: str = "product-001", **values: Any) -> None:
    item = {"id": product_id, "franchiseId": business, "branchId": "branch-001", "name": "Big Mac", "stock": 150}
    put(business, product_id, GSI1PK="BRANCH#branch-001", GSI2PK=f"PRODUCT#{product_id}", **_TIMES, **item | values)
