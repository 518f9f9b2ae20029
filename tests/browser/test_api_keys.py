"""API keys in a real browser: create, copy, use, revoke, undo."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboard.platform.apikeys import queries
from tests.apikeys.factories import create_key
from tests.browser.conftest import Open
from tests.ui.samples import BUSINESS

KEYS = f"/b/{BUSINESS}/keys/"
LONG_NAME = "Maximiliana Bartolomea de los Ángeles Fernández-Villaseñor y Etxeberria-Goikoetxea de la Santísima"
PUBLIC = re.compile("^Public")
WHOAMI = """async ([url, key]) => {
    const answer = await fetch(url, {headers: {Authorization: `Bearer ${key}`}, credentials: "omit"});
    return [answer.status, await answer.json()];
}"""


def whoami(page: Page, secret: str) -> tuple[int, dict[str, Any]]:
    """Calls the API from a script of the same site, without cookies."""
    status, body = page.evaluate(WHOAMI, ["/api/v1/whoami", secret])
    return status, body


@pytest.mark.parametrize("scripts", [True, False])
def test_create_use_revoke_and_undo(open_as: Open, scripts: bool) -> None:
    page = open_as("owner", KEYS, java_script_enabled=scripts)
    api_page = open_as(None, "/login/")
    page.get_by_role("link", name="Create a key").click()
    page.get_by_label("Name").fill("Widget")
    page.get_by_role("radio", name=PUBLIC).check()
    page.get_by_label("Allowed origins").fill("http://www.example.com")
    page.get_by_role("button", name="Create key").click()
    expect(page.locator(".error")).to_contain_text("use https://")
    expect(page.get_by_label("Name")).to_have_value("Widget")
    page.get_by_label("Allowed origins").fill("https://www.example.com")
    page.get_by_role("button", name="Create key").click()
    secret = page.get_by_label("API key").input_value()
    expect(page.get_by_label("Try it")).to_have_value(re.compile(f'^curl -H "Authorization: Bearer {secret}" http'))
    status, body = whoami(api_page, secret)
    assert (status, body["key"]["name"], body["business"]["id"]) == (200, "Widget", BUSINESS)

    page.get_by_role("link", name="Done").click()
    page.get_by_role("button", name="Revoke").click()
    expect(page.locator("[data-toast]")).to_contain_text("Key Widget revoked.")
    expect(page.locator(".details")).to_contain_text("Revoked")
    assert whoami(api_page, secret)[0] == 401
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-toast]")).to_contain_text("Key Widget restored.")
    assert whoami(api_page, secret)[0] == 200


def test_the_key_can_be_copied(open_as: Open) -> None:
    page = open_as("owner", f"{KEYS}new/", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_label("Name").fill("Copied")
    page.keyboard.press("Enter")
    secret = page.get_by_label("API key").input_value()
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="Copied").first).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == secret


def test_another_site_cannot_read_a_response(open_as: Open, site: str) -> None:
    """The same server under another host name is another site. Only an allowed origin can read the response."""
    other = site.replace("127.0.0.1", "localhost")
    _, mine = create_key(BUSINESS, "Mine", [other])
    _, theirs = create_key(BUSINESS, "Theirs", ["https://www.example.com"])
    page = open_as(None, f"{other}/login/", bypass_csp=True)  # A shop has its own policy.
    ask = """async ([url, key]) => {
        try { return (await fetch(url, {headers: {Authorization: `Bearer ${key}`}})).status; }
        catch { return "unreadable"; }
    }"""
    assert page.evaluate(ask, [f"{site}/api/v1/whoami", mine]) == 200
    assert page.evaluate(ask, [f"{site}/api/v1/whoami", theirs]) == "unreadable"


@pytest.mark.parametrize("width", [360, 390, 1280])
def test_long_names_and_origins_do_not_widen_the_page(open_as: Open, width: int) -> None:
    long_origin = f"https://{'a-very-long-name-of-a-site-that-goes-on.' * 4}example.com:8443"
    key, _ = create_key(
        BUSINESS, LONG_NAME, [long_origin, *(f"https://s{number}.example.com" for number in range(19))], 10_000
    )
    page = open_as("owner", KEYS, viewport={"width": width, "height": 800})
    for path in (KEYS, f"{KEYS}{key.id}/", f"{KEYS}new/"):
        page.goto(path)
        overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert overflow <= 0, f"{path} is {overflow} px too wide at {width}"


def test_origins_are_normalised_as_the_browser_does(open_as: Open) -> None:
    page = open_as("owner", f"{KEYS}new/")
    origins = [
        "HTTPS://Cañón.CL:443/",
        "https://www.example.com:8443",
        "http://localhost:80",
        "https://münchen.example",
    ]
    page.get_by_label("Name").fill("Written")
    page.get_by_role("radio", name=PUBLIC).check()
    page.get_by_label("Allowed origins").fill("\n".join(origins))
    page.get_by_role("button", name="Create key").click()
    page.get_by_label("API key").wait_for()
    (key,) = [each for each in queries.keys_of(BUSINESS).items if each.name == "Written"]
    assert key.allowed_origins == page.evaluate("(all) => all.map((each) => new URL(each).origin)", origins)
