"""The list of businesses: tabs, the start of a name, pages; the same at nothing and at ten thousand."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from dashboard.core.clock import now
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business, Status
from dashboard.table import cursors
from dashboard.table.connection import client
from tests.businesses.business_pages import new
from tests.conftest import add_person, every_engine, sign_in
from tests.ui.html import Element, parse
from tests.ui.walk import calls_of

STATUSES = list(Status)


def raw(number: int) -> dict[str, Any]:
    business = Business.new(tenant=f"shop-{number:05}")
    business.business_id = business.slug = f"shop-{number:05}"
    business.name, business.plan = f"Shop {number:05}", "FREE"
    business.status, business.created_at, business.revision = STATUSES[number % 4], now(), 1
    business.set_index_keys()
    made: dict[str, Any] = business.serialize()
    return made


def add_many(first: int, last: int) -> None:
    batches = [range(start, min(start + 25, last)) for start in range(first, last, 25)]

    def write(batch: range) -> None:
        puts = [{"PutRequest": {"Item": raw(number)}} for number in batch]
        assert not client().batch_write_item(RequestItems={settings.DYNAMODB_TABLE: puts}).get("UnprocessedItems")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, batches))


def names(page: Element) -> list[str]:
    return [row.one("a", class_="row-link").text for row in page.all("tr") if "data-row" in row.attrs]


def walk(browser: Client, url: str) -> list[str]:
    found: list[str] = []
    while url:
        response = browser.get(url)
        assert response.status_code == 200
        page = parse(response)
        found += names(page)
        url = next((link.attrs["href"] for link in page.all("a") if "data-more" in link.attrs), "")
    return found


@pytest.fixture
def browser(table: str) -> Client:
    return sign_in(add_person("alma@example.com", Role.ADMIN))


def test_an_empty_list_says_what_to_do(browser: Client) -> None:
    page = parse(browser.get("/businesses/"))
    assert "No businesses yet" in page.by_class("empty")[0].text
    assert page.by_class("empty")[0].one("a").attrs["href"] == "/businesses/new/"
    assert "No businesses with this status" in parse(browser.get("/businesses/?status=TRIAL")).text
    nothing = parse(browser.get("/businesses/?q=zz&status=TRIAL"))
    assert "Nothing matches" in nothing.text
    assert [link.attrs["href"] for link in nothing.all("a") if link.text == "Clear filters"] == ["/businesses/"]


def test_a_row_says_what_matters(browser: Client) -> None:
    new(name="Café <Ñandú>", slug="nandu", plan="ENTERPRISE", status="TRIAL", domain="cafe.example.com")
    (row,) = [each for each in parse(browser.get("/businesses/")).all("tr") if "data-row" in each.attrs]
    assert row.text == "Café <Ñandú>nandu Enterprise Trial cafe.example.com"
    assert row.one("a").attrs["href"] == "/businesses/nandu/"


def test_businesses_are_sorted_and_found_whatever_the_accents(browser: Client) -> None:
    for name in ("zeta", "Ärmel", "arena", "Ñandú", "nube", "Straße 5", "Arena Sur", "ＡＲＥＮＡ"):
        new(name=name)
    shown = walk(browser, "/businesses/")
    assert shown[3:] == ["Ärmel", "Ñandú", "nube", "Straße 5", "zeta"]
    assert set(shown[:3]) == {"arena", "ＡＲＥＮＡ", "Arena Sur"}
    for typed in ("ñan", "NAN", " na", "nandu"):
        assert "Ñandú" in names(parse(browser.get("/businesses/", {"q": typed}))), typed
    assert names(parse(browser.get("/businesses/", {"q": "STRASSE"}))) == ["Straße 5"]
    assert set(names(parse(browser.get("/businesses/", {"q": "arena"})))) == {"arena", "ＡＲＥＮＡ", "Arena Sur"}
    assert names(parse(browser.get("/businesses/", {"q": "ube"}))) == [], "the start, not any part"


def test_tabs_follow_the_status(browser: Client) -> None:
    for status in Status:
        new(name=f"Is {status}", status=status, reason="x")
    for status in Status:
        assert names(parse(browser.get("/businesses/", {"status": status}))) == [f"Is {status}"]
    assert len(names(parse(browser.get("/businesses/")))) == 4
    for unknown in ("active", "#", "ACTIVE#x", "TENANTS"):
        assert browser.get("/businesses/", {"status": unknown}).status_code == 404


def test_paging_shows_each_exactly_once(browser: Client) -> None:
    add_many(0, 129)
    everyone = [f"Shop {number:05}" for number in range(129)]
    assert walk(browser, "/businesses/") == everyone
    assert walk(browser, "/businesses/?status=TRIAL") == everyone[1::4]
    assert walk(browser, "/businesses/?q=shop 0001") == everyone[10:20]


def test_a_cursor_is_for_one_person_one_tab_and_one_search(browser: Client) -> None:
    add_many(0, 60)
    other = sign_in(add_person("aldo@example.com", Role.ADMIN))
    page = parse(browser.get("/businesses/?q=shop"))
    (more,) = [link.attrs["href"] for link in page.all("a") if "data-more" in link.attrs]
    assert browser.get(more).status_code == 200
    cursor = more.partition("cursor=")[2].partition("&")[0]
    assert other.get(more).status_code == 400
    for query in ("q=sho", "", "q=shop&status=ACTIVE"):
        assert browser.get(f"/businesses/?{query}&cursor={cursor}").status_code == 400


@every_engine
def test_every_engine_pages_alike(table: str) -> None:
    add_many(0, 30)
    shown, start_key = [], None
    while True:
        page = queries.businesses("shop", start_key=start_key, limit=7)
        shown += [each.business_id for each in page.items]
        if page.next_start_key is None:
            break
        start_key = page.next_start_key
    assert shown == [f"shop-{number:05}" for number in range(30)]
    assert all(each.partial and each.settings is None for each in page.items)


def costs(browser: Client, after: int) -> dict[str, tuple[int, int, float, int]]:
    at = raw(after)
    start = {name: at[name] for name in ("PK", "SK", "GSITypePK", "GSITypeSK")}
    cursor = cursors.encode(start, "alma@example.com", "businesses", "", "")
    urls = ["/businesses/", "/businesses/?q=shop 0001", "/businesses/?status=TRIAL", f"/businesses/?cursor={cursor}"]
    urls += ["/businesses/switch/", "/go/?q=shop"]
    found = {}
    for url in urls:
        response = browser.get(url)
        log = calls_of(response)
        found[url.partition("cursor")[0]] = (len(log.calls), log.trips, log.units, len(names(parse(response))))
    return found


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_it_costs_the_same_at_a_few_and_at_four_thousand(browser: Client) -> None:
    add_many(0, 240)
    few = costs(browser, 20)
    add_many(240, 4_000)
    many = costs(browser, 3_600)
    assert many == few
    assert all(trips <= 2 and units > 0 for _, trips, units, _ in many.values())
    assert [rows for *_, rows in many.values()] == [50, 10, 50, 50, 0, 0]
