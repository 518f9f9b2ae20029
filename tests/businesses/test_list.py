"""The list of businesses: tabs, search by the start of a name, paging and cost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from dashboard.core.clock import now
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business, BusinessStatus
from dashboard.table import cursors
from dashboard.table.connection import client
from tests.businesses.business_pages import create_business
from tests.conftest import add_person, every_engine, sign_in
from tests.ui.html import Element, parse
from tests.ui.walk import calls_of

STATUSES = list(BusinessStatus)


def raw_business(number: int) -> dict[str, Any]:
    business = Business.new(tenant=f"shop-{number:05}")
    business.business_id = business.slug = f"shop-{number:05}"
    business.name, business.plan = f"Shop {number:05}", "FREE"
    business.status, business.created_at, business.revision = STATUSES[number % 4], now(), 1
    business.set_index_keys()
    item: dict[str, Any] = business.serialize()
    return item


def add_many(first: int, last: int) -> None:
    batches = [range(start, min(start + 25, last)) for start in range(first, last, 25)]

    def write(batch: range) -> None:
        puts = [{"PutRequest": {"Item": raw_business(number)}} for number in batch]
        assert not client().batch_write_item(RequestItems={settings.DYNAMODB_TABLE: puts}).get("UnprocessedItems")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, batches))


def names(page: Element) -> list[str]:
    return [row.one("a", class_="row-link").text for row in page.all("tr") if "data-row" in row.attrs]


def names_on_all_pages(browser: Client, url: str) -> list[str]:
    names_on_pages: list[str] = []
    while url:
        response = browser.get(url)
        assert response.status_code == 200
        page = parse(response)
        names_on_pages += names(page)
        url = next((link.attrs["href"] for link in page.all("a") if "data-more" in link.attrs), "")
    return names_on_pages


@pytest.fixture
def browser(table: str) -> Client:
    return sign_in(add_person("alma@example.com", Role.ADMIN))


def test_an_empty_list_links_to_the_form_for_a_new_business(browser: Client) -> None:
    page = parse(browser.get("/businesses/"))
    assert "No businesses yet" in page.by_class("empty")[0].text
    assert page.by_class("empty")[0].one("a").attrs["href"] == "/businesses/new/"
    assert "No businesses with this status" in parse(browser.get("/businesses/?status=TRIAL")).text
    nothing = parse(browser.get("/businesses/?q=zz&status=TRIAL"))
    assert "Nothing matches" in nothing.text
    assert [link.attrs["href"] for link in nothing.all("a") if link.text == "Clear filters"] == ["/businesses/"]


def test_a_row_shows_name_id_plan_status_and_domain(browser: Client) -> None:
    create_business(name="Café <Ñandú>", slug="nandu", plan="ENTERPRISE", status="TRIAL", domain="cafe.example.com")
    (row,) = [each for each in parse(browser.get("/businesses/")).all("tr") if "data-row" in each.attrs]
    assert row.text == "Café <Ñandú>nandu Enterprise Trial cafe.example.com"
    assert row.one("a").attrs["href"] == "/businesses/nandu/"


def test_sorting_and_search_ignore_accents_and_case(browser: Client) -> None:
    for name in ("zeta", "Ärmel", "arena", "Ñandú", "nube", "Straße 5", "Arena Sur", "ＡＲＥＮＡ"):
        create_business(name=name)
    listed = names_on_all_pages(browser, "/businesses/")
    assert listed[3:] == ["Ärmel", "Ñandú", "nube", "Straße 5", "zeta"]
    assert set(listed[:3]) == {"arena", "ＡＲＥＮＡ", "Arena Sur"}
    for query in ("ñan", "NAN", " na", "nandu"):
        assert "Ñandú" in names(parse(browser.get("/businesses/", {"q": query}))), query
    assert names(parse(browser.get("/businesses/", {"q": "STRASSE"}))) == ["Straße 5"]
    assert set(names(parse(browser.get("/businesses/", {"q": "arena"})))) == {"arena", "ＡＲＥＮＡ", "Arena Sur"}
    assert names(parse(browser.get("/businesses/", {"q": "ube"}))) == [], "only the start of a name matches"


def test_each_tab_lists_the_businesses_of_its_status(browser: Client) -> None:
    for status in BusinessStatus:
        create_business(name=f"Is {status}", status=status, reason="x")
    for status in BusinessStatus:
        assert names(parse(browser.get("/businesses/", {"status": status}))) == [f"Is {status}"]
    assert len(names(parse(browser.get("/businesses/")))) == 4
    for unknown in ("active", "#", "ACTIVE#x", "TENANTS"):
        assert browser.get("/businesses/", {"status": unknown}).status_code == 404


def test_paging_shows_each_business_exactly_once(browser: Client) -> None:
    add_many(0, 129)
    everyone = [f"Shop {number:05}" for number in range(129)]
    assert names_on_all_pages(browser, "/businesses/") == everyone
    assert names_on_all_pages(browser, "/businesses/?status=TRIAL") == everyone[1::4]
    assert names_on_all_pages(browser, "/businesses/?q=shop 0001") == everyone[10:20]


def test_a_cursor_is_valid_for_one_person_tab_and_search_only(browser: Client) -> None:
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
def test_every_engine_returns_the_same_pages(table: str) -> None:
    add_many(0, 30)
    listed, start_key = [], None
    while True:
        page = queries.businesses("shop", start_key=start_key, limit=7)
        listed += [each.business_id for each in page.items]
        if page.next_start_key is None:
            break
        start_key = page.next_start_key
    assert listed == [f"shop-{number:05}" for number in range(30)]
    assert all(each.partial and each.settings is None for each in page.items)


def measure_costs(browser: Client, after: int) -> dict[str, tuple[int, int, float, int]]:
    at = raw_business(after)
    start = {name: at[name] for name in ("PK", "SK", "GSITypePK", "GSITypeSK")}
    cursor = cursors.encode(start, "alma@example.com", "businesses", "", "")
    urls = ["/businesses/", "/businesses/?q=shop 0001", "/businesses/?status=TRIAL", f"/businesses/?cursor={cursor}"]
    urls += ["/businesses/switch/", "/go/?q=shop"]
    costs_by_url = {}
    for url in urls:
        response = browser.get(url)
        log = calls_of(response)
        costs_by_url[url.partition("cursor")[0]] = (len(log.calls), log.trips, log.units, len(names(parse(response))))
    return costs_by_url


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_the_list_costs_the_same_with_240_and_with_4000_businesses(browser: Client) -> None:
    add_many(0, 240)
    few = measure_costs(browser, 20)
    add_many(240, 4_000)
    many = measure_costs(browser, 3_600)
    assert many == few
    assert all(trips <= 2 and units > 0 for _, trips, units, _ in many.values())
    assert [rows for *_, rows in many.values()] == [50, 10, 50, 50, 0, 0]
