"""Stores in a browser: a scanner, quick changes, Undo, keyboard only, a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from franchises.queries.products import load_product
from tests.browser.axe import complaints_at_both_widths
from tests.browser.conftest import Open
from tests.franchises.stores import BUSINESS, STORES, a_branch, a_product
from tests.ui.world import World

CODE = "7801620005431"
# A scanner types faster than a person. A busy machine would make single keys of Playwright slow.
SCAN = """(code) => {
  const target = document.activeElement ?? document.body;
  for (const key of [...code, "Enter"]) {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    if (target.dispatchEvent(event) && key.length === 1 && target.matches("input")) target.value += key;
  }
}"""


@pytest.fixture
def branch(world: World) -> str:
    """A branch with two products."""
    made = a_branch("Sucursal Centro")
    a_product("Agua mineral", made, stock=10, sku=CODE)
    a_product("Café molido", made, stock=5, sku="CAFE-250")
    return made.id


def product_in(page: Page, name: str) -> str:
    row = page.locator("tr[data-row]", has_text=name)
    return str(row.get_attribute("id")).removeprefix("row-")


def last_toast(page: Page) -> str:
    return page.locator("[data-toast] p").last.inner_text()


def test_scans_sell_and_deliver_wherever_the_focus_is(open_as: Open, branch: str) -> None:
    page = open_as("stock_keeper", f"{STORES}{branch}/")
    water = product_in(page, "Agua mineral")
    page.evaluate(SCAN, CODE)
    expect(page.locator("[data-toast]").last).to_contain_text("Agua mineral: 10 → 9 (sale)")
    units = page.get_by_label("Units of Café molido")
    units.fill("3")
    page.evaluate(SCAN, CODE)
    expect(page.locator("[data-toast]").last).to_contain_text("9 → 8")
    page.get_by_label("Units of Café molido").focus()
    page.get_by_role("radio", name="Delivery").check()
    for _ in range(2):
        page.evaluate(SCAN, CODE)
    expect(page.locator("[data-toast]").last).to_contain_text("9 → 10 (delivery)")
    assert load_product(BUSINESS, water).stock == 10
    page.get_by_role("button", name="Undo").last.click()
    expect(page.locator("[data-toast]").last).to_contain_text("Undone. Agua mineral: 10 → 9")
    assert load_product(BUSINESS, water).stock == 9


def test_a_code_that_is_not_found_says_so_and_the_next_scan_works(open_as: Open, branch: str) -> None:
    page = open_as("stock_keeper", f"{STORES}{branch}/")
    page.evaluate(SCAN, "0000000000000")
    expect(page.locator("[data-toast]").last).to_contain_text("No product with the code 0000000000000")
    page.evaluate(SCAN, CODE)
    expect(page.locator("[data-toast]").last).to_contain_text("Agua mineral: 10 → 9 (sale)")


def test_a_code_may_contain_any_character(open_as: Open, branch: str) -> None:
    a_product("Azúcar", branch, stock=4, sku="A:1 %B$")
    page = open_as("stock_keeper", f"{STORES}{branch}/")
    page.evaluate(SCAN, "A:1 %B$")
    expect(page.locator("[data-toast]").last).to_contain_text("Azúcar: 4 → 3 (sale)")


def test_keys_of_a_person_are_no_scan(open_as: Open, branch: str) -> None:
    page = open_as("stock_keeper", f"{STORES}{branch}/")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    page.wait_for_url("**/products/new/**")


def test_a_row_is_changed_in_place_and_undone_by_keyboard(open_as: Open, branch: str) -> None:
    page = open_as("stock_keeper", f"{STORES}{branch}/")
    row = page.locator("tr[data-row]", has_text="Café molido")
    page.get_by_label("Units of Café molido").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("2", delay=80)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(row.locator(".stock-value")).to_have_text("7")
    expect(page.get_by_role("button", name="Deliver Café molido")).to_be_focused()
    expect(page.locator("[data-toast]").last).to_contain_text("5 → 7 (delivery)")
    page.keyboard.press("z")
    expect(page.locator("[data-toast]").last).to_contain_text("Undone. Café molido: 7 → 5")


def test_a_stock_is_set_and_refused_after_someone_else_changed_it(open_as: Open, branch: str) -> None:
    page = open_as("stock_keeper", f"{STORES}{branch}/")
    page.get_by_role("link", name="Café molido").click()
    expect(page.get_by_text("Sucursal Centro").last).to_be_visible()
    page.get_by_label("New stock").fill("12")
    page.get_by_role("button", name="Set stock").click()
    expect(page.locator("[data-toast]").last).to_contain_text("5 → 12 (correction)")
    expect(page.locator(".stock-number .stock-value")).to_have_text("12")


def test_a_person_sells_on_a_phone(open_as: Open, branch: str) -> None:
    page = open_as("stock_keeper", f"{STORES}{branch}/", viewport={"width": 390, "height": 844}, has_touch=True)
    page.get_by_role("button", name="Sell Agua mineral").tap()
    expect(page.locator("tr[data-row]", has_text="Agua mineral").locator(".stock-value")).to_have_text("9")
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0


def test_the_search_finds_a_product_by_its_sku(open_as: Open, branch: str) -> None:
    page = open_as("stock_keeper", f"{STORES}{branch}/")
    page.keyboard.press("Control+k")
    page.locator("#palette").get_by_role("combobox").fill("CAFE-250")
    result = page.locator("#palette-results").get_by_role("option", name="Café molido")
    expect(result).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Café molido")


@pytest.mark.parametrize(
    "path", ["", "branches/", "products/", "products/?show=low", "products/?show=sold", "movements/", "settings/"]
)
def test_the_pages_of_stores_are_accessible(open_as: Open, branch: str, path: str) -> None:
    assert complaints_at_both_widths(open_as("owner", f"{STORES}{path}")) == []


def test_the_pages_of_a_branch_and_a_product_are_accessible(open_as: Open, branch: str) -> None:
    page = open_as("owner", f"{STORES}{branch}/")
    assert complaints_at_both_widths(page) == []
    product = product_in(page, "Agua mineral")
    for path in (f"{product}/", f"everywhere/movements/?product={product}"):
        page.goto(f"{STORES}products/{path}")
        assert complaints_at_both_widths(page) == []
