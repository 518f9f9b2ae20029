"""Media and attributes of a site in a browser: upload with a line for each file, add and remove an attribute."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.branding.pictures import png
from tests.browser.axe import complaints_at_both_widths
from tests.browser.conftest import Open
from tests.content.library_items import content_of, library_item_url, library_url, put_outside, stored
from tests.content.site import SITE


def test_pictures_are_uploaded_each_with_its_own_line(open_as: Open) -> None:
    page = open_as("owner", f"{SITE}files/new/")
    assert complaints_at_both_widths(page) == []
    files: list[Any] = [
        {"name": "taza.png", "mimeType": "image/png", "buffer": png(1)},
        {"name": "dibujo.svg", "mimeType": "image/svg+xml", "buffer": b"<svg/>"},
    ]
    page.set_viewport_size({"width": 390, "height": 780})
    page.locator("input[type=file]").set_input_files(files)
    page.locator("form[data-upload] button.primary").click()
    lines = page.locator("li.sent-line")
    expect(lines.nth(0)).to_contain_text("taza.png uploaded.")
    expect(lines.nth(1)).to_contain_text("SVG files are not supported")
    page.goto(page.url.removesuffix("new/"))
    expect(page.locator(".thumbnail img")).to_have_count(1)
    assert page.locator(".thumbnail img").evaluate("image => image.complete && image.naturalWidth > 0")
    assert complaints_at_both_widths(page) == []


def test_an_attribute_is_added_and_removed_on_a_phone(open_as: Open) -> None:
    raw = put_outside("products")
    page = open_as("owner", library_item_url("products"))
    page.set_viewport_size({"width": 390, "height": 780})
    page.get_by_text("Add an attribute").click()
    assert complaints_at_both_widths(page) == []
    page.locator("[name=new-name]").fill("origin")
    page.locator("[name=new-value]").fill("Peru")
    page.get_by_role("button", name="Add attribute").click()
    expect(page.locator("[data-toast]").last).to_contain_text("saved")
    assert content_of(stored("products")) == content_of(raw) | {"origin": {"S": "Peru"}}
    page.get_by_text("Other attributes").click()
    page.get_by_label("Remove origin").check()
    page.get_by_role("button", name="Save", exact=True).first.click()
    expect(page.locator("[name=attribute-origin]")).to_have_count(0)
    assert content_of(stored("products")) == content_of(raw)
    assert library_url("products") in page.url
