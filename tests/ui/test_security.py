"""Security headers on every response, and no inline scripts or styles on any page."""

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


DEFAULT_POLICY = {
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

# A preview screen runs no scripts, sends no forms, and may be in a frame of ours.
PREVIEW_POLICY = {
    "default-src": "'none'",
    "style-src": "'self'",
    "img-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'self'",
}
POLICIES = {
    "theme_preview": PREVIEW_POLICY,
    "shared_preview": PREVIEW_POLICY,
    # The pictures of a site are on other hosts.
    "page_preview_frame": PREVIEW_POLICY | {"img-src": "'self' https:", "sandbox": "allow-same-origin"},
    "shared": PREVIEW_POLICY | {"frame-src": "'self'", "frame-ancestors": "'none'"},
    "shared_page": PREVIEW_POLICY | {"img-src": "'self' https:", "frame-ancestors": "'none'"},
    "brand_file": {"default-src": "'none'", "sandbox": ""},
    "site_media": {"default-src": "'none'", "sandbox": ""},
}
CROSS_ORIGIN: dict[str, str | None] = {"Cross-Origin-Resource-Policy": "cross-origin"}
NO_REFERRER: dict[str, str | None] = {"Referrer-Policy": "no-referrer"}
OTHER_HEADERS: dict[str, dict[str, str | None]] = {
    "theme_preview": {"X-Frame-Options": "SAMEORIGIN"},
    "shared_preview": NO_REFERRER | {"X-Frame-Options": "SAMEORIGIN"},
    "page_preview_frame": NO_REFERRER | {"X-Frame-Options": "SAMEORIGIN"},
    "shared": NO_REFERRER,
    "shared_page": NO_REFERRER,
    "shared_css": NO_REFERRER,
    "brand_file": CROSS_ORIGIN,
    "site_media": CROSS_ORIGIN,
    "api_theme": CROSS_ORIGIN,
    "api_theme_css": CROSS_ORIGIN,
    "api_openapi": CROSS_ORIGIN,
    **dict.fromkeys(
        (
            "api_site_page",
            "api_site_home",
            "api_site_route",
            "api_site_domain",
            "api_site_domain_home",
            "api_site_domain_route",
        ),
        CROSS_ORIGIN,
    ),
    "widget_loader": CROSS_ORIGIN,
    # The websites of the key are in the policy.
    "widget_preview": {"X-Frame-Options": None},
}
# Vimeo's player shows the content of a room.
POLICIES |= {"room_content": DEFAULT_POLICY | {"frame-src": "'self' https://player.vimeo.com https://vimeo.com/event/"}}
POLICIES |= {"widget_preview": DEFAULT_POLICY | {"frame-ancestors": "'self' https://www.andina.cl"}}
# These are the same for everyone, so any cache may store them.
CACHEABLE = {"brand_file", "site_media", "api_theme", "api_theme_css", "api_openapi"}
CACHEABLE |= {
    "api_site_page",
    "api_site_home",
    "api_site_route",
    "api_site_domain",
    "api_site_domain_home",
    "api_site_domain_route",
}
CACHEABLE |= {"online_colors", "visitor_theme", "widget_loader"}


HEADERS: dict[str, str | None] = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex, nofollow",
}


def assert_security_headers(response: Any) -> None:
    match = response.wsgi_request.resolver_match
    name = match.url_name if match is not None and _has_own_headers(response) else ""
    parts = [part.strip().partition(" ") for part in response.headers["Content-Security-Policy"].split(";")]
    assert {directive: sources for directive, _space, sources in parts} == POLICIES.get(name, DEFAULT_POLICY)
    expected = HEADERS | OTHER_HEADERS.get(name, {})
    assert {header: response.headers.get(header) for header in expected} == expected
    for feature in ("camera", "microphone", "geolocation", "payment", "usb"):
        assert f"{feature}=()" in response.headers["Permissions-Policy"]
    assert "Server" not in response.headers and "X-Powered-By" not in response.headers


def _has_own_headers(response: Any) -> bool:
    """Whether the response has its own headers: error pages have the default ones, except those of the API."""
    return bool(response.status_code == 200 or response.wsgi_request.path.startswith("/api/"))


@pytest.mark.parametrize("visitor", VISITORS)
def test_every_page_has_the_security_headers(world: World, visitor: str) -> None:
    browser = world.browser(visitor)
    for route in routes():
        response = browser.get(route.url(world.samples()))
        assert_security_headers(response)
        if visitor != "anonymous" and route.name not in CACHEABLE:
            assert "no-store" in response.headers["Cache-Control"], route.text
            assert "private" in response.headers["Cache-Control"], route.text


def test_every_response_to_a_form_has_the_security_headers(world: World) -> None:
    for route in routes():
        response = world.browser("admin", fresh=True).post(
            route.url(samples() if route.names_an_item else world.samples())
        )
        assert_security_headers(response)
        if route.name != "join":  # This form signs another person in.
            assert "no-store" in response.headers["Cache-Control"], route.text


def test_error_pages_have_the_security_headers(world: World) -> None:
    for response in (
        new_browser().get("/nowhere/"),
        new_browser().get("/login/", headers={"Host": "evil.example"}),
        new_browser().post("/account/edit/"),
        world.browser("staff").get("/people/"),
        world.browser("admin").post("/people/bulk/"),
    ):
        assert response.status_code >= 400
        assert_security_headers(response)


def test_pages_with_secrets_are_never_cached(world: World) -> None:
    for url in ("/login/", f"/join/{world.tokens['invited']}/"):
        assert "no-store" in new_browser().get(url).headers["Cache-Control"]


@pytest.mark.parametrize("visitor", VISITORS)
def test_no_page_has_inline_code_or_content_of_other_sites(world: World, visitor: str) -> None:
    for url, page in world.html(visitor).items():
        assert inline(page) == [], url


def test_inline_code_and_content_of_other_sites_are_found() -> None:
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


def test_the_configuration_of_htmx_allows_no_scripts(world: World) -> None:
    page = parse(world.browser("admin").get("/"))
    config = json.loads(page.one("meta", name="htmx-config").attrs["content"])
    expected = {"allowEval": False, "allowScriptTags": False, "historyCacheSize": 0, "refreshOnHistoryMiss": True}
    expected |= {"includeIndicatorStyles": False, "selfRequestsOnly": True}
    assert expected.items() <= config.items()
