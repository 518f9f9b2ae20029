"""A branch with more products than one count has lines: a part of it is counted, and units are transferred."""

from __future__ import annotations

import pytest
from django.test import Client

from franchises.items import Branch
from franchises.queries import counts as queries
from franchises.queries.products import load_product
from tests.audit.entries import put_all
from tests.franchises.many_products import BRANCHES, raw_products
from tests.franchises.stores import BUSINESS, STORES, a_branch
from tests.ui.html import form_to, parse

COUNTS, TRANSFER = f"{STORES}counts/", f"{STORES}transfer/"


@pytest.fixture
def large(branch: Branch) -> Branch:
    """Every product of the helper is in the branch with the number 0001; here that is the only one."""
    products = list(raw_products(range(1, 2_101 * BRANCHES, BRANCHES)))
    for raw in products:
        for name in ("branchId", "GSI1PK", "GSI3SK"):
            if "branch-0001" in raw.get(name, {}).get("S", ""):
                raw[name] = {"S": raw[name]["S"].replace("branch-0001", branch.id)}
    put_all(products)
    return branch


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_a_part_of_a_large_branch_is_counted_and_transferred(table: str, as_owner: Client, large: Branch) -> None:
    form = form_to(as_owner.get(COUNTS), COUNTS)
    refused = form.send(as_owner, values={"branch": large.id, "products": ""})
    assert refused.status_code == 422
    assert "at most 2,000 products" in parse(refused).one("main").text
    assert form.send(as_owner, values={"branch": large.id, "products": "SKU-000007\nSKU-002000"}).status_code == 303
    (sheet,) = queries.sheets(BUSINESS).items
    assert [line.sku for line in queries.lines_of(BUSINESS, sheet.id)] == ["SKU-000007", "SKU-002000"]

    product = next(number for number in range(1, 500 * BRANCHES, BRANCHES) if _stock(number) > 10)
    target = a_branch("Norte")
    sent = {"from": large.id, "to": target.id, "product": f"product-{product:07}", "units": "3"}
    shown = as_owner.post(TRANSFER, sent)
    assert shown.status_code == 200
    before = _stock(product)
    assert form_to(shown, TRANSFER).send(as_owner).status_code == 303
    assert _stock(product) == before - 3


def _stock(number: int) -> float:
    return load_product(BUSINESS, f"product-{number:07}").stock or 0
