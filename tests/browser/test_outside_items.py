"""The pages about items of other services in a real browser: on a phone, dark, in Spanish, by keyboard."""

from __future__ import annotations

from urllib.parse import urlencode

from playwright.sync_api import expect

from tests.adoption.outside import make_unknown_business, put_owner
from tests.browser.axe import SIZES, complaints, too_wide
from tests.browser.conftest import Open
from tests.table_health import outside_items as outside

ITEM = "/table/item/?" + urlencode({"pk": "TENANT#andina", "sk": "SERVICE#corte"})


def page_of(business: str) -> str:
    return f"/table/found/id/{business}/"


def test_every_page_is_accessible_on_a_phone_in_the_dark_and_in_spanish(open_as: Open) -> None:
    outside.put_all()
    found = make_unknown_business()
    put_owner(found.id)
    pages = ("/table/", ITEM, "/table/item/", "/table/found/", "/table/found/?show=owners", page_of(found.id))
    looks = [("light", "en-GB"), ("dark", "es-CO")]
    problems = []
    for scheme, locale in looks:
        page = open_as("admin", "/", viewport=SIZES["phone"], color_scheme=scheme, locale=locale)
        for path in pages:
            page.goto(path)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            problems += too_wide(page) + complaints(page)
    assert problems == []


def test_an_item_is_found_and_a_business_adopted_by_keyboard(open_as: Open) -> None:
    outside.put_all()
    found = make_unknown_business()
    page = open_as("admin", "/table/item/")
    page.get_by_label("Partition key").fill("TENANT#andina")
    page.get_by_label("Sort key").fill("SERVICE#corte")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Item: services")
    page.goto("/table/found/")
    page.get_by_role("button", name=f"Adopt {found.title}").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]")).to_be_visible()
