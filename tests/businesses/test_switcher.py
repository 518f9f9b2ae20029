"""The business switcher lists only the businesses that a person may open, and marks the current one."""

from __future__ import annotations

from typing import Any

from django.test import Client

from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.businesses.views import switcher
from tests.businesses.business_pages import create_business
from tests.conftest import add_business, sign_in
from tests.ui.html import Element, parse
from tests.ui.walk import calls_of
from tests.ui.world import World

HTMX = {"HX-Request": "true"}


def result_names(page: Element) -> list[str]:
    return [each.one("span").text for each in page.by_class("result")]


def create_owner_of(world: World, count: int, prefix: str) -> tuple[Person, Client]:
    person = world.add(Role.OWNER)
    for number in range(count):
        add_business(f"{prefix}-{number:03}", f"{prefix.title()} {number:03}", person.email)
    return person, sign_in(person)


def test_an_owner_sees_only_their_own_businesses(world: World) -> None:
    _, browser = create_owner_of(world, 3, "mine")
    create_business(name="Not Theirs")
    for headers in ({}, HTMX):
        response = browser.get("/businesses/switch/", headers=headers)
        assert result_names(parse(response)) == ["Mine 000", "Mine 001", "Mine 002"]
        assert b"Not Theirs" not in response.content and b"Andina" not in response.content
        assert calls_of(response).trips == 2
    assert result_names(parse(browser.get("/businesses/switch/?q=not"))) == []
    assert "No business found for “not”" in parse(browser.get("/businesses/switch/?q=not")).text
    assert result_names(parse(browser.get("/businesses/switch/?q=É 002"))) == ["Mine 002"]
    assert result_names(parse(browser.get("/go/?q=mine")))[:3] == ["Mine 000", "Mine 001", "Mine 002"]
    assert b"Not Theirs" not in browser.get("/go/?q=not").content


def test_the_switcher_redirects_an_owner_of_one_business_to_it(world: World) -> None:
    _, browser = create_owner_of(world, 1, "sole")
    plain = browser.get("/businesses/switch/")
    assert (plain.status_code, plain.headers["Location"]) == (303, "/b/sole-000/")
    assert browser.get("/businesses/switch/", headers=HTMX).headers["HX-Redirect"] == "/b/sole-000/"
    there = {"HX-Current-URL": "http://testserver/b/sole-000/settings/"}
    page = parse(browser.get("/businesses/switch/", headers=HTMX | there))
    assert result_names(page) == ["Sole 000"] and "your only business" in page.text


def test_an_owner_without_a_business_sees_a_message(world: World) -> None:
    _, browser = create_owner_of(world, 0, "none")
    assert "You are not in a business yet" in parse(browser.get("/businesses/switch/")).text


def test_the_switcher_lists_ten_businesses_and_offers_a_search_for_more(world: World) -> None:
    _, browser = create_owner_of(world, 12, "ten")
    page = parse(browser.get("/businesses/switch/"))
    assert len(result_names(page)) == 10 and "Type to find more" in page.text
    assert page.one("main").one("input", name="q")
    assert result_names(parse(browser.get("/businesses/switch/?q=011"))) == ["Ten 011"]
    _, few = create_owner_of(world, 2, "few")
    assert not parse(few.get("/businesses/switch/")).one("main").all("input", name="q")


def test_a_search_over_too_many_businesses_says_how_many_were_searched(world: World, monkeypatch: Any) -> None:
    monkeypatch.setattr(switcher, "MAX_SEARCHED", 5)
    _, browser = create_owner_of(world, 7, "many")
    response = browser.get("/businesses/switch/?q=many 006")
    assert result_names(parse(response)) == [] and "Only your first 5 businesses were searched." in parse(response).text
    assert calls_of(response).trips == 2


def test_the_current_business_and_closed_businesses_are_marked(world: World) -> None:
    person, browser = create_owner_of(world, 2, "here")
    here = {"Referer": "http://testserver/b/here-001/"}
    page = parse(browser.get("/businesses/switch/", headers=here))
    (current,) = [each for each in page.by_class("result") if each.attrs.get("aria-current")]
    assert "Here 001" in current.text and "current" in current.text
    admin = world.browser("admin")
    manage = {"status": "SUSPENDED", "reason": "Unpaid", "revision": "1"}
    assert admin.post("/businesses/here-000/", manage).status_code == 303
    (closed,) = [each for each in parse(browser.get("/businesses/switch/")).by_class("result") if "000" in each.text]
    assert "Suspended" in closed.text
    (closed,) = parse(admin.get("/businesses/switch/?q=here 000")).by_class("result")
    assert "Suspended" in closed.text
    assert person.email


def test_admins_find_every_business_by_the_start_of_its_name(world: World) -> None:
    admin = world.browser("admin")
    create_business(name="Zócalo Café")
    assert result_names(parse(admin.get("/businesses/switch/?q=zocalo C"))) == ["Zócalo Café"]
    assert result_names(parse(admin.get("/businesses/switch/?q=cafe"))) == []
    first = parse(admin.get("/businesses/switch/"))
    assert result_names(first) == sorted(result_names(first), key=str.casefold) and len(result_names(first)) <= 10
    assert "/b/" in first.by_class("result")[0].attrs["href"]
    assert "Zócalo Café" in parse(admin.get("/go/?q=zocalo")).text


def test_the_sidebar_names_the_current_business(world: World) -> None:
    owner = world.browser("owner")
    assert "Coca-Cola Andina" in parse(owner.get("/b/andina/")).by_class("switcher")[0].text
    assert "Choose a business" in parse(owner.get("/")).by_class("switcher")[0].text
    for role in ("staff", "moderator"):
        page = parse(world.browser(role).get("/"))
        assert not page.by_class("switcher") and not page.all("dialog", id="switcher")
        assert world.browser(role).get("/businesses/switch/").status_code == 403
