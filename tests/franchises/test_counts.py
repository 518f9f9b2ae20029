"""Count sheets: counting while the shop sells, conflicts, applying the differences once."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.jobs.items import JobState
from dashboard.table.commands import new_command
from franchises.items import Branch, CountSheet, StockItem
from franchises.queries import counts as queries
from franchises.queries.products import load_product
from franchises.queries.whole_catalog import products_of_branch
from franchises.reasons import MovementReason
from franchises.services import counts as services
from franchises.services.stock import change_stock
from tests.conftest import ACTOR
from tests.franchises.stores import BUSINESS, STORES, a_branch, a_product
from tests.jobs.execution import finish
from tests.ui.html import form_to, parse, toasts, undo_form

COUNTS = f"{STORES}counts/"


def start(branch: Branch) -> CountSheet:
    return services.start(BUSINESS, branch, products_of_branch(BUSINESS, branch.id), command=new_command(ACTOR))


def url(sheet: CountSheet, act: str = "") -> str:
    return f"{COUNTS}{sheet.id}/{act}"


def count(
    browser: Client, sheet: CountSheet, product: StockItem, counted: Any, revision: int = 0, **options: Any
) -> Any:
    sent = {"counted": counted, "revision": revision}
    return browser.post(url(sheet, f"lines/{product.id}/"), sent, **options)


def sell(product: StockItem, units: int) -> None:
    change_stock(BUSINESS, product.id, change=-units, reason=MovementReason.SALE, command=new_command(ACTOR))


def stock(product: StockItem) -> Any:
    return load_product(BUSINESS, product.id).stock


def test_a_count_is_started_counted_and_applied(as_owner: Client, branch: Branch) -> None:
    coffee, tea = a_product("Café", branch, stock=10), a_product("Té", branch, stock=5, sku="TE-1")
    a_product("Mate", a_branch("Norte"))
    page = form_to(as_owner.get(COUNTS), COUNTS).send(as_owner, values={"branch": branch.id}, follow=True)
    (sheet,) = queries.sheets(BUSINESS).items
    assert [line.name for line in queries.lines_of(BUSINESS, sheet.id)] == ["Café", "Té"]
    assert "0 of 2 counted" in parse(page).one("main").text
    sell(coffee, 2)
    assert count(as_owner, sheet, coffee, "7").status_code == 303
    sell(coffee, 3)
    assert count(as_owner, sheet, tea, "5").status_code == 303
    shown = as_owner.get(f"{url(sheet)}?show=differences")
    rows = [row.text for row in parse(shown).all("tr") if "data-row" in row.attrs]
    assert len(rows) == 1 and "−1" in rows[0], "8 were recorded when 7 were counted"
    assert form_to(shown, url(sheet, "apply/")).send(as_owner).status_code == 303
    (job,) = [finish(each) for each in _jobs()]
    assert (job.state, int(job.done), int(job.failed)) == (JobState.DONE, 1, 0)
    assert (stock(coffee), stock(tea)) == (4, 5), "the sale after counting is kept"
    assert not queries.load_sheet(BUSINESS, sheet.id).is_open
    assert "Apply the count" not in as_owner.get(url(sheet)).content.decode()


def _jobs() -> list[Any]:
    from dashboard.platform.jobs.queries import find_job, jobs_of

    return [find_job(job.id) for job in jobs_of("olivia@example.com").items]


def test_only_some_products(as_owner: Client, branch: Branch) -> None:
    for name, sku in (("Café molido", "C-1"), ("Café en grano", "C-2"), ("Té", "T-1")):
        a_product(name, branch, sku=sku)
    form = form_to(as_owner.get(COUNTS), COUNTS)
    refused = form.send(as_owner, values={"branch": branch.id, "products": "t-1\nazúcar\nC-9"})
    assert refused.status_code == 422
    assert "No product of this branch matches “azúcar”, “C-9”." in parse(refused).one("main").text
    assert "azúcar" in form_to(refused, COUNTS).data()["products"]
    form.send(as_owner, values={"branch": branch.id, "products": "cafe\nt-1"})
    (sheet,) = queries.sheets(BUSINESS).items
    assert len(queries.lines_of(BUSINESS, sheet.id)) == 3


def test_two_people_count_different_lines_and_one_line(as_owner: Client, as_admin: Client, branch: Branch) -> None:
    coffee, tea = a_product("Café", branch, stock=10), a_product("Té", branch, stock=5)
    sheet = start(branch)
    assert count(as_owner, sheet, coffee, "9").status_code == 303
    assert count(as_admin, sheet, tea, "5").status_code == 303
    refused = count(as_admin, sheet, coffee, "8")
    assert refused.status_code == 409
    assert "Olivia Andrade counted 9 meanwhile." in parse(refused).one("main").text
    form = form_to(refused, url(sheet, f"lines/{coffee.id}/"))
    assert form.data()["counted"] == "8"
    assert queries.load_line_state(BUSINESS, sheet.id, coffee.id).line.counted == 9
    assert form.send(as_admin).status_code == 303, "the person has seen the other quantity"
    assert queries.load_line_state(BUSINESS, sheet.id, coffee.id).line.counted == 8


@pytest.mark.parametrize("typed", ["many", "1.500", "-1", "9" * 15, "1" * 30])
def test_a_bad_quantity_keeps_what_was_typed(as_owner: Client, branch: Branch, typed: str) -> None:
    coffee = a_product("Café", branch)
    sheet = start(branch)
    refused = count(as_owner, sheet, coffee, typed)
    assert refused.status_code == 422
    (field,) = [each for each in parse(refused).all("input") if each.attrs.get("name") == "counted"]
    assert field.attrs["value"] == typed[:20] and field.attrs["aria-invalid"] == "true"
    fragment = count(as_owner, sheet, coffee, typed, headers={"HX-Request": "true", "HX-Target": f"line-{coffee.id}"})
    assert fragment.status_code == 422 and "<html" not in fragment.content.decode()


def test_a_sheet_without_a_counted_line_is_not_applied(as_owner: Client, branch: Branch) -> None:
    coffee = a_product("Café", branch)
    sheet = start(branch)
    shown = as_owner.get(url(sheet))
    refused = form_to(shown, url(sheet, "apply/")).send(as_owner)
    assert refused.status_code == 422 and "Nothing is counted yet." in parse(refused).text
    assert queries.load_sheet(BUSINESS, sheet.id).is_open
    count(as_owner, sheet, coffee, "10")
    assert form_to(shown, url(sheet, "apply/")).send(as_owner).status_code == 303, "the page that was open before"


def test_an_emptied_line_is_not_counted(as_owner: Client, branch: Branch) -> None:
    coffee = a_product("Café", branch)
    sheet = start(branch)
    count(as_owner, sheet, coffee, "3")
    assert count(as_owner, sheet, coffee, "", revision=1).status_code == 303
    line = queries.load_line_state(BUSINESS, sheet.id, coffee.id).line
    assert not line.is_counted and not line.difference


def test_a_closed_count_takes_no_quantity_and_a_discarded_one_can_be_reopened(as_owner: Client, branch: Branch) -> None:
    coffee = a_product("Café", branch)
    sheet = start(branch)
    done = form_to(as_owner.get(url(sheet)), url(sheet, "discard/")).send(as_owner, follow=True)
    assert toasts(done) == ["The count of Centro was discarded."]
    refused = count(as_owner, sheet, coffee, "3")
    assert refused.status_code == 422 and "This count is closed" in refused.content.decode()
    undo_form(done).send(as_owner)
    assert count(as_owner, sheet, coffee, "3").status_code == 303


def test_scanning_finds_a_line(as_owner: Client, branch: Branch) -> None:
    a_product("Té", branch)
    coffee = a_product("Café", branch, sku="780-1")
    sheet = start(branch)
    for code in ("780-1", coffee.id, "cafe"):
        page = as_owner.get(f"{url(sheet)}?code={code}", follow=True)
        rows = [row for row in parse(page).all("tr") if "data-row" in row.attrs]
        assert rows[0].attrs["id"] == f"line-{coffee.id}"
        assert any("autofocus" in each.attrs for each in rows[0].all("input"))
    assert toasts(as_owner.get(f"{url(sheet)}?code=xyz", follow=True)) == [
        "No product with the code xyz in this count."
    ]


def test_counts_of_another_business_do_not_exist(as_owner: Client, branch: Branch, as_staff: Client) -> None:
    coffee = a_product("Café", branch)
    sheet = start(branch)
    assert as_owner.get(f"{COUNTS}nothing/").status_code == 404
    assert count(as_owner, sheet, StockItem(BUSINESS, "product-none"), "3").status_code == 404
    assert as_staff.get(url(sheet)).status_code in {403, 404}
    assert count(as_staff, sheet, coffee, "3").status_code in {403, 404}
