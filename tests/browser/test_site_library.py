"""The library of a site in a browser: a signal answered and dismissed by keyboard, and an edit of any attribute."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from content.library.kinds import LIBRARY
from tests.browser.axe import complaints_at_both_widths
from tests.browser.conftest import Open
from tests.content.library_items import ID, content_of, library_item_url, library_url, put_outside, stored


def test_a_signal_is_answered_and_dismissed_by_keyboard(open_as: Open) -> None:
    put_outside("signals")
    page = open_as("owner", library_item_url("signals"))
    assert complaints_at_both_widths(page) == []
    page.get_by_label("Reply").fill("Hi! We do that.\nSee you.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-toast]").last).to_contain_text("saved")
    expect(page.get_by_label("Status")).to_have_value("Drafted")
    assert content_of(stored("signals"))["draftReply"] == {"S": "Hi! We do that.\nSee you."}
    page.locator("h1").click()
    page.keyboard.press("d")
    expect(page.locator("[data-toast]").last).to_contain_text("was dismissed")
    page.keyboard.press("z")
    expect(page.locator("[data-toast]").last).to_contain_text("was undone")
    expect(page.get_by_label("Status")).to_have_value("Drafted")
    page.keyboard.press("r")
    expect(page.locator("[data-toast]").last).to_contain_text("marked as replied")
    assert content_of(stored("signals"))["status"] == {"S": "Replied"}


def test_a_text_with_unusual_lines_survives_a_save_in_a_browser(open_as: Open) -> None:
    """A browser normalizes line ends and drops the first empty line of a text area."""
    unusual: dict[str, Any] = {"first": "\n\nbelow", "windows": "a\r\nb\r\n", "spaces": "  a\t\n b  "}
    unusual["map"] = {"b": [1.5, None], "a": "x"}
    raw = put_outside("products", description="\nbelow\r\n", **unusual)
    page = open_as("owner", library_item_url("products"))
    page.get_by_text("Other attributes").click()
    assert complaints_at_both_widths(page) == []
    page.get_by_label("Name", exact=False).first.fill("Oak rug")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-toast]").last).to_contain_text("Oak rug")
    assert content_of(stored("products")) == content_of(raw) | {"title": {"S": "Oak rug"}}


def test_the_lists_are_usable_on_a_phone(open_as: Open) -> None:
    for kind in LIBRARY:
        put_outside(kind)
    page = open_as("owner", library_url("products"))
    for kind in LIBRARY:
        page.goto(page.url.rpartition("/site/")[0] + f"/site/{kind}/")
        assert complaints_at_both_widths(page) == []
    page.set_viewport_size({"width": 390, "height": 780})
    page.locator("a.row-link").first.click()
    expect(page).to_have_url(re.compile(f"/{ID}/$"))
