"""The public API for themes: the live theme, with at most two reads, for any site."""

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


def request_theme(url: str = JSON, method: str = "get", **headers: str) -> Any:
    renamed_headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return getattr(Client(raise_request_exception=False), method)(url, headers=renamed_headers)


def error_of(response: Any) -> tuple[int, str]:
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Cache-Control"] == "no-store, private"
    assert response.json()["detail"].endswith(".")
    return response.status_code, response.json()["code"]


def test_the_live_theme_as_json(table: str) -> None:
    theme = create_published(name="Winter", primaryColor="#123456", cornerRadius="none")
    create_draft(primaryColor="#ff0000")
    response = request_theme()
    assert response.status_code == 200 and response.headers["Content-Type"] == "application/json"
    body = response.json()
    assert (body["businessId"], body["version"], body["name"]) == (BUSINESS, theme.number, "Winter")
    assert body["publishedAt"].endswith("Z")
    assert body["metadata"] == theme.metadata
    assert body["tokens"] == tokens.DEFAULTS | {"primaryColor": "#123456", "cornerRadius": "none"}
    assert body["properties"]["--brand-corner-radius"] == "0px"
    assert body["files"] == {}
    assert body["stylesheet"] == f"http://testserver{CSS}"


def test_the_live_theme_as_a_stylesheet(table: str) -> None:
    create_published(primaryColor="#123456")
    response = request_theme(CSS)
    assert response.headers["Content-Type"] == "text/css; charset=utf-8"
    text = response.content.decode()
    assert text.startswith(":root {\n") and "--brand-primary-color: #123456;" in text
    # A page of another site links to it without CORS; this header allows that.
    assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_unknown_metadata_is_returned_unchanged_and_tokens_are_cleaned() -> None:
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
    body = request_theme().json()
    assert body["metadata"] == metadata
    assert body["tokens"]["primaryColor"] == "#1a2b3c"
    assert body["tokens"]["typography"] == tokens.DEFAULTS["typography"]
    assert body["publishedAt"] is None and body["name"] is None
    assert body["files"] == {"logo": {"id": "logo-1", "url": "http://testserver/files/logo-1/"}}
    assert "url(" not in request_theme(CSS).content.decode()


def test_sets_and_bytes_in_the_metadata_become_json() -> None:
    put_item(keys.THEME.key(tenant=BUSINESS, version=1), metadata={"tags": {"b", "a"}, "raw": b"\x00\xff"})
    put_item(keys.PUBLISHED.key(tenant=BUSINESS), version=1)
    response = request_theme()
    assert response.status_code == 200
    assert response.json()["metadata"] == {"tags": ["a", "b"], "raw": "AP8="}


@pytest.mark.parametrize("url", [JSON, CSS])
def test_no_live_theme_is_404(url: str) -> None:
    create_draft()
    assert error_of(request_theme(url)) == (404, "no_theme")


@pytest.mark.parametrize("business", ["nowhere", "SYSTEM", "USER", "BUS", "x" * 63, "a.b-c_d"])
def test_an_unknown_business_gives_the_same_error_as_no_theme(business: str) -> None:
    for url in (JSON, CSS):
        answer = request_theme(url.replace(BUSINESS, business))
        assert error_of(answer) == (404, "no_theme")
        assert answer.json()["detail"] == request_theme(url).json()["detail"]


def test_a_marker_of_a_missing_theme_is_404_with_the_version() -> None:
    put_item(keys.PUBLISHED.key(tenant=BUSINESS), version=7)
    for url in (JSON, CSS):
        assert error_of(request_theme(url)) == (404, "theme_missing")
    assert "Version 7" in request_theme().json()["detail"]


@pytest.mark.parametrize("version", ["seven", -1, 1.5, 10**30, None, True, [1], {"a": 1}, ""])
def test_a_marker_with_an_invalid_version_counts_as_no_theme(version: Any) -> None:
    put_item(
        keys.PUBLISHED.key(tenant=BUSINESS), **({} if version is None else {"version": version}), publishedAt="soon"
    )
    for url in (JSON, CSS):
        assert error_of(request_theme(url)) == (404, "no_theme")


def operations_of(response: Any) -> list[str]:
    return [call.operation for call in calls_of(response).calls]


def test_a_request_takes_two_reads_and_one_if_the_etag_matches() -> None:
    create_published()
    for url in (JSON, CSS):
        first = request_theme(url)
        assert operations_of(first) == ["GetItem", "GetItem"]
        again = request_theme(url, if_none_match=first.headers["ETag"])
        assert (again.status_code, again.content) == (304, b"")
        assert operations_of(again) == ["GetItem"]
        assert again.headers["Cache-Control"] == "public, max-age=0, must-revalidate, s-maxage=30"
        assert again.headers["Access-Control-Allow-Origin"] == "*"
    assert operations_of(request_theme("/api/v1/businesses/nowhere/theme")) == ["GetItem"]
    assert operations_of(request_theme("/api/v1/businesses/SYSTEM/theme")) == []


