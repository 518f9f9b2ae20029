"""Franchises, branches and products: create, change, close, move, retire, and their undo."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from pynamodb.expressions.operand import Path

from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.table import write
from dashboard.table.commands import new_command
from franchises.items import Branch, StockHead, StockItem
from franchises.queries import branches as branch_queries
from franchises.queries import products as queries
from franchises.queries.franchises import find_franchise, franchises
from franchises.queries.history import history_of
from franchises.queries.stock import load_stock_state
from franchises.queries.totals import totals
from franchises.reasons import MovementReason
from franchises.services import branches, products
from franchises.services import franchises as services
from franchises.services.stock import change_stock
from tests.bookings.catalog import press_undo, raw_at
from tests.conftest import ACTOR, add_business
from tests.franchises.stores import (
    BRANCHES,
    BUSINESS,
    PRODUCTS,
    STORES,
    a_branch,
    a_franchise,
    a_product,
    product_url,
    raw_product,
)
from tests.ui.html import form_to, parse, toasts, undo_form

SETTINGS = f"{STORES}settings/"


def actions(kind: str, item_id: str) -> list[str]:
    return sorted(filter(None, (each.action for each in history_of(BUSINESS, kind, item_id))))


def head_of(product: StockItem) -> StockHead:
    head = load_stock_state(BUSINESS, product.id).head
    assert head is not None
    return head


# --- Franchises ---
def test_a_business_without_stores_can_set_them_up_and_undo_it(table: str, as_owner: Client) -> None:
    page = parse(as_owner.get(STORES))
    assert "No stores yet" in page.text
    assert SETTINGS in [each.attrs["href"] for each in page.all("a") if "href" in each.attrs]
    form = form_to(as_owner.get(SETTINGS), SETTINGS)
    assert as_owner.post(SETTINGS, form.data(name="Tiendas")).headers["Location"] == STORES
    raw = raw_at(f"FRANCHISE#{BUSINESS}", "METADATA")
    assert (raw["id"], raw["name"], raw["GSITypePK"], raw["GSITypeSK"]) == (
        {"S": BUSINESS},
        {"S": "Tiendas"},
        {"S": "FRANCHISES"},
        {"S": f"tiendas#{BUSINESS}"},
    )
    assert actions("franchise", BUSINESS) == ["franchise.create"]
    assert press_undo(as_owner, STORES).status_code == 303
    assert find_franchise(BUSINESS) is None


def test_stores_with_branches_are_not_removed(table: str, as_owner: Client, branch: Branch) -> None:
    with pytest.raises(Refused):
        services.remove(BUSINESS, revision=1, command=new_command(ACTOR))
    assert find_franchise(BUSINESS) is not None


def test_settings_are_changed_and_undone(table: str, as_owner: Client, branch: Branch) -> None:
    form = form_to(as_owner.get(SETTINGS), SETTINGS)
    as_owner.post(SETTINGS, form.data(name="Otras", allows_negative_stock="True"))
    found = find_franchise(BUSINESS)
    assert found is not None
    assert (found.name, found.allows_negative_stock) == ("Otras", True)
    assert press_undo(as_owner, SETTINGS).status_code == 303
    found = find_franchise(BUSINESS)
    assert found is not None
    assert (found.name, bool(found.allows_negative_stock)) == ("Tiendas Andina", False)


def test_after_a_conflict_both_changes_of_the_settings_can_be_saved(
    table: str, as_owner: Client, branch: Branch
) -> None:
    form = form_to(as_owner.get(SETTINGS), SETTINGS)
    services.edit(BUSINESS, {"name": "Suyas"}, revision=1, command=new_command(ACTOR))
    answer = as_owner.post(SETTINGS, form.data(allows_negative_stock="True"))
    assert answer.status_code == 409
    assert as_owner.post(SETTINGS, form_to(answer, SETTINGS).data()).status_code == 303
    found = find_franchise(BUSINESS)
    assert found is not None
    assert (found.name, found.allows_negative_stock) == ("Suyas", True)


def test_admins_list_search_and_create_franchises(table: str, as_admin: Client) -> None:
    add_business("norte", "Norte")
    add_business("sur", "Sur")
    new = "/stores/new/"
    form = form_to(as_admin.get(new), new)
    assert as_admin.post(new, form.data(business="norte", name="Almacenes del Norte")).status_code == 303
    a_franchise("Bazar Sur", business="sur")
    assert [each.title for each in franchises().items] == ["Almacenes del Norte", "Bazar Sur"]
    for query, expected in (("", 2), ("alm", 1), ("sur", 1), ("Baz", 1), ("almacenes DEL", 1), ("nada", 0)):
        page = parse(as_admin.get("/stores/", {"q": query}))
        assert len(page.all("tr", data_row="")) == expected, query


@pytest.mark.parametrize(
    ("business", "name", "message"),
    [("nobody", "X", "no business with this id"), ("norte", "", "required"), ("norte", "#", "a letter or a digit")],
)
def test_an_invalid_franchise_is_refused_with_its_input(
    table: str, as_admin: Client, business: str, name: str, message: str
) -> None:
    add_business("norte", "Norte")
    answer = as_admin.post("/stores/new/", {"business": business, "name": name})
    assert answer.status_code == 422
    page = parse(answer)
    assert message in page.text
    assert page.one("input", name="business").attrs["value"] == business
    assert find_franchise("norte") is None


def test_a_second_franchise_of_a_business_is_refused(table: str, as_admin: Client) -> None:
    add_business("norte", "Norte")
    a_franchise(business="norte")
    answer = as_admin.post("/stores/new/", {"business": "norte", "name": "Otra"})
    assert answer.status_code == 409
    assert "already has stores" in parse(answer).text


# --- Branches ---
def test_a_branch_is_added_and_undone(table: str, as_owner: Client) -> None:
    a_franchise()
    new = f"{BRANCHES}new/"
    answer = as_owner.post(new, form_to(as_owner.get(new), new).data(name="Ñuñoa"))
    (found,) = branch_queries.branches_of(BUSINESS)
    assert answer.headers["Location"] == f"{STORES}{found.id}/"
    raw = raw_at(BUSINESS, found.id)
    assert {name: raw[name]["S"] for name in ("id", "franchiseId", "name", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK")} == {
        "id": found.id,
        "franchiseId": BUSINESS,
        "name": "Ñuñoa",
        "GSI1PK": f"BRANCH#{found.id}",
        "GSI1SK": f"{BUSINESS}#META",
        "GSI2PK": f"FRANCHISE_BRANCHES#{BUSINESS}",
        "GSI2SK": "Ñuñoa",
    }
    assert actions("branch", found.id) == ["branch.create"]
    assert press_undo(as_owner, BRANCHES).status_code == 303
    assert branch_queries.branches_of(BUSINESS) == []


def test_a_branch_needs_stores(table: str, as_owner: Client) -> None:
    answer = as_owner.post(f"{BRANCHES}new/", {"name": "Centro"})
    assert answer.status_code == 422
    assert "Set up the stores" in parse(answer).text


def test_a_branch_is_renamed_and_undone(table: str, as_owner: Client, branch: Branch) -> None:
    url = f"{STORES}{branch.id}/rename/"
    as_owner.post(url, form_to(as_owner.get(url), url).data(name="Centro histórico"))
    assert raw_at(BUSINESS, branch.id)["GSI2SK"] == {"S": "Centro histórico"}
    assert press_undo(as_owner, url).status_code == 303
    assert branch_queries.load_branch(BUSINESS, branch.id).name == "Centro"
    assert actions("branch", branch.id) == ["branch.create", "branch.edit", "branch.edit"]


def test_a_branch_is_closed_and_reopened(table: str, as_owner: Client, branch: Branch) -> None:
    url = f"{STORES}{branch.id}/rename/"
    form = form_to(as_owner.get(url), f"{STORES}{branch.id}/close/")
    as_owner.post(form.action, form.data())
    assert branch_queries.load_branch(BUSINESS, branch.id).is_closed
    with pytest.raises(Refused, match="closed"):
        a_product(branch=branch)
    assert press_undo(as_owner, f"{STORES}{branch.id}/").status_code == 303
    assert not branch_queries.load_branch(BUSINESS, branch.id).is_closed
    a_product(branch=branch)
    with pytest.raises(Refused, match="has products"):
        branches.remove(BUSINESS, branch.id, revision=3, command=new_command(ACTOR))


# --- Products ---
def test_a_product_is_added_to_several_branches_and_undone(table: str, as_owner: Client, branch: Branch) -> None:
    other, new = a_branch("Norte"), f"{PRODUCTS}new/"
    form = form_to(as_owner.get(new), new)
    values: dict[str, Any] = {"name": "Café", "sku": "CAFE", "min_stock": "3", "price": "4990.50", "stock": "12"}
    sent = form.data(**values, branches=[branch.id, other.id])
    assert as_owner.post(new, sent).status_code == 303
    found = queries.products_by_name(BUSINESS).items
    shown = sorted((each.branch_id, each.name, each.sku, each.stock, each.min_stock, each.price) for each in found)
    assert shown == sorted((each.id, "Café", "CAFE", 12, 3, Decimal("4990.50")) for each in (branch, other))
    assert totals(BUSINESS) == {branch.id: (1, 12), other.id: (1, 12)}
    head = head_of(found[0])
    assert (head.seq, head.opening_balance, head.last_after, head.sku, head.min_stock) == (1, 0, 12, "CAFE", 3)
    raw = raw_product(found[0])
    assert raw["id"] == {"S": found[0].id}
    assert raw["franchiseId"] == {"S": BUSINESS}
    as_owner.get(PRODUCTS)
    as_owner.post(new, sent)
    assert len(queries.products_by_name(BUSINESS).items) == 2, "a form sent twice adds once"
    press_undo(as_owner, PRODUCTS)
    assert queries.products_by_name(BUSINESS).items == []
    assert totals(BUSINESS) == {branch.id: (0, 0), other.id: (0, 0)}


def test_a_product_is_added_to_all_open_branches(table: str, as_owner: Client, branch: Branch) -> None:
    new = f"{PRODUCTS}new/"
    assert "All open branches" not in parse(as_owner.get(new)).text, "there is one branch"
    other, closed = a_branch("Norte"), a_branch("Sur")
    branches.close(BUSINESS, closed.id, revision=1, command=new_command(ACTOR))
    form = form_to(as_owner.get(new), new)
    assert as_owner.post(new, form.data(name="Café", stock="2", branches=["all"])).status_code == 303
    assert totals(BUSINESS) == {branch.id: (1, 2), other.id: (1, 2)}


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("name", "", "required"),
        ("min_stock", "-1", "greater than or equal to 0"),
        ("min_stock", "many", "whole number"),
        ("price", "cheap", "Enter an amount in digits"),
        ("stock", "-4", "greater than or equal to 0"),
        ("stock", "99999999999", "less than or equal to"),
        ("branches", "branch-elsewhere", "not one of the available choices"),
    ],
)
def test_an_invalid_product_shows_an_error_and_keeps_the_input(
    table: str, as_owner: Client, branch: Branch, field: str, value: str, message: str
) -> None:
    sent = {"name": "Café", "stock": "5", "branches": branch.id, field: value}
    answer = as_owner.post(f"{PRODUCTS}new/", sent)
    page = parse(answer)
    assert answer.status_code == 422
    assert message in page.text
    assert field == "branches" or page.one("input", name=field).attrs.get("value", "") == value
    assert queries.products_by_name(BUSINESS).items == []


def test_a_product_is_edited_and_undone(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product(branch=branch, stock=4, sku="A-1", price=Decimal("2.5"))
    url = f"{product_url(product)}edit/"
    as_owner.post(url, form_to(as_owner.get(url), url).data(name="Té", sku="B-2", min_stock="5", price=""))
    raw, head = raw_product(product), head_of(product)
    assert (raw["name"], raw["sku"], raw["minStock"]) == ({"S": "Té"}, {"S": "B-2"}, {"N": "5"})
    assert "price" not in raw
    assert raw["GSI3PK"] == {"S": f"{BUSINESS}#PRODUCT#sku=b-2"}
    assert (head.name, head.sku, head.min_stock) == ("Té", "B-2", 5)
    assert [each.product_id for each in queries.low_stock(BUSINESS).items] == [product.id], "the head is listed as low"
    assert press_undo(as_owner, url).status_code == 303
    after: Any = queries.load_product(BUSINESS, product.id)
    assert (after.name, after.sku, after.min_stock, after.price) == ("Café 250 g", "A-1", None, Decimal("2.5"))
    assert queries.low_stock(BUSINESS).items == []


def test_a_sale_between_opening_and_saving_a_product_is_no_conflict(
    table: str, as_owner: Client, branch: Branch
) -> None:
    product = a_product(branch=branch, stock=4)
    url = f"{product_url(product)}edit/"
    form = form_to(as_owner.get(url), url)
    change_stock(BUSINESS, product.id, change=-1, reason=MovementReason.SALE, command=new_command(ACTOR))
    assert as_owner.post(url, form.data(name="Té")).status_code == 303
    after = queries.load_product(BUSINESS, product.id)
    assert (after.name, after.stock) == ("Té", 3)
    assert raw_product(product)["GSITypeSK"] == {"S": "0000000003"}


def test_after_a_conflict_both_edits_of_a_product_can_be_saved(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product(branch=branch, sku="A-1")
    url = f"{product_url(product)}edit/"
    form = form_to(as_owner.get(url), url)
    products.edit(BUSINESS, product.id, {"name": "Suyo"}, revision=1, command=new_command(ACTOR))
    answer = as_owner.post(url, form.data(sku="B-2"))
    assert answer.status_code == 409
    assert as_owner.post(url, form_to(answer, url).data()).status_code == 303
    after = queries.load_product(BUSINESS, product.id)
    assert (after.name, after.sku) == ("Suyo", "B-2")


def test_a_product_moves_with_its_stock_and_back(table: str, as_owner: Client, branch: Branch) -> None:
    other = a_branch("Norte")
    product = a_product(branch=branch, stock=7)
    url = f"{product_url(product)}edit/"
    form = form_to(as_owner.get(url), f"{product_url(product)}move/")
    as_owner.post(form.action, form.data(branch=other.id))
    assert totals(BUSINESS) == {branch.id: (0, 0), other.id: (1, 7)}
    assert [each.id for each in queries.stock_of_branch(BUSINESS, other.id).items] == [product.id]
    assert queries.stock_of_branch(BUSINESS, branch.id).items == []
    assert head_of(product).branch_id == other.id
    assert press_undo(as_owner, product_url(product)).status_code == 303
    assert totals(BUSINESS) == {branch.id: (1, 7), other.id: (0, 0)}


def test_a_product_does_not_move_to_a_closed_or_unknown_branch(table: str, as_owner: Client, branch: Branch) -> None:
    other, product = a_branch("Norte"), a_product(branch=branch)
    branches.close(BUSINESS, other.id, revision=1, command=new_command(ACTOR))
    with pytest.raises(Refused):
        products.move(BUSINESS, product.id, other.id, revision=1, command=new_command(ACTOR))
    with pytest.raises(NotFound):
        products.move(BUSINESS, product.id, "branch-none", revision=1, command=new_command(ACTOR))
    with pytest.raises(Conflict):
        products.move(BUSINESS, product.id, branch.id, revision=1, command=new_command(ACTOR))
    assert queries.load_product(BUSINESS, product.id).branch_id == branch.id


def test_a_product_is_retired_and_brought_back(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product(branch=branch, stock=2, min_stock=5)
    url = f"{product_url(product)}edit/"
    form = form_to(as_owner.get(url), f"{product_url(product)}retire/")
    as_owner.post(form.action, form.data())
    assert [each.id for each in queries.retired(BUSINESS).items] == [product.id]
    assert queries.products_by_name(BUSINESS).items == []
    assert queries.low_stock(BUSINESS).items == []
    assert totals(BUSINESS) == {branch.id: (0, 0)}
    page = as_owner.get(product_url(product))
    assert "This product is retired" in parse(page).text
    undo = undo_form(page)
    assert as_owner.post(undo.action, undo.data()).status_code == 303
    assert [each.id for each in queries.products_by_name(BUSINESS).items] == [product.id]
    assert totals(BUSINESS) == {branch.id: (1, 2)}
    assert actions("product", product.id) == ["product.bring_back", "product.create", "product.retire"]


def test_saving_a_product_without_changes_writes_nothing(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product(branch=branch)
    url = f"{product_url(product)}edit/"
    as_owner.post(url, form_to(as_owner.get(url), url).data())
    assert toasts(as_owner.get(url)) == ["Nothing was changed."]
    assert queries.load_product(BUSINESS, product.id).revision == 1


def test_attributes_of_outside_writers_survive_an_edit(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product(branch=branch)
    write.update(product.key, [Path(["color"]).set({"S": "red"})])
    products.edit(BUSINESS, product.id, {"name": "Té"}, revision=1, command=new_command(ACTOR))
    assert raw_product(product)["color"] == {"S": "red"}
