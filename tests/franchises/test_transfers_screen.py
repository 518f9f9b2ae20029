"""The screen of transfers: preview, one product, many products as a job, and undo."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.jobs.items import JobState
from dashboard.table.commands import new_command
from franchises.items import Branch
from franchises.queries.products import load_product
from franchises.queries.whole_catalog import products_of_branch
from franchises.services import branches, bulk_transfer
from tests.conftest import ACTOR
from tests.franchises.stores import BUSINESS, STORES, a_branch, a_product
from tests.franchises.test_stock_import import job_in, undo
from tests.jobs.execution import finish
from tests.ui.html import Form, form_to, parse, toasts, undo_form

TRANSFER = f"{STORES}transfer/"


def send(browser: Client, source: Branch, target: Branch, *rows: tuple[str, str]) -> Any:
    products, units = [row[0] for row in rows], [row[1] for row in rows]
    return browser.post(TRANSFER, {"from": source.id, "to": target.id, "product": products, "units": units})


def rows_of(form: Form) -> dict[str, list[str]]:
    """The fields that a form has in each row."""
    return {name: [value for each, value in form.fields if each == name] for name in ("product", "units")}


def confirm(browser: Client, previewed: Any) -> Any:
    form: Form = form_to(previewed, TRANSFER)
    (button,) = [each for each in form.buttons if each.attrs.get("value") == "confirm"]
    return form.send(browser, button, dict(rows_of(form)), follow=True)


def stocks(branch: Branch) -> dict[str, Any]:
    return {product.title: product.stock for product in products_of_branch(BUSINESS, branch.id)}


def test_one_product_is_transferred_and_undone(as_owner: Client, branch: Branch) -> None:
    north = a_branch("Norte")
    a_product("Café", branch, stock=10)
    a_product("Café", north, stock=1)
    previewed = send(as_owner, branch, north, ("cafe", "4"), ("", ""))
    shown = parse(previewed).one("main").text
    assert "10 → 6" in shown and "1 → 5" in shown
    assert stocks(branch) == {"Café": 10}, "the preview changes nothing"
    done = confirm(as_owner, previewed)
    assert toasts(done) == ["4 × Café transferred to Norte."]
    assert (stocks(branch), stocks(north)) == ({"Café": 6}, {"Café": 5})
    undo_form(done).send(as_owner)
    assert (stocks(branch), stocks(north)) == ({"Café": 10}, {"Café": 1})


def test_many_products_are_a_job_that_can_be_undone(as_owner: Client, branch: Branch) -> None:
    north = a_branch("Norte")
    for number in range(12):
        a_product(f"P{number:02}", branch, stock=10, sku=f"S-{number}")
    rows = [(f"S-{number}", str(number + 1)) for number in range(10)]
    previewed = send(as_owner, branch, north, *rows)
    assert "new → 10" in parse(previewed).one("main").text
    job = finish(job_in(confirm(as_owner, previewed)))
    assert (job.state, int(job.done), int(job.failed)) == (JobState.DONE, 10, 0)
    assert stocks(north) == {f"P{number:02}": number + 1 for number in range(10)}
    assert stocks(branch)["P09"] == 0 and stocks(branch)["P11"] == 10
    undone = undo(as_owner, job)
    assert (int(undone.done), int(undone.failed)) == (10, 0)
    assert set(stocks(branch).values()) == {10} and set(stocks(north).values()) == {0}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("Nada", "1"), "no such product"),
        (("Café", "11"), "There are only 10."),
        (("Café", "0"), "Enter the number of units."),
        (("Café", "x"), "whole number"),
        (("", "3"), "no such product"),
        (("Caf", ""), "Several products match"),
    ],
)
def test_rows_with_errors_keep_what_was_typed(
    as_owner: Client, branch: Branch, row: tuple[str, str], message: str
) -> None:
    north = a_branch("Norte")
    for name in ("Café", "Cafetera", "Cafiaspirina"):
        a_product(name, branch, stock=10)
    answer = send(as_owner, branch, north, ("Cafetera", "1"), row)
    assert answer.status_code == 422 and message in parse(answer).one("main").text
    assert rows_of(form_to(answer, TRANSFER))["product"][:2] == ["Cafetera", row[0]]
    assert load_product(BUSINESS, products_of_branch(BUSINESS, branch.id)[0].id).stock == 10


def test_branches_must_differ_and_exist(as_owner: Client, branch: Branch) -> None:
    north = a_branch("Norte")
    assert "two different branches" in parse(send(as_owner, branch, branch, ("a", "1"))).one("main").text
    answer = as_owner.post(TRANSFER, {"from": "branch-none", "to": north.id, "product": "a", "units": "1"})
    assert answer.status_code == 422 and "Choose both branches." in parse(answer).one("main").text
    assert "at least one product" in parse(send(as_owner, branch, north, ("", ""))).one("main").text


def test_rows_can_be_added_without_javascript(as_owner: Client, branch: Branch) -> None:
    form = form_to(as_owner.get(TRANSFER), TRANSFER)
    (button,) = [each for each in form.buttons if each.attrs.get("value") == "rows"]
    more = form_to(form.send(as_owner, button, dict(rows_of(form))), TRANSFER)
    assert len(rows_of(more)["product"]) == len(rows_of(form)["product"]) + 6


def test_the_stock_of_a_closed_branch_is_taken_out_of_it(as_owner: Client, branch: Branch) -> None:
    north = a_branch("Norte")
    a_product("Café", branch, stock=10)
    branches.close(BUSINESS, branch.id, revision=1, command=new_command(ACTOR))
    assert "Centro (Closed)" in parse(as_owner.get(TRANSFER)).one("main").text
    confirm(as_owner, send(as_owner, branch, north, ("cafe", "10")))
    assert (stocks(branch), stocks(north)) == ({"Café": 0}, {"Café": 10})
    refused = send(as_owner, north, branch, ("cafe", "1"))
    assert refused.status_code == 422, "nothing goes into a closed branch"


def test_a_product_that_was_added_after_the_preview_is_not_added_twice(as_owner: Client, branch: Branch) -> None:
    north = a_branch("Norte")
    coffee = a_product("Café", branch, stock=10, sku="C-1")
    line = bulk_transfer.build_line(BUSINESS, (branch, north), coffee, None, 4)
    job = bulk_transfer.start(BUSINESS, branch, north, [line], command=new_command(ACTOR))
    a_product("Café", north, stock=1, sku="C-1")
    finish(job)
    assert [each.stock for each in products_of_branch(BUSINESS, north.id)] == [5]
