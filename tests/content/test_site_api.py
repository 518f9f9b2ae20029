"""The public API of a site: published pages by address and by id, redirects, and nothing of drafts."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from content.statuses import PageStatus
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
