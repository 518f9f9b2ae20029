"""The pages about items of other services in a real browser: on a phone, dark, in Spanish, by keyboard."""

from __future__ import annotations

import io
import re
from pathlib import Path
from urllib.parse import urlencode

from django.conf import settings
from django.core.management import call_command
from playwright.sync_api import expect

from dashboard.platform.adoption.queries import find_unknown_business
from dashboard.platform.businesses.queries import find_business
from tests.adoption.outside import make_unknown_business, outside_id, put_owner
from tests.browser.axe import SIZES, complaints, complaints_at_both_widths, too_wide
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


def test_a_finding_leads_to_its_items_by_keyboard(open_as: Open, tmp_path: Path) -> None:
    outside.put_all()
    call_command("reindex", table=settings.DYNAMODB_TABLE, checkpoint=tmp_path / "c", stdout=io.StringIO())
    page = open_as("admin", "/")
    page.keyboard.press("g")
    page.keyboard.press("x")
    expect(page.get_by_role("heading", level=1)).to_have_text("Table")
    assert complaints_at_both_widths(page) == []
    finding = page.locator(".finding", has_text="BUS#andina / THEME#first")
    finding.locator("summary").focus()
    page.keyboard.press("Enter")
    finding.get_by_role("link", name="BUS#andina / THEME#first").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Item:")
    expect(page.get_by_label("Sort key")).to_have_value("THEME#first")
    # The neighbours in the partition are links to the same page.
    page.get_by_role("link", name="THEME#00000003").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Sort key")).to_have_value("THEME#00000003")
    assert complaints(page) == []


def test_a_business_is_adopted_and_given_back_on_a_phone(open_as: Open) -> None:
    found = make_unknown_business(outside_id("Una"), name="Una sola")
    page = open_as("admin", "/table/found/", viewport=SIZES["phone"], has_touch=True)
    assert too_wide(page) + complaints(page) == []
    page.get_by_role("button", name=f"Adopt {found.title}", exact=True).tap()
    expect(page.locator("[data-toast]")).to_contain_text("adopted. Add its owners.")
    expect(page.get_by_role("heading", level=1)).to_contain_text(found.title)
    business = find_business(found.id)
    assert business is not None and find_unknown_business(found.id) is None
    assert too_wide(page) + complaints(page) == []
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("[data-toast]").last).to_contain_text("is not a business any more. Its items were kept.")
    assert find_business(found.id) is None and find_unknown_business(found.id) is not None
    page.goto("/table/found/")
    expect(page.get_by_role("button", name=f"Adopt {found.title}", exact=True)).to_be_visible()


def test_all_businesses_are_adopted_and_given_back_on_a_phone(open_as: Open) -> None:
    found = [make_unknown_business(), make_unknown_business(outside_id("Otra"), name="Otra")]
    page = open_as("admin", "/table/found/", viewport=SIZES["phone"], has_touch=True)
    page.get_by_role("button", name="Adopt all…").tap()
    adopt = page.get_by_role("button", name=re.compile("^Adopt [0-9]+ businesses$"))
    expect(adopt).to_be_visible()
    assert [find_business(each.id) for each in found] == [None, None], "the preview changes nothing"
    assert too_wide(page) + complaints(page) == []
    adopt.tap()
    undo_all = page.get_by_role("button", name="Undo all")
    expect(undo_all).to_be_visible()
    assert all(find_business(each.id) is not None for each in found)
    assert too_wide(page) + complaints(page) == []
    undo_all.tap()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Undo the adoption")
    expect(page.locator("#operation-status")).to_contain_text("Finished")
    assert [find_business(each.id) for each in found] == [None, None]
