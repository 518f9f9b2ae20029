"""Stores in a browser without JavaScript: sell by code and by row, undo, the grid, a transfer."""

from __future__ import annotations

from playwright.sync_api import expect

from franchises.queries.whole_catalog import products_of_branch
from tests.browser.conftest import Open
from tests.franchises.stores import BUSINESS, STORES, a_branch, a_product
from tests.ui.world import World


def test_everyday_work_without_javascript(open_as: Open, world: World) -> None:
    branch, other = a_branch("Bodega"), a_branch("Mercado")
    a_product("Café molido", branch, stock=10, sku="780-0")
    a_product("Té verde", branch, stock=30, sku="780-1")

    def stocks() -> dict[str, float | None]:
        return {each.title: each.stock for each in products_of_branch(BUSINESS, branch.id)}

    page = open_as("owner", f"{STORES}{branch.id}/", java_script_enabled=False)
    page.get_by_label("Scan or type a code").fill("780-0")
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]")).to_contain_text("Café molido: 10 → 9 (sale)")
    page.get_by_label("Units of Té verde").fill("4")
    page.get_by_role("button", name="Sell Té verde").click()
    expect(page.locator("[data-toast]")).to_contain_text("30 → 26 (sale)")
    page.locator("[data-toast]").get_by_role("button", name="Undo").click()
    expect(page.locator("[data-toast]")).to_contain_text("Undone. Té verde: 26 → 30")

    page.goto(f"{STORES}{branch.id}/grid/")
    page.get_by_label("Té verde: Stock").fill("28")
    page.get_by_label("Café molido: Stock").fill("many")
    page.get_by_role("button", name="Save all changes").click()
    expect(page.locator("[data-errors]")).to_contain_text("Café molido: Enter a whole number of units")
    assert stocks() == {"Café molido": 9, "Té verde": 28}

    page.goto(f"{STORES}transfer/")
    page.get_by_label("From", exact=True).select_option(label="Bodega")
    page.get_by_label("To", exact=True).select_option(label="Mercado")
    page.get_by_label("Product, row 1").fill("780-1")
    page.get_by_label("Units, row 1").fill("8")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Transfer 1 product").click()
    expect(page.locator("[data-toast]")).to_contain_text("8 × Té verde transferred to Mercado.")
    assert stocks() == {"Café molido": 9, "Té verde": 20}
    assert [each.stock for each in products_of_branch(BUSINESS, other.id)] == [8]
