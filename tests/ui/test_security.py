"""Safe by default: headers on every answer, and nothing inline on any page."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dashboard.platform.accounts.permissions import Role
from tests.ui.html import inline, parse
from tests.ui.samples import samples
from tests.ui.walk import new_browser, routes
from tests.ui.world import World

VISITORS = ("anonymous", *Role)


POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "frame-src": "'self'",
    "form-action": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}

# A sample screen runs and sends nothing, and stands in a frame of ours.
SAMPLE = {
    "default-src": "'none'",
    "style-src": "'self'",
    "img-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'self'",
}
POLICIES = {
    "theme_preview": SAMPLE,
    "shared_preview": SAMPLE,
    "shared": SAMPLE | {"frame-src": "'self'", "frame-ancestors": "'none'"},
    "brand_file": {"default-src": "'none'", "sandbox": ""},
}
FOR_EVERY_SITE = {"Cross-Origin-Resource-Policy": "cross-origin"}
WITHOUT_A_TRACE = {"Referrer-Policy": "no-referrer"}
OTHER_HEADERS = {
    "theme_preview": {"X-Frame-Options": "SAMEORIGIN"},
    "shared_preview": {"X-Frame-Options": "SAMEORIGIN"} | WITHOUT_A_TRACE,
    "shared": WITHOUT_A_TRACE,
    "shared_css": WITHOUT_A_TRACE,
    "brand_file": FOR_EVERY_SITE,
    "api_theme": FOR_EVERY_SITE,
    "api_theme_css": FOR_EVERY_SITE,
}
# People's pictures live on other hosts.
POLICIES |= dict.fromkeys(("forum", "post", "comment", "forum_author"), POLICY | {"img-src": "'self' data: https:"})
# What a room shows is looked at with Vimeo's player.
POLICIES |= {"room_content": POLICY | {"frame-src": "'self' https://player.vimeo.com https://vimeo.com/event/"}}
# The same for everyone, and so kept by whoever wants.
KEPT = {"brand_file", "api_theme", "api_theme_css"}


HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex, nofollow",
}


def assert_safe(response: Any) -> None:
    match = response.wsgi_request.resolver_match
    name = match.url_name if match is not None and _differs(response) else ""
    parts = [part.strip().partition(" ") for part in response.headers["Content-Security-Policy"].split(";")]
    assert {directive: sources for directive, _space, sources in parts} == POLICIES.get(name, POLICY)
    wanted = HEADERS | OTHER_HEADERS.get(name, {})
    assert {header: response.headers.get(header) for header in wanted} == wanted
    for feature in ("camera", "microphone", "geolocation", "payment", "usb"):
        assert f"{feature}=()" in response.headers["Permissions-Policy"]
    assert "Server" not in response.headers and "X-Powered-By" not in response.headers


def _differs(response: Any) -> bool:
    """A refusal is a page like any other, unless a program has to read why."""
    return bool(response.status_code == 200 or response.wsgi_request.path.startswith("/api/"))


@pytest.mark.parametrize("visitor", VISITORS)
def test_every_answer_has_the_headers(world: World, visitor: str) -> None:
    browser = world.browser(visitor)
    for route in routes():
        response = browser.get(route.url(world.samples()))
        assert_safe(response)
        if visitor != "anonymous" and route.name not in KEPT:
            assert "no-store" in response.headers["Cache-Control"], route.text
            assert "private" in response.headers["Cache-Control"], route.text


def test_every_answer_to_a_form_has_the_headers(world: World) -> None:
    for route in routes():
        response = world.browser("admin", fresh=True).post(
            route.url(samples() if route.names_an_item else world.samples())
        )
        assert_safe(response)
        if route.name != "join":  # That one signs someone else in.
            assert "no-store" in response.headers["Cache-Control"], route.text


def test_failures_have_the_headers(world: World) -> None:
    for response in (
        new_browser().get("/nowhere/"),
        new_browser().get("/login/", headers={"Host": "evil.example"}),
        new_browser().post("/account/edit/"),
        world.browser("staff").get("/people/"),
        world.browser("admin").post("/people/bulk/"),
    ):
        assert response.status_code >= 400
        assert_safe(response)


def test_pages_with_secrets_are_never_kept(world: World) -> None:
    for url in ("/login/", f"/join/{world.tokens['invited']}/"):
        assert "no-store" in new_browser().get(url).headers["Cache-Control"]


@pytest.mark.parametrize("visitor", VISITORS)
def test_no_page_has_anything_inline_or_from_elsewhere(world: World, visitor: str) -> None:
    for url, page in world.html(visitor).items():
        assert inline(page) == [], url


def test_what_is_inline_would_be_found() -> None:
    for text in (
        "<style>p{}</style>",
        '<p style="color:red">x</p>',
        "<script>1</script>",
        '<script src="/a.js">1</script>',
        '<a onclick="x()">x</a>',
        '<a href="javascript:x()">x</a>',
        '<a href=" JavaScript:x()">x</a>',
        '<script src="//cdn.example/x.js"></script>',
        '<link rel="stylesheet" href="https://cdn.example/x.css">',
        '<iframe src="/x"></iframe>',
        '<iframe src="/b/andina/"></iframe>',
        '<iframe src="/b/andina/" sandbox="allow-same-origin allow-scripts"></iframe>',
        '<iframe src="https://cdn.example/" sandbox="allow-same-origin"></iframe>',
    ):
        assert inline(parse(text)), text


def test_htmx_is_told_not_to_run_anything(world: World) -> None:
    page = parse(world.browser("admin").get("/"))
    config = json.loads(page.one("meta", name="htmx-config").attrs["content"])
    wanted = {"allowEval": False, "allowScriptTags": False, "historyCacheSize": 0, "refreshOnHistoryMiss": True}
    wanted |= {"includeIndicatorStyles": False, "selfRequestsOnly": True}
    assert wanted.items() <= config.items()
