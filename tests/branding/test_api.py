"""What apps read: the look in force, by two reads at the most, from any site."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from branding import tokens
from branding.services import publishing
from dashboard.table import keys
from dashboard.table.commands import new_command
from tests.branding.publishing_factory import (
    BUSINESS,
    OLIVIA,
    create_draft,
    create_published,
    publish,
    put_item,
    put_many_versions,
)
from tests.conftest import add_business
from tests.faults import bad_network, lose_request
from tests.table.notes import on_dynoxide
from tests.ui.walk import calls_of

JSON, CSS = "/api/v1/businesses/andina/theme", "/api/v1/businesses/andina/theme.css"


@pytest.fixture(autouse=True)
def andina(table: str) -> None:
    add_business(BUSINESS, "Coca-Cola Andina", "olivia@example.com")


def ask(url: str = JSON, method: str = "get", **headers: str) -> Any:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return getattr(Client(raise_request_exception=False), method)(url, headers=named)


def refused(response: Any) -> tuple[int, str]:
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Cache-Control"] == "no-store, private"
    assert response.json()["message"].endswith(".")
    return response.status_code, response.json()["error"]


def test_the_published_look_as_json(table: str) -> None:
    theme = create_published(name="Winter", primaryColor="#123456", cornerRadius="none")
    create_draft(primaryColor="#ff0000")
    response = ask()
    assert response.status_code == 200 and response.headers["Content-Type"] == "application/json"
    body = response.json()
    assert (body["businessId"], body["version"], body["name"]) == (BUSINESS, theme.number, "Winter")
    assert body["publishedAt"].endswith("Z")
    assert body["metadata"] == theme.metadata
    assert body["tokens"] == tokens.DEFAULTS | {"primaryColor": "#123456", "cornerRadius": "none"}
    assert body["properties"]["--brand-corner-radius"] == "0px"
    assert body["files"] == {}
    assert body["stylesheet"] == f"http://testserver{CSS}"


def test_the_published_look_as_a_stylesheet(table: str) -> None:
    create_published(primaryColor="#123456")
    response = ask(CSS)
    assert response.headers["Content-Type"] == "text/css; charset=utf-8"
    text = response.content.decode()
    assert text.startswith(":root {\n") and "--brand-primary-color: #123456;" in text
    # A page of another site links it without CORS: this header lets it.
    assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_what_another_service_wrote_is_told_as_it_is_and_drawn_as_we_know_it() -> None:
    metadata = {
        "primaryColor": "#1A2B3C",
        "typography": "intrale-regular",
        "accentColor": "red;} body{background:url(//x)}",
        "mystery": {"deep": [1, 2.5, None, True]},
    }
    put_item(
        keys.THEME.key(tenant=BUSINESS, version=42), metadata=metadata, assets=["ASSET#logo-1", "ASSET#weird/../id"]
    )
    put_item(keys.PUBLISHED.key(tenant=BUSINESS), type="PUBLISHED_MARKER", version=42)
    body = ask().json()
    assert body["metadata"] == metadata
    assert body["tokens"]["primaryColor"] == "#1a2b3c"
    assert body["tokens"]["typography"] == tokens.DEFAULTS["typography"]
    assert body["publishedAt"] is None and body["name"] is None
    assert body["files"] == {"logo": {"id": "logo-1", "url": "http://testserver/files/logo-1/"}}
    assert "url(" not in ask(CSS).content.decode()


def test_a_set_or_bytes_in_the_metadata_is_no_failure() -> None:
    put_item(keys.THEME.key(tenant=BUSINESS, version=1), metadata={"tags": {"b", "a"}, "raw": b"\x00\xff"})
    put_item(keys.PUBLISHED.key(tenant=BUSINESS), version=1)
    response = ask()
    assert response.status_code == 200
    assert response.json()["metadata"] == {"tags": ["a", "b"], "raw": "AP8="}


@pytest.mark.parametrize("url", [JSON, CSS])
def test_nothing_is_published(url: str) -> None:
    create_draft()
    assert refused(ask(url)) == (404, "no_theme")


@pytest.mark.parametrize("business", ["nowhere", "SYSTEM", "USER", "BUS", "x" * 63, "a.b-c_d"])
def test_a_business_that_is_not_there_reads_the_same(business: str) -> None:
    for url in (JSON, CSS):
        answer = ask(url.replace(BUSINESS, business))
        assert refused(answer) == (404, "no_theme")
        assert answer.json()["message"] == ask(url).json()["message"]


def test_a_marker_whose_theme_is_missing_says_so() -> None:
    put_item(keys.PUBLISHED.key(tenant=BUSINESS), version=7)
    for url in (JSON, CSS):
        assert refused(ask(url)) == (404, "theme_missing")
    assert "Version 7" in ask().json()["message"]


@pytest.mark.parametrize("version", ["seven", -1, 1.5, 10**30, None, True, [1], {"a": 1}, ""])
def test_a_marker_that_makes_no_sense_is_no_failure(version: Any) -> None:
    put_item(
        keys.PUBLISHED.key(tenant=BUSINESS), **({} if version is None else {"version": version}), publishedAt="soon"
    )
    for url in (JSON, CSS):
        assert refused(ask(url)) == (404, "no_theme")


def operations(response: Any) -> list[str]:
    return [call.operation for call in calls_of(response).calls]


def test_it_takes_two_reads_and_one_where_nothing_is_new() -> None:
    create_published()
    for url in (JSON, CSS):
        first = ask(url)
        assert operations(first) == ["GetItem", "GetItem"]
        again = ask(url, if_none_match=first.headers["ETag"])
        assert (again.status_code, again.content) == (304, b"")
        assert operations(again) == ["GetItem"]
        assert again.headers["Cache-Control"] == "public, max-age=0, must-revalidate, s-maxage=30"
        assert again.headers["Access-Control-Allow-Origin"] == "*"
    assert operations(ask("/api/v1/businesses/nowhere/theme")) == ["GetItem"]
    assert operations(ask("/api/v1/businesses/SYSTEM/theme")) == []


@pytest.mark.parametrize("known", ["W/{}", '"other", {}', "*", 'W/{} , W/"x"'])
def test_every_way_to_say_what_one_has(known: str) -> None:
    create_published()
    etag = ask().headers["ETag"]
    assert ask(if_none_match=known.format(etag)).status_code == 304
    assert ask(if_none_match='"other"').status_code == 200
    assert ask(if_none_match="not an etag").status_code == 200


def test_the_two_addresses_never_share_an_etag() -> None:
    create_published()
    assert ask(JSON).headers["ETag"] != ask(CSS).headers["ETag"]


def test_what_is_packed_on_the_way_keeps_its_etag() -> None:
    create_published()
    packed = ask(accept_encoding="gzip")
    assert packed.headers["Content-Encoding"] == "gzip" and packed.headers["ETag"].startswith("W/")
    assert ask(if_none_match=packed.headers["ETag"], accept_encoding="gzip").status_code == 304
    assert packed.headers["Vary"] == "Accept-Encoding"


def test_publishing_rolling_back_and_withdrawing_are_seen_at_once() -> None:
    first = create_published(primaryColor="#111111")
    one = ask(CSS)
    second = create_published(primaryColor="#222222")
    two = ask(CSS, if_none_match=one.headers["ETag"])
    assert two.status_code == 200 and b"#222222" in two.content
    publish(first)
    three = ask(CSS, if_none_match=two.headers["ETag"])
    assert three.status_code == 200 and b"#111111" in three.content
    assert len({each.headers["ETag"] for each in (one, two, three)}) == 3
    publishing.withdraw(BUSINESS, first.number, command=new_command(OLIVIA))
    assert refused(ask(CSS, if_none_match=three.headers["ETag"])) == (404, "no_theme")
    assert second.number != first.number


def test_another_service_moves_the_marker() -> None:
    create_published(primaryColor="#111111")
    before = ask(CSS)
    put_item(keys.THEME.key(tenant=BUSINESS, version=9), metadata={"primaryColor": "#999999"})
    put_item(keys.PUBLISHED.key(tenant=BUSINESS), version=9, publishedAt="2025-09-21T10:00:00Z")
    after = ask(CSS, if_none_match=before.headers["ETag"])
    assert after.status_code == 200 and b"#999999" in after.content


@pytest.mark.parametrize("url", [JSON, CSS])
def test_any_site_may_ask_and_only_ask(url: str) -> None:
    create_published()
    asked = ask(url, "options", origin="https://shop.example", access_control_request_method="GET")
    assert (asked.status_code, asked.content) == (204, b"")
    assert asked.headers["Access-Control-Allow-Origin"] == "*"
    assert asked.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    answered = ask(url, origin="https://shop.example")
    assert answered.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answered.headers
    assert "Origin" not in answered.headers.get("Vary", ""), "one answer for all sites: a proxy keeps one"
    head = ask(url, "head")
    assert (head.status_code, head.content, head.headers["ETag"]) == (200, b"", answered.headers["ETag"])
    for method in ("post", "put", "delete", "patch"):
        response = Client(enforce_csrf_checks=True).generic(method.upper(), url)
        assert response.status_code == 405 and response.headers["Allow"] == "GET, HEAD, OPTIONS"
        assert response.json()["error"] == "method_not_allowed"


def test_a_cookie_plays_no_role() -> None:
    create_published()
    browser = Client()
    browser.cookies["session"] = "made-up"
    response = browser.get(JSON)
    assert operations(response) == ["GetItem", "GetItem"]
    assert "Set-Cookie" not in str(response.serialize_headers())


@on_dynoxide
def test_a_table_that_does_not_answer_is_told_to_scripts_too(table: str) -> None:
    create_published()
    with bad_network() as network:
        network.add_random_fault(1.0, lose_request)
        assert refused(ask()) == (503, "unavailable")


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_it_costs_the_same_at_ten_and_at_a_thousand_versions(table: str) -> None:
    def cost() -> list[tuple[int, float]]:
        logs = [calls_of(ask(url)) for url in (JSON, CSS)]
        return [(len(log.calls), log.units) for log in logs]

    create_published(primaryColor="#111111")
    put_many_versions(BUSINESS, range(2, 11))
    few = cost()
    put_many_versions(BUSINESS, range(11, 1001))
    assert cost() == few
    assert all(calls == 2 and units > 0 for calls, units in few)
