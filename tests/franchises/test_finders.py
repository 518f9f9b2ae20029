"""The search finds products inside the business in which a person searches."""

from __future__ import annotations

from django.test import Client

from dashboard.platform.accounts.permissions import BusinessRole, Role
from dashboard.platform.businesses.services import members
from dashboard.table.commands import new_command
from franchises.items import Branch
from franchises.services.products import retire
from tests.conftest import ACTOR, add_business, add_person, sign_in
from tests.franchises.stores import BUSINESS, a_branch, a_franchise, a_product, product_url
from tests.ui.html import parse
from tests.ui.walk import calls_of


def found(browser: Client, query: str, business: str = BUSINESS) -> list[str]:
    answer = browser.get("/go/", {"q": query, "business": business})
    log = calls_of(answer)
    assert log.trips <= 2
    urls = [each.attrs["href"] for each in parse(answer).by_class("result")]
    return [url for url in urls if "/stores/products/" in url]


def test_products_are_found_by_id_sku_and_name(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product("Café molido", branch, sku="CAFE-250")
    for query in ("café m", "CAFE-250", "cafe-250", product.id):
        assert found(as_owner, query) == [product_url(product)], query
    assert found(as_owner, "té") == []
    assert found(as_owner, "#") == []
    retire(BUSINESS, product.id, revision=1, command=new_command(ACTOR))
    assert found(as_owner, "café m") == []


def test_outside_a_business_no_products_are_searched(table: str, as_owner: Client, branch: Branch) -> None:
    a_product("Café molido", branch)
    assert found(as_owner, "café", "") == []


def test_only_members_who_may_see_stock_find_products(table: str, as_owner: Client, branch: Branch) -> None:
    product = a_product("Café molido", branch)
    add_business("harbour", "Harbour", "nuria@example.com")
    neighbour = sign_in(add_person("nuria@example.com", Role.OWNER))
    assert found(neighbour, "café") == []
    for role, expected in ((BusinessRole.STOCK_KEEPER, [product_url(product)]), (BusinessRole.RECEPTIONIST, [])):
        person = add_person(f"{role}@example.com", Role.OWNER)
        members.add(BUSINESS, person.email, role, command=new_command(ACTOR))
        assert found(sign_in(person), "café") == expected, role


def test_products_of_another_business_are_not_found(table: str, as_owner: Client, branch: Branch) -> None:
    add_business("harbour", "Harbour", "olivia@example.com")
    a_franchise(business="harbour")
    a_product("Café molido", a_branch(business="harbour"), business="harbour")
    assert found(as_owner, "café") == []
