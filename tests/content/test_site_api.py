"""The public API of a site: published pages by address and by id, redirects, and nothing of drafts."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from content import site_domains
from content.statuses import PageStatus
from dashboard.core.clock import frozen, now
from dashboard.platform.businesses.items import Domain
from dashboard.table import write
from tests.adoption.outside import put_tenant
from tests.content.site import (
    BUSINESS,
    NEIGHBOURS,
    a_page,
    give_domain,
    publish,
    put_outside_page,
    save_page,
    set_status_of,
)
from tests.ui.walk import calls_of

API = f"/api/v1/businesses/{BUSINESS}/"
BLOCKS = [{"type": "hero", "attrs": {"overlayOpacity": 0.35, "glow": None, "rich": [[1, {"br": True}]]}}]


def get(path: str, **headers: str) -> Any:
    renamed = {name.replace("_", "-"): value for name, value in headers.items()}
    return Client(raise_request_exception=False).get(path if path.startswith("/") else f"{API}{path}", headers=renamed)


def test_a_published_page_by_its_address_and_by_its_id(table: str) -> None:
    page = publish(a_page("About", slug="/team/about", blocks=BLOCKS, tags=["a"], seo_title="Who we are"))
    answer = get("routes/team/about")
    body = answer.json()
    assert answer.status_code == 200 and answer.headers["Access-Control-Allow-Origin"] == "*"
    assert (body["businessId"], body["path"], body["redirectTo"]) == (BUSINESS, "/team/about", None)
    assert body["page"]["blocks"] == BLOCKS and b'"overlayOpacity":0.35' in answer.content
    assert (body["page"]["title"], body["page"]["version"], body["page"]["tags"]) == ("About", 2, ["a"])
    assert body["page"]["seo"]["title"] == "Who we are"
    assert get(f"pages/{page.node}").json() == body["page"]
    # The address may be written as people write it.
    assert get("routes/Team/About/").json()["page"] == body["page"]
    assert calls_of(answer).trips == 2 and calls_of(get(f"pages/{page.node}")).trips == 1


def test_an_unchanged_page_is_answered_with_304(table: str) -> None:
    page = publish(a_page("About", slug="/about"))
    etag = get("routes/about").headers["ETag"]
    assert get("routes/about", If_None_Match=etag).status_code == 304
    save_page(page, title="New")
    assert get("routes/about", If_None_Match=etag).status_code == 200


def test_the_home_page_has_an_empty_path(table: str) -> None:
    publish(a_page("Home", slug="/"))
    assert get("routes/").json()["page"]["title"] == "Home"


def test_a_former_address_answers_with_the_one_of_now(table: str) -> None:
    page = publish(a_page("About", slug="/about"))
    for slug in ("/team", "/people"):
        page = save_page(page, slug=slug)
    body = get("routes/about").json()
    assert (body["redirectTo"], body["page"]) == ("/people", None)


@pytest.mark.parametrize("status", [PageStatus.DRAFT, PageStatus.ARCHIVED])
def test_drafts_and_archived_pages_are_not_served(table: str, status: PageStatus) -> None:
    page = set_status_of(publish(a_page("About", slug="/about")), status)
    for path in ("routes/about", f"pages/{page.node}", "routes/nothing", "pages/nobody", "routes/a%23b", "pages/a%23b"):
        answer = get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "no_page"), path
        assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_a_page_that_not_everybody_may_read_is_served_without_its_blocks(table: str) -> None:
    put_outside_page("members", blocks=BLOCKS, accessPolicy={"type": "LoginRequired"})
    body = get("pages/members").json()
    assert (body["access"], body["blocks"]) == ("LoginRequired", None)


def test_another_business_does_not_serve_the_page(table: str) -> None:
    page = publish(a_page("About", slug="/about"))
    client = Client(raise_request_exception=False)
    for path in ("routes/about", f"pages/{page.node}"):
        assert client.get(f"/api/v1/businesses/harbour/{path}").status_code == 404


def get_domain(domain: str, **headers: str) -> Any:
    return get(f"/api/v1/domains/{domain}", **headers)


def test_a_domain_is_resolved_to_its_business_and_its_pages(table: str) -> None:
    page = publish(a_page("Inicio", slug="/"))
    give_domain("www.xn--caf-dma.example")
    answer = get_domain("www.xn--caf-dma.example")
    assert answer.json() == {"domain": "www.xn--caf-dma.example", "businessId": BUSINESS}
    assert answer.headers["Access-Control-Allow-Origin"] == "*" and calls_of(answer).trips == 1
    served = Client().get(f"/api/v1/businesses/{answer.json()['businessId']}/routes/")
    assert served.json()["page"]["id"] == page.node
    # As people write it, and as a request names a host.
    for written in ("WWW.xn--Caf-dma.example", "www.café.example", "www.xn--caf-dma.example."):
        assert get_domain(written).json() == answer.json()


def test_a_domain_is_answered_with_304_until_it_moves(table: str) -> None:
    give_domain("shop.example")
    etag = get_domain("shop.example").headers["ETag"]
    assert get_domain("shop.example", If_None_Match=etag).status_code == 304
    give_domain("moved.example")
    assert get_domain("shop.example", If_None_Match=etag).status_code == 404
    give_domain("shop.example", NEIGHBOURS)
    assert get_domain("shop.example", If_None_Match=etag).json()["businessId"] == NEIGHBOURS


@pytest.mark.parametrize("domain", ["unknown.example", "shop.example:8080", "shop", "a%23b", "%00", f"{'a' * 300}.cl"])
def test_an_unknown_domain_is_not_found(table: str, domain: str) -> None:
    give_domain("shop.example")
    answer = get_domain(domain)
    assert (answer.status_code, answer.json()["code"]) == (404, "no_site")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


def test_a_domain_of_two_businesses_is_of_the_one_that_reserved_it(table: str) -> None:
    give_domain("shop.example")
    give_domain("shop.example", NEIGHBOURS)
    assert get_domain("shop.example").status_code == 404
    reservation = Domain.new(domain="shop.example")
    reservation.business_id = NEIGHBOURS
    write.put(reservation)
    assert get_domain("shop.example").json()["businessId"] == NEIGHBOURS


def test_a_business_that_no_address_can_contain_has_no_site(table: str) -> None:
    put_tenant("new", domain="odd.example")
    assert get_domain("odd.example").status_code == 404


# --- A route by its domain, in one request ---
@pytest.fixture(autouse=True)
def no_remembered_domains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_domains, "remembered", site_domains.RememberedDomains())


def test_a_page_by_its_domain_costs_two_round_trips_once_the_domain_is_known(table: str) -> None:
    page = publish(a_page("About", slug="/team/about"))
    give_domain("shop.example")
    url = "shop.example/routes/team/about"
    first, again = get_domain(url), get_domain(url)
    assert first.json() == again.json() == get("routes/team/about").json()
    assert first.json()["page"]["id"] == page.node
    assert (calls_of(first).trips, calls_of(again).trips) == (3, 2)
    assert get_domain("SHOP.example./routes/Team/About/").json() == first.json()
    assert get_domain(url, If_None_Match=first.headers["ETag"]).status_code == 304
    page = save_page(page, slug="/people")
    assert get_domain(url).json()["redirectTo"] == "/people"
    assert get_domain("shop.example/routes/nothing").json()["code"] == "no_page"
    assert get_domain("other.example/routes/people").json()["code"] == "no_site"


def test_the_home_page_of_a_domain(table: str) -> None:
    publish(a_page("Home", slug="/"))
    give_domain("shop.example")
    assert get_domain("shop.example/routes/").json()["page"]["title"] == "Home"


def test_a_remembered_domain_that_moves_answers_with_its_new_business_at_once(table: str) -> None:
    publish(a_page("Ours", slug="/about"))
    publish(a_page("Theirs", slug="/about", business=NEIGHBOURS), business=NEIGHBOURS)
    give_domain("shop.example")
    url = "shop.example/routes/about"
    assert get_domain(url).json()["page"]["title"] == "Ours"
    give_domain("moved.example")
    assert get_domain(url).status_code == 404
    give_domain("shop.example", NEIGHBOURS)
    assert get_domain(url).json()["page"]["title"] == "Theirs"


def test_a_remembered_domain_that_another_business_reserves_is_not_answered_for_the_first(table: str) -> None:
    publish(a_page("Ours", slug="/about"))
    give_domain("shop.example")
    assert get_domain("shop.example/routes/about").status_code == 200
    give_domain("shop.example", NEIGHBOURS)
    reservation = Domain.new(domain="shop.example")
    reservation.business_id = NEIGHBOURS
    write.put(reservation)
    assert get_domain("shop.example/routes/about").json()["code"] == "no_page"


def test_remembered_domains_are_few_and_forgotten_after_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_domains, "MAX_DOMAINS", 2)
    known = site_domains.RememberedDomains()
    for name in "abc":
        known.remember(name, BUSINESS)
    assert [known.find(name) for name in "abc"] == [None, BUSINESS, BUSINESS]
    with frozen(now() + site_domains.LIFE):
        assert known.find("c") is None
    known.forget("b")
    assert known.find("b") is None


@pytest.mark.parametrize("domain", ["unknown.example", "shop.example:8080", "a%23b", "%00"])
def test_a_route_of_an_unknown_domain_is_not_found(table: str, domain: str) -> None:
    answer = get_domain(f"{domain}/routes/about")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_site")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
