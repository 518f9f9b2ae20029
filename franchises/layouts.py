"""The three tables of the franchise service: franchises, branches with products, and further products."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard.platform.transfer.layouts import build_key, move_item, register_layout, text_of
from dashboard.platform.transfer.values import BadLine
from dashboard.table import keys
from dashboard.table.items import Raw

_ENVIRONMENT = "-[a-z]+"
_PRODUCTS = "products"


@register_layout("franquicias", f"business-franquicias{_ENVIRONMENT}|franquicias")
def convert_franchise(item: Raw) -> Iterator[Raw]:
    yield move_item(item, build_key(keys.FRANCHISE, tenant=text_of(item, "id")))


@register_layout("sucursales", f"business-sucursales{_ENVIRONMENT}|sucursales")
def convert_branch(item: Raw) -> Iterator[Raw]:
    """A branch, and an item for each product that it contains."""
    franchise, branch = text_of(item, "franchiseId"), text_of(item, "id").removeprefix("branch-")
    key = build_key(keys.BRANCH, tenant=franchise, branch=branch)
    yield move_item({name: value for name, value in item.items() if name != _PRODUCTS}, key)
    for entry in item.get(_PRODUCTS, {}).get("L", []):
        if "M" not in entry:
            raise BadLine("an entry of products is no map")
        yield _stock_item(entry["M"], franchise, key.sk)


@register_layout("productos", f"business-productos{_ENVIRONMENT}|productos")
def convert_product(item: Raw) -> Iterator[Raw]:
    branch = text_of(item, "branchId").removeprefix("branch-")
    franchise = text_of(item, "franchiseId")
    yield _stock_item(item, franchise, build_key(keys.BRANCH, tenant=franchise, branch=branch).sk)


def _stock_item(item: Raw, franchise: str, branch: str) -> Raw:
    """A product names its branch by the branch's sort key here."""
    key = build_key(keys.STOCK, tenant=franchise, product=text_of(item, "id").removeprefix("product-"))
    return move_item(item, key, franchiseId=franchise, branchId=branch)
