"""The pages of stores cost the same with 1,000 and with 4,000 products. `make bench ARGS=stores` compares more."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.audit.entries import put_all
from tests.franchises.many_products import PAGES, measure, put_products, raw_franchise


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_pages_of_stores_cost_the_same_with_1000_and_with_4000_products(table: str, as_owner: Client) -> None:
    put_all(raw_franchise())
    put_products(range(1_000))
    few = measure(as_owner)
    put_products(range(1_000, 4_000))
    many = measure(as_owner)
    assert {page: cost for page, cost in many.items() if cost != few[page]} == {}
    assert few.keys() == set(PAGES)
    assert max(trips for _calls, trips, _units in few.values()) == 2
