"""The pages that show and change stock: a branch, a product, the scanner, lists and movements."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.core.clock import frozen, now
from dashboard.table.commands import new_command
from franchises.items import Branch, StockItem
from franchises.queries.ledger import movements_of
from franchises.queries.products import load_product
from franchises.reasons import MovementReason
from franchises.services import branches, products
from franchises.services.stock import change_stock
from tests.bookings.catalog import press_undo
from tests.conftest import ACTOR, add_business, sign_in
from tests.franchises.stores import (
    BUSINESS,
    MOVEMENTS,
    PRODUCTS,
    SEED,
    STORES,
    a_branch,
    a_franchise,
    a_product,
    product_url,
    put_seed_items,
    put_seed_product,
    raw_product,
)
from tests.ui.html import Element, form_to, parse, toasts

HTMX = {"HX-Request": "true"}


def stock_of(product: StockItem) -> Any:
    return load_product(BUSINESS, product.id).stock


def sell(product: StockItem, units: int = 1) -> None:
    change_stock(BUSINESS, product.id, change=-units, reason=MovementReason.SALE, command=new_command(ACTOR))


def titles(page: Element) -> list[str]:
    return [(each.all("a") or each.by_class("row-title"))[0].text for each in page.all("tr", data_row="")]


# --- A branch ---
def test_a_branch_lists_its_products_by_stock(table: str, as_owner: Client, branch: Branch) -> None:
    for name, stock in (("Agua", 3), ("Café", 20), ("Té", 0)):
        a_product(name, branch, stock=stock)
    a_product("De otra", a_branch("Norte"), stock=50)
    url = f"{STORES}{branch.id}/"
    assert titles(parse(as_owner.get(url))) == ["Café", "Agua", "Té"]
    assert titles(parse(as_owner.get(url, {"order": "lowest"}))) == ["Té", "Agua", "Café"]
    assert "3 products, 23 units" in parse(as_owner.get(url)).text


def test_the_buttons_of_a_row_sell_and_deliver(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product(branch=branch, stock=10)
    url, stock_url = f"{STORES}{branch.id}/", f"{product_url(product)}stock/"
    form = form_to(as_owner.get(url), stock_url)
    buttons = parse(as_owner.get(url)).all("button", name="direction")
    answer = as_owner.post(stock_url, form.data(buttons[0], units="3"), HTTP_REFERER=f"http://testserver{url}")
    assert answer.headers["Location"] == f"{url}?just={product.id}"
    assert toasts(as_owner.get(url)) == ["Café 250 g: 10 → 7 (sale)"]
    form = form_to(as_owner.get(url), stock_url)
    row = as_owner.post(stock_url, form.data(buttons[1], units="5"), headers=HTMX)
    assert row.status_code == 200
    page = parse(row)
    assert page.one("tr").attrs["id"] == f"row-{product.id}"
    assert page.by_class("stock-value")[0].text == "12", "htmx gets the row with its new stock"
    assert [each.reason for each in movements_of(BUSINESS, product.id).items] == ["delivery", "sale", "delivery"]


@pytest.mark.parametrize("units", ["", "0", "-2", "abc", "1.5", "99999999999999"])
def test_invalid_units_change_nothing(table: str, as_owner: Client, branch: Branch, units: str) -> None:
    product = a_product(branch=branch, stock=10)
    sent = {"units": units, "direction": "out", "reason": "auto"}
    url = f"{product_url(product)}stock/"
    answer = as_owner.post(url, sent)
    assert answer.status_code == 422
    field = parse(answer).one("input", name="units")
    assert field.attrs.get("value", "") == units, "the input is kept"
    assert as_owner.post(url, sent, headers=HTMX).status_code == 422
    assert stock_of(product) == 10


def test_a_sale_of_more_than_is_in_stock_is_refused(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product(branch=branch, stock=2)
    sent = {"change": "-3", "reason": "sale", "note": "María"}
    answer = as_owner.post(f"{product_url(product)}stock/", sent)
    assert answer.status_code == 422
    assert "There are only 2 of Café 250 g" in parse(answer).text
    assert parse(answer).one("input", id="change-note").attrs["value"] == "María"
    assert stock_of(product) == 2


def test_below_zero_the_message_states_the_number(table: str, as_owner: Client) -> None:
    a_franchise(allows_negative_stock=True)
    product = a_product(branch=a_branch(), stock=2)
    as_owner.post(f"{product_url(product)}stock/", {"change": "-3", "reason": "sale"})
    page = as_owner.get(product_url(product))
    assert toasts(page) == ["Café 250 g: 2 → −1 (sale). The stock is below zero now."]
    assert "Below zero" in parse(page).text


# --- A product ---
def test_the_stock_is_set_and_a_stale_number_is_refused(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product(branch=branch, stock=10)
    url = f"{product_url(product)}stock/"
    form = form_to(as_owner.get(product_url(product)), url, set="10")
    sell(product, 4)
    answer = as_owner.post(url, form.data(set="12", reason="count", note="Conteo"))
    assert answer.status_code == 409
    assert "was 10" in parse(answer).text
    assert "now 6" in parse(answer).text
    assert stock_of(product) == 6
    form = form_to(as_owner.get(product_url(product)), url, set="6")
    assert as_owner.post(url, form.data(set="12", reason="count", note="Conteo")).status_code == 303
    last = movements_of(BUSINESS, product.id).items[0]
    assert (last.before, last.change, last.after, last.reason, last.note) == (6, 6, 12, "count", "Conteo")


def test_a_product_shows_its_movements_and_undoes_one(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product(branch=branch, stock=10)
    sell(product, 4)
    page = as_owner.get(product_url(product))
    row = parse(page).all("tr", data_row="")[0]
    assert "−4" in row.text
    assert "Alma Ríos" in row.text
    assert f"{MOVEMENTS}?person=alma%40example.com" in [each.attrs["href"] for each in row.all("a")]
    undo = f"{product_url(product)}movements/2/undo/"
    as_owner.post(undo, form_to(page, undo).data())
    assert stock_of(product) == 10
    assert undo not in [each.attrs.get("action") for each in parse(as_owner.get(product_url(product))).all("form")]


def test_undo_in_the_toast_reverses_a_change(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product(branch=branch, stock=10)
    as_owner.post(f"{product_url(product)}stock/", {"change": "-3", "reason": "loss"})
    assert press_undo(as_owner, product_url(product)).status_code == 303
    assert stock_of(product) == 10
    assert toasts(as_owner.get(product_url(product))) == ["Undone. Café 250 g: 7 → 10"]


def test_the_same_product_is_shown_in_every_branch(table: str, as_owner: Client, branch: Branch) -> None:
    norte, sur = a_branch("Norte"), a_branch("Sur")
    here = a_product("Café 250 g", branch, stock=1, sku="CAFE")
    a_product("Otro nombre", norte, stock=2, sku="cafe")
    a_product("Café 250 g", sur, stock=4)
    page = parse(as_owner.get(product_url(here)))
    later = next(each for each in page.by_class("store-later"))
    found = parse(as_owner.get(later.attrs["hx-get"]))
    assert [each.text for each in found.all("tr", data_row="")] == ["Centro 1", "Norte 2"], "by SKU"
    by_name = parse(as_owner.get(f"{PRODUCTS}everywhere/?of=name%3Dcafe+250+g"))
    assert [each.text for each in by_name.all("tr", data_row="")] == ["Sur 4"], "by name where there is no SKU"


def test_the_chart_has_the_stock_of_each_day(table: str, as_owner: Client, branch: Branch) -> None:
    moment = now()
    with frozen(moment.replace(day=1) if moment.day > 3 else moment):
        product = a_product(branch=branch, stock=10)
    sell(product, 4)
    table_rows = parse(as_owner.get(product_url(product))).by_class("figures")
    if moment.day > 3:
        numbers = [each.all("td")[0].text for each in table_rows[0].all("tr")[1:]]
        assert numbers[0] == "10"
        assert numbers[-1] == "6"


# --- The scanner ---
@pytest.mark.parametrize("mode", ["sale", "delivery"])
def test_a_scan_records_one_unit(table: str, as_owner: Client, branch: Branch, mode: str) -> None:
    product = a_product(branch=branch, stock=10, sku="7801620005431")
    a_product(branch=a_branch("Norte"), stock=10, sku="7801620005431")
    url = f"{STORES}{branch.id}/"
    form = form_to(as_owner.get(url), f"{url}scan/")
    answer = as_owner.post(f"{url}scan/", form.data(code="7801620005431", mode=mode))
    assert answer.headers["Location"] == f"{url}?mode={mode}&just={product.id}"
    assert stock_of(product) == (9 if mode == "sale" else 11)
    assert press_undo(as_owner, url).status_code == 303
    assert stock_of(product) == 10


def test_a_scan_also_takes_an_id(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product(branch=branch, stock=10)
    for code in (product.id, product.id.removeprefix("product-")):
        assert as_owner.post(f"{STORES}{branch.id}/scan/", {"code": code}).status_code == 303
    assert stock_of(product) == 8


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("nothing", "No product with the code nothing in Centro"),
        ("", "Scan or type"),
        ("#", "No product"),
        ("x" * 300, "Scan or type"),
        ("elsewhere", "only in another branch"),
        ("twice", "Several products"),
    ],
)
def test_a_scan_that_finds_nothing_says_why(
    table: str, as_owner: Client, branch: Branch, code: str, message: str
) -> None:
    a_product("Allá", a_branch("Norte"), sku="elsewhere")
    for name in ("Uno", "Dos"):
        a_product(name, branch, sku="twice")
    answer = as_owner.post(f"{STORES}{branch.id}/scan/", {"code": code})
    assert answer.status_code == 422
    assert message in parse(answer).text


# --- Lists ---
def test_products_are_found_by_name_sku_and_id(table: str, as_owner: Client, branch: Branch) -> None:
    coffee = a_product("Café molido", branch, sku="CAFE-250")
    a_product("Té", branch)
    for query in ("cafe", "CAFÉ m", "cafe-250", coffee.id, coffee.id.removeprefix("product-")):
        assert titles(parse(as_owner.get(PRODUCTS, {"q": query}))) == ["Café molido"], query
    assert "No product matches" in parse(as_owner.get(PRODUCTS, {"q": "agua"})).text


def test_the_tabs_of_products(table: str, as_owner: Client) -> None:
    a_franchise(allows_negative_stock=True)
    branch = a_branch()
    with frozen(now().replace(year=now().year - 1)):
        a_product("Quieto", branch, stock=5)
    low, below = a_product("Poco", branch, stock=2, min_stock=2), a_product("Menos", branch, stock=1)
    sell(below, 4)
    gone = a_product("Fuera", branch)
    products.retire(BUSINESS, gone.id, revision=1, command=new_command(ACTOR))
    expected = {
        "": ["Menos", "Poco", "Quieto"],
        "low": [low.title],
        "negative": [below.title],
        "highest": ["Quieto", "Poco", "Menos"],
        "lowest": ["Menos", "Poco", "Quieto"],
        "idle": ["Quieto"],
        "retired": ["Fuera"],
        "unknown": ["Menos", "Poco", "Quieto"],
    }
    for show, names in expected.items():
        assert titles(parse(as_owner.get(PRODUCTS, {"show": show}))) == names, show


def test_movements_are_filtered(table: str, as_owner: Client, branch: Branch) -> None:
    norte = a_branch("Norte")
    here, there = a_product("Aquí", branch, stock=10), a_product("Allá", norte, stock=10)
    sell(here, 3)
    sell(there, 2)
    assert titles(parse(as_owner.get(MOVEMENTS))) == ["Allá", "Aquí", "Allá", "Aquí"]
    assert titles(parse(as_owner.get(MOVEMENTS, {"branch": norte.id}))) == ["Allá", "Allá"]
    assert titles(parse(as_owner.get(MOVEMENTS, {"reason": "sale"}))) == ["Allá", "Aquí"]
    assert titles(parse(as_owner.get(MOVEMENTS, {"reason": "sale", "branch": branch.id}))) == ["Aquí"]
    assert titles(parse(as_owner.get(MOVEMENTS, {"person": "ALMA@example.com"}))) == ["Allá", "Aquí", "Allá", "Aquí"]
    assert titles(parse(as_owner.get(MOVEMENTS, {"person": "nobody@example.com"}))) == []
    assert titles(parse(as_owner.get(MOVEMENTS, {"since": "2090-01-01"}))) == []
    # The page counts days in the time zone of the business.
    today = timezone.localtime(now(), ZoneInfo("America/Santiago")).date().isoformat()
    page = parse(as_owner.get(MOVEMENTS, {"reason": "sale", "since": today}))
    assert "Units added: 0, removed: 5" in page.text
    for bad in ({"since": "soon"}, {"reason": "magic"}, {"since": "2026-02-02", "until": "2026-01-01"}):
        assert "Correct the marked fields" in parse(as_owner.get(MOVEMENTS, bad)).text, bad


def test_the_overview(table: str, as_owner: Client, branch: Branch) -> None:
    norte = a_branch("Norte")
    a_product("Café", branch, stock=2, min_stock=5)
    a_product("Agua", norte, stock=40)
    branches.close(BUSINESS, norte.id, revision=1, command=new_command(ACTOR))
    page = parse(as_owner.get(STORES))
    totals = page.by_class("store-totals")[0].text
    assert totals == "Branches 1 Products 2 Units 42"
    top = page.one("section", aria_labelledby="top-title")
    assert titles(top) == ["Agua", "Café"]
    assert titles(page.one("section", aria_labelledby="low-title")) == ["Café"]
    highest = parse(as_owner.get(page.by_class("store-later")[0].attrs["hx-get"]))
    assert titles(highest) == ["Café"], "only open branches"
    assert as_owner.get(f"{STORES}highest/").headers["Location"] == f"{STORES}highest/?branch={branch.id}"


# --- Items of the franchise service ---
@pytest.fixture
def as_seed_owner(people_by_role: Any) -> Client:
    add_business(SEED, "McDonald's", "olivia@example.com")
    put_seed_items()
    return sign_in(people_by_role["owner"])


def test_the_items_of_the_seed_are_displayed_and_written_back_as_a_superset(table: str, as_seed_owner: Client) -> None:
    base = f"/b/{SEED}/stores/"
    before = raw_product("product-001", SEED)
    assert "Franquicia McDonald's" in parse(as_seed_owner.get(base)).text
    assert "Sucursal Centro" in parse(as_seed_owner.get(f"{base}branches/")).text
    url = f"{base}products/product-001/"
    page = parse(as_seed_owner.get(url))
    assert page.by_class("stock-number")[0].text == "150"
    assert as_seed_owner.post(f"{url}stock/", {"change": "-2", "reason": "sale"}).status_code == 303
    edit = f"{url}edit/"
    as_seed_owner.post(edit, form_to(as_seed_owner.get(edit), edit).data(sku="BM-1"))
    after = raw_product("product-001", SEED)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {"stock", "updatedAt"}
    assert (after["stock"], after["sku"], after["GSI1SK"]) == (
        {"N": "148"},
        {"S": "BM-1"},
        {"S": f"{SEED}#S#0000000148"},
    )
    assert titles(parse(as_seed_owner.get(f"{base}branch-001/"))) == ["Big Mac"]


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("muchas", "“muchas”"),
        (None, "–"),
        (-7, "−7"),
        ("12", "12"),
        (["x"], "“['x']”"),
        (2.5, "2.5"),
        (10**11, None),
        (1.12345678, None),
    ],
)
def test_a_stock_is_displayed_as_stored_and_can_be_corrected(
    table: str, as_seed_owner: Client, stored: Any, shown: str | None
) -> None:
    put_seed_product(SEED, stock=stored)
    url = f"/b/{SEED}/stores/products/product-001/"
    page = as_seed_owner.get(url)
    assert shown in (None, parse(page).by_class("stock-value")[0].text)
    form = form_to(page, f"{url}stock/", seen=parse(page).one("input", name="seen").attrs.get("value", ""))
    assert as_seed_owner.post(form.action, form.data(set="9", reason="correction")).status_code == 303
    assert raw_product("product-001", SEED)["stock"] == {"N": "9"}
    # Someone else who saw the earlier value does not overwrite the correction.
    assert as_seed_owner.post(form.action, form.data(set="8", reason="correction")).status_code == 409


def test_a_long_name_without_spaces_and_an_id_with_a_slash(table: str, as_seed_owner: Client) -> None:
    put_seed_product(SEED, "product-a/b", name="x" * 300, stock=1, GSI1SK=f"{SEED}#S#0000000001")
    page = parse(as_seed_owner.get(f"/b/{SEED}/stores/branch-001/"))
    assert "x" * 300 in page.text
    assert page.by_class("row-title"), "it has no page, so it is no link"
