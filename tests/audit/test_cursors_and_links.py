"""Cursors of the list and links to single entries: each is valid only for the people it was made for."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.platform.accounts.items import Person
from tests.audit.entries import ids, listed_ids, put, put_all, raw_entry, rows, utc
from tests.conftest import sign_in
from tests.ui.html import parse

SINCE = utc("2025-09-21T00:00:00")
ENTRY = "2025-09-21T10:00:00Z_one"


def add_entries(count: int, business: str = "") -> list[str]:
    """Add three entries per second, so that a page ends within a second. Returns the ids, newest first."""
    names = [f"n{number:04}" for number in range(count)]
    put_all(raw_entry(SINCE + timedelta(seconds=n // 3), name, business=business) for n, name in enumerate(names))
    return names[::-1]


def next_page_url(browser: Client, url: str) -> str:
    more = [link for link in parse(browser.get(url)).all("a") if "data-more" in link.attrs]
    return more[0].attrs["href"]


@pytest.mark.parametrize("query", ["", "?person=marco@example.com", "?target=ana@example.com", "?action=person.edit"])
def test_the_pages_together_show_every_entry_once(table: str, as_owner: Client, query: str) -> None:
    names = add_entries(130, "andina")
    assert listed_ids(as_owner, f"/b/andina/audit/{query}") == names
    assert ids(parse(as_owner.get(f"/b/andina/audit/{query}"))) == names[:50]


def test_load_more_returns_only_the_next_rows(as_owner: Client) -> None:
    names = add_entries(70, "andina")
    part = parse(as_owner.get(next_page_url(as_owner, "/b/andina/audit/"), headers={"HX-Request": "true"}))
    assert ids(part) == names[50:]
    assert not part.all("form")
    assert "70 entries" in part.by_class("more-line")[0].text


def test_a_cursor_is_valid_for_one_person_trail_and_filter_only(
    businesses: dict[str, Person], as_owner: Client
) -> None:
    add_entries(60, "andina")
    add_entries(60, "harbour")
    add_entries(60)
    own = next_page_url(as_owner, "/b/andina/audit/?person=marco@example.com")
    assert as_owner.get(own).status_code == 200
    _, _, cursor = own.partition("cursor=")
    admin, neighbour = sign_in(businesses["admin"]), sign_in(businesses["neighbour"])
    refused = {
        "another person": (admin, own),
        "another business": (neighbour, own.replace("andina", "harbour")),
        "another filter": (as_owner, own.replace("marco", "aldo")),
        "fewer filters": (as_owner, f"/b/andina/audit/?cursor={cursor}"),
        "other days": (as_owner, own + "&since=2025-01-01"),
        "forged": (as_owner, "/b/andina/audit/?cursor=forged"),
    }
    for name, (browser, url) in refused.items():
        assert browser.get(url).status_code == 400, name
    platform_cursor_url = next_page_url(admin, "/audit/")
    assert admin.get(platform_cursor_url).status_code == 200
    assert admin.get(platform_cursor_url.replace("/audit/", "/b/andina/audit/")).status_code == 400
    assert admin.get(next_page_url(admin, "/b/andina/audit/").replace("/b/andina/", "/b/harbour/")).status_code == 400
    assert sign_in(businesses["admin2"]).get(platform_cursor_url).status_code == 400


def test_an_entry_has_a_link_that_opens_for_colleagues(businesses: dict[str, Person], as_owner: Client) -> None:
    put(raw_entry(utc("2025-09-21T10:00:00"), "one", business="andina", after={"name": "Ana"}))
    row = rows(parse(as_owner.get("/b/andina/audit/")))[0]
    (address,) = [link.attrs["href"] for link in row.all("a") if link.text == "Link to this entry"]
    assert address == f"/b/andina/audit/{ENTRY}/"
    for who in ("owner", "admin"):
        page = parse(sign_in(businesses[who]).get(address))
        assert page.one("h1").text == "Marco Peña edited Ana Sol"
        assert page.one("td", data_label="After").text == "Ana"
        assert "21 Sep 2025, 07:00" in page.by_class("entry-when")[0].text, "the time is in the business's time zone"


def test_an_entry_of_another_trail_is_not_found(businesses: dict[str, Person], as_owner: Client) -> None:
    put(raw_entry(utc("2025-09-21T10:00:00"), "one", business="andina"))
    admin, neighbour = sign_in(businesses["admin"]), sign_in(businesses["neighbour"])
    answers: dict[str, Any] = {
        f"/audit/{ENTRY}/": admin,
        f"/b/harbour/audit/{ENTRY}/": admin,
        f"/b/andina/audit/{ENTRY[:-1]}/": admin,
        "/b/andina/audit/nothing/": admin,
        "/b/andina/audit/nothing_x/": admin,
        f"/b/andina/audit/{'x' * 60}_{'é' * 512}/": admin,
        f"/b/andina/audit/{ENTRY}/": neighbour,
        "/b/andina/audit/": neighbour,
        "/b/andina/audit/export.csv": neighbour,
    }
    assert {url: browser.get(url).status_code for url, browser in answers.items()} == dict.fromkeys(answers, 404)
    assert as_owner.get(f"/audit/{ENTRY}/").status_code == 403
