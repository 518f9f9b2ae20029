"""What was sold since a date, and the movements of a product in all its branches."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.core.clock import frozen, now
from dashboard.table.commands import new_command
from franchises.items import Branch, StockItem
from franchises.queries import sales as queries
from franchises.reasons import MovementReason
from franchises.services.stock import change_stock, undo_movement
from franchises.services.transfers import transfer
from tests.conftest import ACTOR
from tests.franchises.stores import BUSINESS, NEIGHBOURS, PRODUCTS, STORES, a_branch, a_product, product_url
from tests.ui.html import parse

# That of the business: the day may be another one than in UTC.
ZONE = ZoneInfo("America/Santiago")


def sell(product: StockItem, units: int) -> int:
    sold = change_stock(BUSINESS, product.id, change=-units, reason=MovementReason.SALE, command=new_command(ACTOR))
    return sold.seq


def rows(page: Any) -> list[str]:
    return [each.text for each in page.all("tr", data_row="")]


def sold(browser: Client, **query: str) -> Any:
    return parse(browser.get(PRODUCTS, {"show": "sold"} | query))


@pytest.fixture
def coffee(branch: Branch) -> StockItem:
    with frozen(now() - timedelta(days=9)):
        return a_product("Café", branch, stock=20, sku="CAFE")


def test_units_sold_since_a_date_are_added_up_by_product(
    table: str, as_owner: Client, branch: Branch, coffee: StockItem
) -> None:
    tea = a_product("Té", branch, stock=20)
    with frozen(now() - timedelta(days=8)):
        sell(coffee, 1)
    sell(coffee, 2)
    undo_movement(BUSINESS, coffee.id, sell(coffee, 4), command=new_command(ACTOR))
    sell(tea, 5)
    change_stock(BUSINESS, tea.id, change=-6, reason=MovementReason.LOSS, command=new_command(ACTOR))
    week = sold(as_owner)
    assert [row.split()[:3] for row in rows(week)] == [["Té", "5", "Centro"], ["Café", "2", "Centro"]]
    assert "Units sold: 7" in week.text
    since = timezone.localtime(now() - timedelta(days=8), ZONE).date().isoformat()
    assert [row.split()[1] for row in rows(sold(as_owner, since=since))] == ["5", "3"], "the day itself is included"


def test_of_very_many_sales_the_latest_are_added_up_and_the_page_says_so(
    table: str, as_owner: Client, coffee: StockItem, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        sell(coffee, 2)
    monkeypatch.setattr(queries, "MAX_SALES", 2)
    page = sold(as_owner)
    assert "Units sold: 4" in page.text and "only the latest 2 sales" in page.text


@pytest.mark.parametrize(("since", "message"), [("soon", "Correct the date"), ("2090-01-01", "Nothing was sold")])
def test_a_day_without_sales_or_that_is_none(
    table: str, as_owner: Client, coffee: StockItem, since: str, message: str
) -> None:
    sell(coffee, 2)
    page = sold(as_owner, since=since)
    assert message in page.text and rows(page) == []


def test_movements_of_a_product_in_all_branches(
    table: str, as_owner: Client, branch: Branch, coffee: StockItem
) -> None:
    norte = a_branch("Norte")
    with frozen(now() - timedelta(days=3)):
        there = a_product("Café", norte, stock=5, sku="CAFE")
    with frozen(now() - timedelta(hours=1)):
        transfer(BUSINESS, coffee.id, there.id, units=4, command=new_command(ACTOR))
    sell(there, 2)
    later = parse(as_owner.get(product_url(coffee))).by_class("store-later")[0]
    fragment = parse(as_owner.get(later.attrs["hx-get"]))
    (link,) = [each.attrs["href"] for each in fragment.all("a") if "everywhere/movements/" in each.attrs["href"]]
    page = parse(as_owner.get(link))
    changes = [row.by_class("movement-change")[0].text for row in page.all("tr", data_row="")]
    assert (changes[0], sorted(changes[1:3]), changes[3:]) == ("−2", ["+4", "−4"], ["+5", "+20"])
    numbers = [each.all("td")[0].text for each in page.by_class("figures")[0].all("tr")[1:]]
    assert (numbers[0], numbers[-2], numbers[-1]) == ("20", "25", "23"), "the sum of both branches"
    assert len(numbers) == 10


def test_a_stock_that_never_moved_counts_in_the_sum(table: str, as_owner: Client, branch: Branch) -> None:
    with frozen(now() - timedelta(days=2)):
        still, moves = a_product("Mate", branch, stock=0), a_product("Mate", a_branch("Norte"), stock=5)
    page = parse(as_owner.get(f"{PRODUCTS}everywhere/movements/", {"product": [still.id, moves.id]}))
    numbers = [each.all("td")[0].text for each in page.by_class("figures")[0].all("tr")[1:]]
    assert numbers == ["5", "5", "5"]


def test_movements_of_products_of_another_business_are_not_shown(
    table: str, as_owner: Client, coffee: StockItem
) -> None:
    url = f"/b/{NEIGHBOURS}/stores/products/everywhere/movements/"
    assert as_owner.get(url, {"product": coffee.id}).status_code == 404
    page = parse(as_owner.get(f"{STORES}products/everywhere/movements/", {"product": ["product-none", "x"]}))
    assert rows(page) == []
    assert as_owner.get(f"{STORES}products/everywhere/movements/").headers["Location"] == PRODUCTS
