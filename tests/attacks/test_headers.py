"""What a request says in its headers is in no response that a cache may keep, and an oversized body is one log line."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.test import Client

from dashboard.web.requests import JsonLines
from tests.apikeys.factories import WHOAMI, call_api, create_key
from tests.attacks.forum_pictures import host, marco, posted
from tests.attacks.outside_host import OutsideHost
from tests.branding.publishing_factory import BUSINESS, create_published
from tests.conftest import add_business
from tests.ui.walk import new_browser, routes
from tests.ui.world import World

__all__ = ["host", "marco"]

MARK = "reflected-4711"
# The port of the host is free: Django compares only the name with ALLOWED_HOSTS.
PORT = "testserver:4711"
HEADERS = {
    "Host": PORT,
    "Origin": f"https://{MARK}.example.com",
    "Referer": f"http://testserver/{MARK}",
    "User-Agent": MARK,
    "Accept-Language": f"es-{MARK}",
    "Accept": f"text/{MARK}",
    "X-Request-ID": MARK,
    "X-Forwarded-Host": f"{MARK}.example.com",
    "X-Forwarded-Proto": MARK,
    "X-Forwarded-For": MARK,
    "X-Original-URL": f"/{MARK}",
    "X-Rewrite-URL": f"/{MARK}",
    "Forwarded": f"host={MARK}.example.com",
    "HX-Current-URL": f"http://testserver/{MARK}",
    "If-None-Match": f'"{MARK}"',
    "Cookie": f"{MARK}={MARK}",
}


def may_be_cached(response: Any) -> bool:
    return "no-store" not in response.headers.get("Cache-Control", "")


def content_of(response: Any) -> str:
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return str(response.headers) + body.decode("utf-8", "replace")


def reflects(response: Any) -> bool:
    return any(each in content_of(response) for each in (MARK, "4711"))


def test_no_page_that_a_cache_may_keep_contains_a_request_header(world: World) -> None:
    """Every URL. Pages of a person are kept by no cache at all."""
    browser, values = new_browser(), world.samples("admin")
    responses = {route.name: browser.get(route.url(values), headers=HEADERS) for route in routes()}
    assert [name for name, each in responses.items() if may_be_cached(each) and reflects(each)] == []
    assert {name for name, each in responses.items() if may_be_cached(each)} == {
        *("brand_file", "site_media", "api_theme", "api_theme_css", "api_openapi"),
        *("online_colors", "visitor_theme", "widget_loader"),
        *(
            "api_site_page",
            "api_site_home",
            "api_site_route",
            "api_site_domain",
            "api_site_domain_home",
            "api_site_domain_route",
        ),
    }


@pytest.mark.parametrize("who", ["admin", "owner", "moderator"])
def test_no_page_of_a_person_that_a_cache_may_keep_contains_a_request_header(world: World, who: str) -> None:
    """A browser keeps pages too, and a proxy may ignore who has signed in."""
    browser, values = world.browser(who), world.samples(who)
    browser.cookies[MARK] = MARK
    headers = {name: value for name, value in HEADERS.items() if name != "Cookie"}
    responses = {route.name: browser.get(route.url(values), headers=headers) for route in routes()}
    assert sum(each.status_code == 200 for each in responses.values()) > 20
    assert [name for name, each in responses.items() if may_be_cached(each) and reflects(each)] == []


def test_the_picture_of_a_post_contains_no_request_header(marco: Client, host: OutsideHost) -> None:
    """The browser of the person keeps it for some minutes."""
    headers = {name: value for name, value in HEADERS.items() if name != "Cookie"}
    response = marco.get(posted().show_url, headers=headers)
    assert response.status_code == 200 and may_be_cached(response)
    assert not reflects(response)
    assert MARK not in str(host.headers())


@pytest.mark.parametrize("is_allowed", [False, True])
@pytest.mark.parametrize("method", ["get", "options"])
def test_no_answer_to_an_api_key_that_a_cache_may_keep_contains_a_request_header(
    world: World, is_allowed: bool, method: str
) -> None:
    """The allowed origin is in the answer to that origin, so no cache may give it to another one."""
    _key, secret = create_key(BUSINESS, origins=[HEADERS["Origin"]] if is_allowed else ())
    urls = [route.url(world.samples("admin")) for route in routes() if route.name.startswith("api_")]
    responses = {url: call_api(secret, url, method, headers=HEADERS) for url in [WHOAMI, *urls]}
    if method == "get":
        assert responses[WHOAMI].status_code == (200 if is_allowed else 403)
        assert reflects(responses[WHOAMI]) is is_allowed
    assert [url for url, each in responses.items() if may_be_cached(each) and reflects(each)] == []


def test_the_theme_of_a_business_names_the_site_of_the_settings(table: str) -> None:
    """It is kept by caches, and its sender chooses the port of the host and the protocol."""
    add_business(BUSINESS, "Coca-Cola Andina", "olivia@example.com")
    create_published(name="Winter")
    response = Client().get(f"/api/v1/businesses/{BUSINESS}/theme", headers=HEADERS)
    assert response.status_code == 200 and may_be_cached(response)
    assert not reflects(response)
    assert response.json()["stylesheet"].startswith("http://testserver/api/")


@pytest.mark.parametrize("path", ["/nowhere/", "/people", f"{WHOAMI}/nothing", "/static/nothing.js", "/livez/x"])
def test_redirects_and_errors_are_not_kept_by_caches(world: World, path: str) -> None:
    response = new_browser().get(path, headers=HEADERS)
    assert response.status_code >= 300
    assert not may_be_cached(response)


def test_the_redirect_to_https_is_not_kept_by_caches(settings: Any) -> None:
    """It contains the host and the port of the request."""
    settings.SECURE_SSL_REDIRECT = True
    response = Client().get("/login/", headers={"Host": PORT})
    assert response.status_code == 301 and not may_be_cached(response)


def test_an_unknown_host_is_refused_and_not_kept_by_caches(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    response = Client(raise_request_exception=False).get("/login/", headers={"Host": f"{MARK}.example.com"})
    assert response.status_code == 400 and not may_be_cached(response)


@contextmanager
def log_lines() -> Iterator[list[str]]:
    """What is written to the log in the block, with the settings of production, except calls to the table."""
    lines: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if not record.name.startswith(("trastienda.table", "botocore", "pynamodb")):
                lines.append(JsonLines().format(record))

    collector, root, ours = Collector(), logging.getLogger(), logging.getLogger("trastienda")
    level = ours.level
    root.addHandler(collector)
    ours.setLevel(logging.INFO)
    try:
        yield lines
    finally:
        root.removeHandler(collector)
        ours.setLevel(level)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/people/bulk/", {"name": "x" * 2_000_000}),
        ("/people/bulk/", {f"name-{number}": "x" for number in range(3_000)}),
        ("/people/import/", {"name": "x" * 1_100_000}),
        ("/login/", {"email": "x" * 2_000_000}),
    ],
    ids=["too many bytes", "too many fields", "a long field of an upload", "not signed in"],
)
def test_an_oversized_body_is_one_line_in_the_log(world: World, path: str, body: dict[str, str]) -> None:
    """With the settings of production, and without a traceback."""
    browser = world.browser("admin") if path != "/login/" else new_browser()
    with log_lines() as lines:
        response = browser.post(path, body)
    assert response.status_code == 413
    assert len(lines) == 1 and '"status": 413' in lines[0] and "Traceback" not in lines[0], lines
    assert len(lines[0]) < 500


def test_a_request_for_an_unknown_host_is_one_line_in_the_log(settings: Any) -> None:
    """Whoever sends thousands of them must not fill the log with tracebacks."""
    settings.SECURE_SSL_REDIRECT = True
    with log_lines() as lines:
        response = new_browser().get("/login/", headers={"Host": f"{MARK}.example.com"})
    assert response.status_code == 400
    assert len(lines) == 1 and '"status": 400' in lines[0] and len(lines[0]) < 500, lines
    assert MARK not in lines[0]


def test_a_logger_that_hands_nothing_on_has_a_handler(settings: Any) -> None:
    """Without any handler, Python writes the message and the traceback to standard error."""
    loggers = settings.LOGGING["loggers"].items()
    silent = {name: each for name, each in loggers if not each.get("propagate", True)}
    assert "django.security.TooManyFieldsSent" in silent
    assert [name for name, each in silent.items() if not each["handlers"]] == []
