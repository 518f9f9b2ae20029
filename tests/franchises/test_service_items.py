"""Exports of the real franchise service: imported from its three tables, displayed and changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.conftest import add_business, sign_in
from tests.franchises.stores import raw_product
from tests.transfer.helpers import run, write_lines
from tests.ui.html import parse

BUSINESS, BRANCH, OTHER = (f"{number}f0c1a2b-7d1e-4a52-9f3e-0a1b2c3d4e5f" for number in (1, 2, 3))
EMBEDDED, SEPARATE = (f"{number}f0c1a2b-7d1e-4a52-9f3e-0a1b2c3d4e5f" for number in (7, 8))
# Local times without a zone, with any number of fraction digits, and without seconds when they are zero.
TIMES = {"createdAt": "2026-01-14T05:10", "updatedAt": "2026-01-14T05:10:07.123456789"}
FRANCHISE = {"PK": f"FRANCHISE#{BUSINESS}", "SK": "METADATA", "id": BUSINESS, "name": "Tiendas Andina", **TIMES}
STORES = f"/b/{BUSINESS}/stores/"


def branch(branch_id: str, name: str, strategy: str, *products: dict[str, Any]) -> dict[str, Any]:
    own = {"PK": f"BRANCH#{branch_id}", "SK": "METADATA", "id": branch_id, "franchiseId": BUSINESS, "name": name}
    return own | {"storageStrategy": strategy, "products": list(products)} | TIMES


@pytest.fixture
def as_owner(table: str, people_by_role: Any, tmp_path: Path) -> Client:
    add_business(BUSINESS, "Tiendas Andina", "olivia@example.com")
    # A branch that is SEPARATED may still contain products.
    branches = (
        branch(BRANCH, "Centro", "EMBEDDED", {"id": EMBEDDED, "name": "Arepa", "stock": 7, **TIMES}),
        branch(OTHER, "Norte", "SEPARATED", {"id": "late", "name": "Jugo", "stock": 0, **TIMES}),
    )
    row = {"PK": f"PRODUCT#{SEPARATE}", "SK": "METADATA", "id": SEPARATE, "franchiseId": BUSINESS, "branchId": OTHER}
    product = row | {"name": "Café", "stock": 12, "GSI1PK": OTHER} | TIMES
    for name, items in (("franquicias", (FRANCHISE,)), ("sucursales", branches), ("productos", (product,))):
        file = write_lines(tmp_path, *(json.dumps(each) for each in items))
        assert run("import_items", file, "--from-table", f"business-{name}-pdn").ok
    return sign_in(people_by_role["owner"])


def test_an_import_of_the_real_service_is_displayed(as_owner: Client) -> None:
    assert "Tiendas Andina" in parse(as_owner.get(STORES)).text
    listed = parse(as_owner.get(f"{STORES}branches/")).text
    assert "Centro" in listed and "Norte" in listed
    for branch_id, titles in ((BRANCH, {"Arepa"}), (OTHER, {"Café", "Jugo"})):
        page = parse(as_owner.get(f"{STORES}branch-{branch_id}/"))
        rows = page.all("tr", data_row="")
        assert {row.all("a")[0].text for row in rows} == titles
    page = parse(as_owner.get(f"{STORES}products/product-{EMBEDDED}/"))
    assert page.by_class("stock-number")[0].text == "7"
    assert "12" in parse(as_owner.get(f"{STORES}products/")).text


def test_an_imported_product_is_sold_and_keeps_its_attributes(as_owner: Client) -> None:
    product = f"product-{SEPARATE}"
    before = raw_product(product, BUSINESS)
    url = f"{STORES}products/{product}/stock/"
    assert as_owner.post(url, {"change": "-2", "reason": "sale"}).status_code == 303
    after = raw_product(product, BUSINESS)
    assert after["stock"] == {"N": "10"} and set(before) <= set(after)
    assert after["createdAt"] == before["createdAt"] == {"S": TIMES["createdAt"]}
    assert as_owner.post(f"{url}", {"change": "-11", "reason": "sale"}).status_code == 422


def test_in_spanish_the_column_of_changes_has_a_noun(as_owner: Client) -> None:
    as_owner.post(f"{STORES}products/product-{SEPARATE}/stock/", {"change": "-2", "reason": "sale"})
    as_owner.cookies["django_language"] = "es"
    for url in (f"{STORES}movements/", f"{STORES}products/product-{SEPARATE}/"):
        page = parse(as_owner.get(url, headers={"Accept-Language": "es"}))
        headers = [each.text for each in page.all("th")]
        assert "Cambio" in headers and "Cambiar" not in headers
