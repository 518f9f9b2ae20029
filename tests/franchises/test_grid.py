"""The grid of a branch: every row that failed is listed, and typed values are kept."""

from __future__ import annotations

from typing import Any

from django.test import Client

from dashboard.table.commands import new_command
from franchises.forms.grid import SEEN
from franchises.items import Branch, StockItem
from franchises.queries.products import load_product
from franchises.reasons import MovementReason
from franchises.services.stock import change_stock
from tests.conftest import ACTOR
from tests.franchises.stores import BUSINESS, STORES, a_branch, a_product
from tests.ui.html import Form, form_to, parse, toasts, undo_form


def url(branch: Branch) -> str:
    return f"{STORES}{branch.id}/grid/"


def grid_form(browser: Client, branch: Branch) -> Form:
    return form_to(browser.get(url(branch)), url(branch))


def values(product: StockItem) -> tuple[Any, ...]:
    saved = load_product(BUSINESS, product.id)
    return saved.stock, saved.min_stock, saved.sku, saved.name, saved.price and str(saved.price)


def test_several_cells_are_saved_at_once_and_undone(as_owner: Client, branch: Branch) -> None:
    coffee, tea = a_product("Café", branch, stock=10), a_product("Té", branch, stock=5, sku="T-1")
    form = grid_form(as_owner, branch)
    changed = {f"stock-{coffee.id}": "8", f"minimum-{coffee.id}": "2", f"name-{tea.id}": "Té verde"}
    done = form.send(as_owner, values=changed | {f"price-{tea.id}": "4500"}, follow=True)
    assert toasts(done) == ["2 products saved."]
    assert values(coffee) == (8, 2, None, "Café", None)
    assert values(tea) == (5, None, "T-1", "Té verde", "4500")
    undo_form(done).send(as_owner)
    assert values(coffee) == (10, None, None, "Café", None)
    assert values(tea) == (5, None, "T-1", "Té", None)


def test_rows_that_fail_are_listed_and_the_others_are_saved(as_owner: Client, branch: Branch) -> None:
    coffee, tea, mate = (a_product(name, branch, stock=10) for name in ("Café", "Té", "Mate"))
    form = grid_form(as_owner, branch)
    change_stock(BUSINESS, tea.id, change=-1, reason=MovementReason.SALE, command=new_command(ACTOR))
    sent = {
        f"stock-{coffee.id}": "many",
        f"stock-{tea.id}": "7",
        f"stock-{mate.id}": "3",
        f"name-{mate.id}": "Mate 1 kg",
    }
    answer = form.send(as_owner, values=sent)
    assert answer.status_code == 422
    page = parse(answer).one("main")
    assert "2 products were not saved" in page.text and "1 other product was saved." in page.text
    assert "Enter a whole number of units" in page.text and "was 10" in page.text and "now 9" in page.text
    again = form_to(answer, url(branch))
    assert again.data()[f"stock-{coffee.id}"] == "many" and again.data()[f"stock-{tea.id}"] == "7"
    assert (values(coffee)[0], values(tea)[0]) == (10, 9)
    assert values(mate)[:4:3] == (3, "Mate 1 kg")
    again.send(as_owner, values={f"stock-{coffee.id}": "4"})
    assert (values(coffee)[0], values(tea)[0]) == (4, 7), "the person has seen the newer stock"


def test_someone_elses_edit_is_not_overwritten(as_owner: Client, as_admin: Client, branch: Branch) -> None:
    coffee = a_product("Café", branch, stock=10)
    mine, theirs = grid_form(as_owner, branch), grid_form(as_admin, branch)
    assert theirs.send(as_admin, values={f"name-{coffee.id}": "Café molido"}).status_code == 303
    answer = mine.send(as_owner, values={f"name-{coffee.id}": "Café en grano"})
    assert answer.status_code == 422 and "Someone else changed this product" in parse(answer).one("main").text
    assert values(coffee)[3] == "Café molido"


def test_bad_input_is_no_error_of_ours(as_owner: Client, branch: Branch) -> None:
    coffee = a_product("Café", branch, stock=10)
    assert as_owner.post(url(branch), {}).status_code == 422
    for seen in ("", "[]", "{", '{"stock":1,"revision":"x"}', "null"):
        answer = as_owner.post(url(branch), {SEEN + coffee.id: seen, f"stock-{coffee.id}": "3", "name-x": "y"})
        assert answer.status_code in {303, 422}
    other = as_owner.post(url(branch), {f"{SEEN}product-none": '{"stock":"1"}', "stock-product-none": "3"})
    assert other.status_code == 422 and "no longer exists" in parse(other).one("main").text
    assert as_owner.get(f"{STORES}branch-none/grid/").status_code == 404
    assert "No products to edit" in as_owner.get(url(a_branch("Norte"))).content.decode()
