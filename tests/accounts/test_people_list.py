"""The list of people: tabs, search, and paging that shows everyone exactly once."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from django.test import Client

from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import STATES, Person
from dashboard.platform.accounts.permissions import Role
from dashboard.table import keys, write
from tests.accounts.many_people import add_many_people
from tests.conftest import add_person, every_engine, sign_in
from tests.ui.html import Element, parse
from tests.ui.walk import values
from tests.ui.world import BUSINESS_ROLES, World


@dataclass(frozen=True)
class PersonRow:
    email: str
    state: str
    badge: str

    @staticmethod
    def of(element: Element) -> PersonRow:
        email = element.one("input", name="selected").attrs["value"].partition(":")[2]
        role = element.one("td", data_label="Role").text
        return PersonRow(email, role, element.by_class("badge")[0].text)


def rows(page: Element) -> list[PersonRow]:
    return [PersonRow.of(each) for each in page.all("tr") if "data-row" in each.attrs]


def emails(page: Element) -> list[str]:
    return [row.email for row in rows(page)]


def addresses_by_page(browser: Client, url: str, *, htmx: bool = False) -> list[list[str]]:
    """The addresses on each page, following "Load more" to the end."""
    addresses: list[list[str]] = []
    headers = {"HX-Request": "true"} if htmx else {}
    next_url: str | None = url
    while next_url:
        response = browser.get(next_url, headers=headers if addresses else {})
        assert response.status_code == 200
        page = parse(response)
        addresses.append(emails(page))
        more = [link for link in page.all("a") if "data-more" in link.attrs]
        assert len(more) <= 1
        if more:
            assert more[0].attrs["href"] == more[0].attrs["hx-get"]
        next_url = more[0].attrs["href"] if more else None
        assert len(addresses) < 20, "the list has no end"
    return addresses


def flat(pages: list[list[str]]) -> list[str]:
    return [each for page in pages for each in page]


def test_paging_shows_everyone_exactly_once_and_in_order(table: str) -> None:
    """One state fills several pages, and people in other states are between them."""
    rng = random.Random(7)
    browser = sign_in(add_person("alma@example.com", Role.ADMIN))
    states = ["staff"] * 6 + list(STATES)
    states_by_email = {f"{rng.choice('apx')}{number:03}@example.com": rng.choice(states) for number in range(129)}
    add_many_people(states_by_email.items())
    everyone = sorted([*states_by_email, "alma@example.com"])

    pages = addresses_by_page(browser, "/people/")
    assert flat(pages) == everyone
    assert [len(page) for page in pages] == [50, 50, 30]
    assert flat(addresses_by_page(browser, "/people/", htmx=True)) == everyone
    assert len(addresses_by_page(browser, "/people/?state=staff")) > 1

    for prefix in ("p0", "a", "alma@"):
        assert flat(addresses_by_page(browser, f"/people/?q={prefix}")) == [
            each for each in everyone if each.startswith(prefix)
        ]
    for state in STATES:
        expected = sorted(each for each, of in states_by_email.items() if of == state)
        expected = sorted([*expected, "alma@example.com"]) if state == "admin" else expected
        assert flat(addresses_by_page(browser, f"/people/?state={state}")) == expected


@every_engine
def test_every_engine_returns_the_same_pages(table: str) -> None:
    """Reads pages of 7 people in all states from the query."""
    rng = random.Random(7)
    states_by_email = {f"{rng.randrange(10**6):06}@example.com": rng.choice(STATES) for _ in range(60)}
    add_many_people(states_by_email.items())
    listed, start_key = [], None
    while True:
        page = queries.everyone(start_key=start_key, limit=7)
        listed += [person.email for person in page.items]
        if page.next_start_key is None:
            break
        start_key = page.next_start_key
    assert listed == sorted(states_by_email)


PEOPLE = ("aldo", "alma", "dora", "ines", "marco", "nuria", "olivia", "sofia")


def test_each_tab_lists_the_people_of_its_role_or_state(world: World) -> None:
    browser = world.browser("admin")
    tabs = {
        "": [*PEOPLE, *BUSINESS_ROLES],
        "admin": ["aldo", "alma"],
        "moderator": ["marco"],
        "staff": ["sofia"],
        "owner": ["nuria", "olivia", *BUSINESS_ROLES],
        "invited": ["ines"],
        "disabled": ["dora"],
    }
    for state, names in tabs.items():
        page = parse(browser.get("/people/", {"state": state} if state else {}))
        assert emails(page) == [f"{name}@example.com" for name in sorted(names)], state
        (current,) = page.by_class("tabs")[0].all("a", aria_current="page")
        assert current.attrs["href"] == (f"/people/?state={state}" if state else "/people/")
    shown = {row.email.partition("@")[0]: (row.state, row.badge) for row in rows(parse(browser.get("/people/")))}
    assert shown["alma"] == ("Admin", "Active")
    assert shown["dora"] == ("Event staff", "Disabled")
    assert shown["ines"] == ("Business member", "Invited")


def test_the_search_matches_the_start_of_an_address_and_ignores_case(world: World) -> None:
    browser = world.browser("admin")
    assert emails(parse(browser.get("/people/?q=%20AL"))) == ["aldo@example.com", "alma@example.com"]
    assert emails(parse(browser.get("/people/?q=do"))) == ["dora@example.com"]
    assert emails(parse(browser.get("/people/?q=example"))) == [], "only the start of an address matches"
    nothing = parse(browser.get("/people/?q=zz&state=staff"))
    assert "Nothing matches" in nothing.text
    assert [link.attrs["href"] for link in nothing.all("a") if link.text == "Clear filters"] == ["/people/"]
    # A search keeps the tab, and a change of tab keeps the search.
    searched = parse(browser.get("/people/?q=al&state=admin"))
    assert searched.one("input", name="state").attrs["value"] == "admin"
    hrefs = [link.attrs["href"] for link in searched.by_class("tabs")[0].all("a")]
    assert "/people/?q=al&state=owner" in hrefs


@pytest.mark.parametrize("state", ["nobody", "ADMIN", "admin ", "#", "ACCOUNTS#admin"])
def test_an_unknown_tab_is_not_found(world: World, state: str) -> None:
    assert world.browser("admin").get("/people/", {"state": state}).status_code == 404


def test_people_without_an_account_are_not_listed(table: str) -> None:
    browser = sign_in(add_person("alma@example.com", Role.ADMIN))
    write.update(keys.PERSON.key(email="alba@example.com"), [Person.email.set("alba@example.com")])
    assert emails(parse(browser.get("/people/?q=al"))) == ["alma@example.com"]


def test_the_list_does_not_read_password_hashes(world: World) -> None:
    for person in queries.everyone().items:
        assert values(person, "password_hash", "partial") == (None, True)


def test_a_cursor_is_valid_for_one_person_tab_and_search_only(table: str) -> None:
    alma, aldo = add_person("alma@example.com", Role.ADMIN), add_person("aldo@example.com", Role.ADMIN)
    add_many_people((f"p{number:03}@example.com", "staff") for number in range(60))
    mine, theirs = sign_in(alma), sign_in(aldo)
    page = parse(mine.get("/people/?q=p"))
    (more,) = [link.attrs["href"] for link in page.all("a") if "data-more" in link.attrs]
    assert mine.get(more).status_code == 200
    cursor = more.partition("cursor=")[2].partition("&")[0]
    refused = {
        "another person": theirs.get(more),
        "another search": mine.get(f"/people/?q=p0&cursor={cursor}"),
        "another tab": mine.get(f"/people/?q=p&state=staff&cursor={cursor}"),
        "tampered": mine.get(f"/people/?q=p&cursor=x{cursor}"),
        "cut": mine.get(f"/people/?q=p&cursor={cursor[:-3]}"),
        "made up": mine.get("/people/?q=p&cursor=eyJzdGFmZiI6bnVsbH0"),
        "not text": mine.get("/people/?q=p&cursor=%C3%BF%00:%F0%9F%98%80:x"),
    }
    for how, response in refused.items():
        assert response.status_code == 400, how
        back = [link.attrs["href"] for link in parse(response).all("a", class_="button")]
        assert back[0].startswith("/people/?q=p") and "cursor" not in back[0], how
        assert mine.get(back[0]).status_code == 200


def test_load_more_shows_the_total_number_of_loaded_rows(table: str) -> None:
    browser = sign_in(add_person("alma@example.com", Role.ADMIN))
    add_many_people((f"p{number:03}@example.com", "staff") for number in range(119))
    counts, url, headers = [], "/people/", dict[str, str]()
    while url:
        page = parse(browser.get(url, headers=headers))
        counts.append(page.by_class("more-line")[0].one("span").text)
        url = next((link.attrs["href"] for link in page.all("a") if "data-more" in link.attrs), "")
        headers = {"HX-Request": "true"}
    assert counts == ["50 shown", "100 shown", "120 people"]
    assert browser.get(f"/people/?cursor=&shown={'9' * 5000}", headers=headers).status_code == 200


def test_without_javascript_each_page_shows_the_number_of_its_rows(table: str) -> None:
    browser = sign_in(add_person("alma@example.com", Role.ADMIN))
    add_many_people((f"p{number:03}@example.com", "staff") for number in range(69))
    first = parse(browser.get("/people/"))
    (more,) = [link.attrs["href"] for link in first.all("a") if "data-more" in link.attrs]
    last = parse(browser.get(more))
    counts = [page.by_class("more-line")[0].one("span").text for page in (first, last)]
    assert counts == ["50 shown", "20 shown · end of list"]
