"""The cost of every page in calls to the table; fragments for htmx; toasts."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.platform.accounts.permissions import Role
from dashboard.table import cursors
from tests.accounts.many_people import add_many_people, raw_person
from tests.conftest import add_person, sign_in
from tests.ui.html import parse, toasts
from tests.ui.walk import calls_of
from tests.ui.world import World

HTMX = {"HX-Request": "true"}
VISITORS = ("anonymous", *Role)
# Not every engine implements it. The page says so.
UNSUPPORTED = ("DescribeContinuousBackups", "UnknownOperationException")
# The activity of a month without a table is read as empty.
WITHOUT_TABLE = ("Query", "ResourceNotFoundException")


def most_trips(url: str) -> int:
    """The first answer for a domain finds its business, then the address, then the page (docs/site.md)."""
    return 3 if url.startswith("/api/v1/domains/") and "/routes/" in url else 2


@pytest.mark.parametrize("visitor", VISITORS)
def test_every_page_takes_at_most_two_round_trips(world: World, visitor: str) -> None:
    pages, browser = world.pages(visitor), world.browser(visitor)
    assert len(pages) > 2
    for url, plain in pages.items():
        for response in (plain, browser.get(url, headers=HTMX)):
            assert response.status_code == 200, f"{url}: {response.status_code}"
            log = calls_of(response)
            assert log.trips <= most_trips(url), f"{url}: {[(call.operation, call.pattern) for call in log.calls]}"
            errors = [(call.operation, call.error) for call in log.calls if call.error is not None]
            assert set(errors) <= {UNSUPPORTED, WITHOUT_TABLE}, url


def test_recording_the_use_of_a_session_adds_no_round_trip(world: World) -> None:
    start = now()
    with frozen(start):
        browser = sign_in(world.add())
    with frozen(start + timedelta(minutes=6)):
        logs = [calls_of(browser.get("/account/")) for _ in range(3)]
    assert [log.trips for log in logs] == [2, 2, 2]
    assert [[call.operation for call in log.calls].count("UpdateItem") for log in logs] == [1, 0, 0]


def measure_costs(browser: Client, admin: str, after: str) -> dict[str, tuple[int, int, float, int]]:
    """Calls, round trips, capacity units and rows of some pages of the list; the deep page starts after `after`."""
    person = raw_person(after, "staff")
    start = {name: person[name] for name in ("PK", "SK", "GSI2PK", "GSI2SK")}
    pages = {
        "the first": "/people/",
        "a search": "/people/?q=p0001",
        "a tab": "/people/?state=staff",
        "deep": f"/people/?cursor={cursors.encode(start, admin, 'people', '', '')}",
    }
    found = {}
    for name, url in pages.items():
        response = browser.get(url)
        assert response.status_code == 200
        log = calls_of(response)
        shown = len([row for row in parse(response).all("tr") if "data-row" in row.attrs])
        found[name] = (len(log.calls), log.trips, log.units, shown)
    return found


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_the_list_costs_the_same_at_a_hundred_and_at_ten_thousand_people(table: str) -> None:
    admin = add_person("a@example.com", Role.ADMIN)
    browser = sign_in(admin)
    add_many_people((f"p{number:05}@example.com", "staff") for number in range(110))
    few = measure_costs(browser, admin.email, after="p00020@example.com")
    add_many_people((f"p{number:05}@example.com", "staff") for number in range(110, 10_000))
    many = measure_costs(browser, admin.email, after="p09000@example.com")
    assert many == few
    assert {name: shown for name, (_, _, _, shown) in many.items()} == {
        "the first": 50,
        "a search": 10,
        "a tab": 50,
        "deep": 50,
    }
    assert all(calls <= 2 and trips <= 2 and units > 0 for calls, trips, units, _ in many.values())


def is_page(response: Any) -> bool:
    return bool(response.content.lstrip().lower().startswith(b"<!doctype html>"))


FRAGMENTS = [
    "/people/",
    "/people/?q=al",
    "/people/?state=staff",
    "/go/?q=people",
    "/businesses/",
    "/businesses/?q=co",
    "/businesses/switch/",
    "/ui/rows/",
    "/ui/rows/?cursor=50",
]
FRAGMENTS += ["/b/andina/branding/", "/b/andina/branding/?status=drafts", "/b/andina/branding/timeline/"]
FRAGMENTS += [f"/b/andina/bookings/{name}/?q=ma" for name in ("services", "providers", "customers")]
FRAGMENTS += ["/audit/", "/audit/?action=person.*", "/b/andina/audit/?since=yesterday"]


@pytest.mark.parametrize("url", FRAGMENTS)
def test_htmx_gets_the_fragment_of_the_page(world: World, url: str) -> None:
    browser = world.browser("admin")
    whole, part = browser.get(url), browser.get(url, headers=HTMX)
    assert is_page(whole) and not is_page(part)
    assert "<html" not in part.content.decode() and 'class="sidebar"' not in part.content.decode()
    # The page has all the text of the fragment.
    assert set(parse(part).text.split()) - {"50", "100", "shown", "·"} <= set(parse(whole).text.split()) | {"of"}
    # Boosted links and htmx's history get the whole page.
    assert is_page(browser.get(url, headers=HTMX | {"HX-Boosted": "true"}))
    assert is_page(browser.get(url, headers=HTMX | {"HX-History-Restore-Request": "true"}))
    for response in (whole, part):
        assert "HX-Request" in response.headers["Vary"]


@pytest.mark.parametrize("visitor", VISITORS)
def test_every_page_varies_on_the_htmx_header(world: World, visitor: str) -> None:
    for url in world.html(visitor):
        assert "HX-Request" in world.pages(visitor)[url].headers["Vary"], url


def test_a_toast_is_added_to_the_fragment_and_shown_once(world: World) -> None:
    browser = world.browser("admin")
    refused = browser.post("/people/bulk/", {"action": "disable"}, headers=HTMX)
    assert (refused.status_code, refused.headers["HX-Reswap"]) == (422, "none")
    toast_area = parse(refused).one("div", hx_swap_oob="beforeend:#toasts")
    assert "Select 1 to 50" in toasts(toast_area)[0]
    assert toast_area.by_class("toast")[0].attrs["role"] == "alert"
    assert toasts(browser.get("/")) == []


def test_a_toast_is_shown_once_after_a_redirect(world: World) -> None:
    person, browser = world.add(), world.browser("admin")
    sent = browser.post(f"/people/{person.email}/disable/", {"revision": person.revision}, headers=HTMX)
    assert (sent.status_code, sent.content) == (204, b"")
    assert sent.headers["HX-Redirect"] == f"/people/{person.email}/"
    assert len(toasts(browser.get(sent.headers["HX-Redirect"]))) == 1
    assert toasts(browser.get("/")) == []


def test_a_waiting_toast_is_shown_with_the_next_fragment(world: World) -> None:
    person, browser = world.add(), world.browser("admin")
    browser.post(f"/people/{person.email}/disable/", {"revision": person.revision})
    toast_area = parse(browser.get("/people/", headers=HTMX)).one("div", hx_swap_oob="beforeend:#toasts")
    assert len(toasts(toast_area)) == 1


def test_a_fragment_without_toasts_has_no_toast_area(world: World) -> None:
    assert b"hx-swap-oob" not in world.browser("admin").get("/people/", headers=HTMX).content


def test_head_returns_the_status_of_get_without_a_body(world: World) -> None:
    browser = world.browser("admin")
    for url in ("/", "/people/", "/account/", "/people/new/", "/healthz"):
        assert browser.head(url).status_code == 200
        assert browser.head(url).content == b""