@pytest.mark.parametrize("known", ["W/{}", '"other", {}', "*", 'W/{} , W/"x"'])
def test_every_form_of_if_none_match_is_understood(known: str) -> None:
    create_published()
    etag = request_theme().headers["ETag"]
    assert request_theme(if_none_match=known.format(etag)).status_code == 304
    assert request_theme(if_none_match='"other"').status_code == 200
    assert request_theme(if_none_match="not an etag").status_code == 200


def test_json_and_css_have_different_etags() -> None:
    create_published()
    assert request_theme(JSON).headers["ETag"] != request_theme(CSS).headers["ETag"]


def test_a_compressed_response_keeps_its_etag() -> None:
    create_published()
    packed = request_theme(accept_encoding="gzip")
    assert packed.headers["Content-Encoding"] == "gzip" and packed.headers["ETag"].startswith("W/")
    assert request_theme(if_none_match=packed.headers["ETag"], accept_encoding="gzip").status_code == 304
    assert packed.headers["Vary"] == "Accept-Encoding"


def test_publish_rollback_and_withdraw_take_effect_immediately() -> None:
    first = create_published(primaryColor="#111111")
    one = request_theme(CSS)
    second = create_published(primaryColor="#222222")
    two = request_theme(CSS, if_none_match=one.headers["ETag"])
    assert two.status_code == 200 and b"#222222" in two.content
    publish(first)
    three = request_theme(CSS, if_none_match=two.headers["ETag"])
    assert three.status_code == 200 and b"#111111" in three.content
    assert len({each.headers["ETag"] for each in (one, two, three)}) == 3
    publishing.withdraw(BUSINESS, first.number, command=new_command(OLIVIA))
    assert error_of(request_theme(CSS, if_none_match=three.headers["ETag"])) == (404, "no_theme")
    assert second.number != first.number


def test_a_marker_moved_by_an_outside_writer_takes_effect() -> None:
    create_published(primaryColor="#111111")
    before = request_theme(CSS)
    put_item(keys.THEME.key(tenant=BUSINESS, version=9), metadata={"primaryColor": "#999999"})
    put_item(keys.PUBLISHED.key(tenant=BUSINESS), version=9, publishedAt="2025-09-21T10:00:00Z")
    after = request_theme(CSS, if_none_match=before.headers["ETag"])
    assert after.status_code == 200 and b"#999999" in after.content


@pytest.mark.parametrize("url", [JSON, CSS])
def test_any_site_may_read_and_no_method_writes(url: str) -> None:
    create_published()
    preflight = request_theme(url, "options", origin="https://shop.example", access_control_request_method="GET")
    assert (preflight.status_code, preflight.content) == (204, b"")
    assert preflight.headers["Access-Control-Allow-Origin"] == "*"
    assert preflight.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    response_to_get = request_theme(url, origin="https://shop.example")
    assert response_to_get.headers["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response_to_get.headers
    assert "Origin" not in response_to_get.headers.get("Vary", ""), (
        "the response is the same for all sites, so a proxy stores only one"
    )
    head = request_theme(url, "head")
    assert (head.status_code, head.content, head.headers["ETag"]) == (200, b"", response_to_get.headers["ETag"])
    for method in ("post", "put", "delete", "patch"):
        response = Client(enforce_csrf_checks=True).generic(method.upper(), url)
        assert response.status_code == 405 and response.headers["Allow"] == "GET, HEAD, OPTIONS"
        assert response.json()["code"] == "method_not_allowed"


def test_cookies_are_ignored() -> None:
    create_published()
    browser = Client()
    browser.cookies["session"] = "made-up"
    response = browser.get(JSON)
    assert operations_of(response) == ["GetItem", "GetItem"]
    assert "Set-Cookie" not in str(response.serialize_headers())


@on_dynoxide
def test_an_unreachable_table_is_503_as_json(table: str) -> None:
    create_published()
    with bad_network() as network:
        network.add_random_fault(1.0, lose_request)
        assert error_of(request_theme()) == (503, "unavailable")


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_reads_cost_the_same_with_10_and_with_1000_versions(table: str) -> None:
    def cost() -> list[tuple[int, float]]:
        logs = [calls_of(request_theme(url)) for url in (JSON, CSS)]
        return [(len(log.calls), log.units) for log in logs]

    create_published(primaryColor="#111111")
    put_many_versions(BUSINESS, range(2, 11))
    few = cost()
    put_many_versions(BUSINESS, range(11, 1001))
    assert cost() == few
    assert all(calls == 2 and units > 0 for calls, units in few)
