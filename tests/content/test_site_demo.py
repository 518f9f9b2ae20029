"""The demo's sites: added once, with pages in every state, versions and redirects."""

from __future__ import annotations

from django.test import Client

from content.demo import editors, library, shop
from content.demo import site as demo
from content.library.kinds import FILES
from content.library.shop_kinds import SHOP
from content.queries.library import items_of, shop_items_of
from content.queries.pages import load_page, pages
from content.queries.routes import REDIRECTS, find_destination, routes
from content.queries.schedules import find_schedule
from dashboard.platform.accounts.permissions import Role
from tests.conftest import add_business, add_person, sign_in
from tests.ui.html import form_to, forms, parse


def test_the_demo_has_pages_in_every_state_and_is_added_once(table: str) -> None:
    assert demo.seed() == 0, "there is no business yet"
    add_business("andina", "Coca-Cola Andina")
    assert demo.seed() == 8
    cards = pages("andina").items
    assert len(cards) == 8
    assert {card.status for card in cards} == {"Draft", "Published", "Archived"}
    assert max(card.version or 0 for card in cards) == 4
    assert [bool(find_schedule("andina", card.node)) for card in cards].count(True) == 1
    redirects = [route.slug for route in routes("andina", show=REDIRECTS).items]
    assert redirects == ["/cafe", "/nosotros"]
    assert all(find_destination("andina", slug).card for slug in redirects)
    assert demo.seed() == 0


def test_a_colleague_has_a_page_open_and_the_owner_has_unsaved_changes(table: str) -> None:
    owner = demo.OWNERS["andina"]
    add_business("andina", "Coca-Cola Andina", owner.email)
    assert editors.seed() == 0, "there is no page yet"
    demo.seed()
    assert editors.seed() == 2
    browser: Client = sign_in(add_person(owner.email, Role.OWNER, "Olivia Andrade"))
    route = find_destination("andina", editors.ADDRESS)
    url = f"/b/andina/site/pages/{route.node}/edit/"
    answer = browser.get(url)
    assert "Diego Rivas" in parse(answer).text
    offer = next(form for form in forms(answer) if ("action", "continue") in form.fields)
    form = form_to(offer.send(browser), url, end="1")
    assert editors.TYPED in form.data().values()
    assert browser.post(url, form.data() | {"action": "save"}).status_code == 303
    page = load_page("andina", route.node)
    assert editors.TYPED in str(page.blocks)


def test_the_shop_of_the_demo_is_added_once(table: str) -> None:
    assert shop.seed() == 0, "there is no business yet"
    add_business("andina", "Coca-Cola Andina")
    library.seed()
    assert shop.seed() > 10
    assert all(shop_items_of(SHOP[kind], "andina").items for kind in shop.ITEMS)
    assert len(shop_items_of(SHOP["category-products"], "andina").items) == 5, "copies of the products of the demo"
    assert len(items_of(FILES, "andina").items) == 5
    assert shop.seed() == 0
