"""Work on many products in a real browser: the grid, a count on a phone, a transfer and its undo."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from dashboard.table.commands import new_command
from franchises.items import Branch
from franchises.queries.counts import lines_of
from franchises.queries.whole_catalog import products_of_branch
from franchises.reasons import MovementReason
from franchises.services import counts
from franchises.services.stock import change_stock
from tests.browser.axe import SIZES, complaints, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.conftest import ACTOR
from tests.franchises.stores import BUSINESS, STORES, a_branch, a_product
from tests.ui.world import World

PRODUCTS = ("Café molido", "Mate en hebras", "Té verde")


@pytest.fixture
def branch(world: World) -> Branch:
    found = a_branch("Bodega")
    for number, name in enumerate(PRODUCTS):
        a_product(name, found, stock=10 * (number + 1), sku=f"780-{number}", price="4500")
    return found


def stocks(branch: Branch) -> list[float | None]:
    return [product.stock for product in products_of_branch(BUSINESS, branch.id)]


def paste(page: Page, text: str) -> None:
    """Paste into the focused cell, as a spreadsheet copies a range."""
    page.locator(":focus").evaluate(
        """(cell, text) => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            cell.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""",
        text,
    )


def test_correct_stock_in_the_grid_by_keyboard_and_paste(open_as: Open, branch: Branch) -> None:
    page = open_as("owner", f"{STORES}{branch.id}/grid/")
    assert complaints_at_both_widths(page) == []
    # The highest stock comes first.
    page.get_by_label("Té verde: Stock").focus()
    paste(page, "31\t5\n21\t4\n11\t3\n")
    expect(page.get_by_label("Café molido: Stock")).to_be_focused()
    expect(page.get_by_label("Café molido: Minimum")).to_have_value("3")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_label("Mate en hebras: Stock")).to_be_focused()
    page.keyboard.type("many")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Café molido: Stock")).to_be_focused()
    page.get_by_role("button", name="Save all changes").click()
    expect(page.locator("[data-errors]")).to_contain_text("Mate en hebras: Enter a whole number of units")
    expect(page.get_by_label("Mate en hebras: Stock")).to_have_value("many")
    assert stocks(branch) == [11, 20, 31]
    assert complaints_at_both_widths(page) == []
    page.get_by_label("Mate en hebras: Stock").fill("21")
    page.get_by_role("button", name="Save all changes").click()
    expect(page.locator("[data-toast]").last).to_contain_text("1 product saved.")
    assert stocks(branch) == [11, 21, 31]
    page.get_by_role("button", name="Undo").last.click()
    expect(page.get_by_label("Mate en hebras: Stock")).to_have_value("20")


def test_rows_of_a_paste_that_do_not_fit_are_counted(open_as: Open, branch: Branch) -> None:
    page = open_as("owner", f"{STORES}{branch.id}/grid/")
    page.get_by_label("Mate en hebras: Stock").focus()
    paste(page, "1\n2\n3\n4\n")
    expect(page.get_by_text("Pasted rows that did not fit: 2")).to_be_visible()
    expect(page.get_by_label("Café molido: Stock")).to_have_value("2")
    page.get_by_label("Té verde: Stock").focus()
    paste(page, "7\n8\n")
    expect(page.locator("[data-paste-rest]")).to_be_hidden()


def test_count_on_a_phone_while_the_shop_sells(open_as: Open, branch: Branch) -> None:
    products = products_of_branch(BUSINESS, branch.id)
    sheet = counts.start(BUSINESS, branch, products, command=new_command(ACTOR))
    page = open_as("owner", f"{STORES}counts/{sheet.id}/", viewport=SIZES["phone"], has_touch=True, is_mobile=True)
    assert complaints(page) == []
    coffee = page.get_by_label("Café molido")
    assert (coffee.bounding_box() or {"height": 0})["height"] >= 44
    coffee.fill("8")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Mate en hebras")).to_be_focused()
    expect(page.locator(".count-saved")).to_have_count(1)
    # A scanned code leads to the line of its product.
    page.get_by_label("Scan or type a SKU").fill("780-2")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Té verde")).to_be_focused()
    page.keyboard.type("30")
    page.keyboard.press("Enter")
    expect(page.locator(".count-saved")).to_have_count(2)
    assert [line.counted for line in lines_of(BUSINESS, sheet.id)] == [8, None, 30]
    change_stock(BUSINESS, products[0].id, change=-1, reason=MovementReason.SALE, command=new_command(ACTOR))
    page.get_by_role("link", name="Differences").click()
    expect(page.locator("tr[data-row]")).to_have_count(1)
    expect(page.locator("tr[data-row]")).to_contain_text("−2")
    page.get_by_role("button", name="Apply the count").click()
    expect(page.locator("#operation")).to_contain_text("Finished")
    assert stocks(branch) == [7, 20, 30]
    page.get_by_role("button", name="Undo all").click()
    expect(page.locator("h1")).to_contain_text("Undo:")
    expect(page.locator("#operation")).to_contain_text("Finished")
    assert stocks(branch) == [9, 20, 30]


def test_count_without_javascript(open_as: Open, branch: Branch) -> None:
    sheet = counts.start(BUSINESS, branch, products_of_branch(BUSINESS, branch.id), command=new_command(ACTOR))
    page = open_as("owner", f"{STORES}counts/{sheet.id}/", java_script_enabled=False)
    page.get_by_label("Scan or type a SKU").fill("780-1")
    page.keyboard.press("Enter")
    page.get_by_label("Mate en hebras").fill("19")
    page.keyboard.press("Enter")
    expect(page.locator(".count-progress")).to_contain_text("1 of 3 counted")
    assert [line.counted for line in lines_of(BUSINESS, sheet.id)] == [None, 19, None]


def test_transfer_by_keyboard_and_undo(open_as: Open, branch: Branch) -> None:
    north = a_branch("Mercado")
    page = open_as("owner", f"{STORES}transfer/?from={branch.id}&to={north.id}")
    assert complaints_at_both_widths(page) == []
    page.get_by_label("Product, row 1").focus()
    paste(page, "780-0\t4\n")
    expect(page.get_by_label("Units, row 1")).to_have_value("4")
    page.get_by_label("Units, row 1").press("Tab")
    page.get_by_role("button", name="Preview").press("Enter")
    expect(page.locator("tr[data-row]")).to_contain_text("10 → 6")
    assert complaints_at_both_widths(page) == []
    page.get_by_role("button", name="Transfer 1 product").press("Enter")
    expect(page.locator("[data-toast]").last).to_contain_text("4 × Café molido transferred to Mercado.")
    assert (stocks(branch), stocks(north)) == ([6, 20, 30], [4])
    page.get_by_role("button", name="Undo").last.click()
    expect(page.locator("[data-toast]").last).to_contain_text("Undone")
    assert (stocks(branch), stocks(north)) == ([10, 20, 30], [0])
