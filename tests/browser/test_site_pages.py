"""The main flow of a site in a browser: a page from a template to its renamed public address, and two editors."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from content.blocks.edits import block_text
from content.blocks.nodes import heading, paragraph
from content.queries.pages import load_page
from content.statuses import PageStatus
from tests.browser.axe import SIZES, complaints, complaints_at_both_widths, too_wide
from tests.browser.conftest import Open
from tests.browser.rich_text import rewrite, text
from tests.content.site import BUSINESS, SITE, a_page, page_url, publish, save_page
from tests.content.test_page_editor import url
from tests.ui.world import World

API = f"/api/v1/businesses/{BUSINESS}/routes"
DRAFT_COLOUR = "#aa3300"


def press(browser: Page, name: str, toast: str) -> None:
    browser.get_by_role("button", name=name, exact=True).click()
    expect(browser.locator("[data-toast]").last).to_contain_text(toast)


def served(browser: Page, address: str) -> dict[str, Any]:
    """What visitors get at this address."""
    answer = browser.request.get(f"{API}{address}")
    body: dict[str, Any] = answer.json() | {"status": answer.status}
    return body


@pytest.mark.parametrize(("size", "is_scripted"), [("wide", True), ("phone", True), ("wide", False), ("phone", False)])
def test_from_a_template_to_a_renamed_address(open_as: Open, world: World, size: str, is_scripted: bool) -> None:
    browser = open_as("owner", SITE, java_script_enabled=is_scripted, viewport=SIZES[size])
    browser.get_by_role("link", name="New page").click()
    browser.get_by_label("Title").fill("How we dye wool")
    browser.get_by_role("radio", name="About").check()
    press(browser, "Add page", "How we dye wool added as a draft.")

    browser.get_by_role("link", name="Edit content").click()
    rewrite(browser, "k1", "Only with **plants** of the valley.")
    press(browser, "Save", "saved as version 2")
    assert served(browser, "/how-we-dye-wool")["code"] == "no_page"

    browser.get_by_role("link", name="Preview").click()
    browser.get_by_label("Theme").select_option(label=f"v{world.versions['draft']} Autumn")
    browser.get_by_role("button", name="Show", exact=True).click()
    browser.wait_for_url("**theme=*")
    shown = browser.frame_locator(".page-preview-frame iframe")
    expect(shown.locator("strong", has_text="plants")).to_be_visible()
    colour = "each => getComputedStyle(each).getPropertyValue('--brand-primary-color')"
    assert shown.locator("html").evaluate(colour).strip() == DRAFT_COLOUR
    assert too_wide(browser) == []

    browser.get_by_role("link", name="How we dye wool").click()
    press(browser, "Publish", "How we dye wool is published.")
    body = served(browser, "/how-we-dye-wool")
    assert (body["status"], body["redirectTo"], body["page"]["title"]) == (200, None, "How we dye wool")
    assert block_text(body["page"]["blocks"][1]) == "Only with **plants** of the valley."

    browser.get_by_label("Address", exact=True).fill("/plant-dyes")
    press(browser, "Save", "How we dye wool saved as v4.")
    assert served(browser, "/plant-dyes")["page"]["title"] == "How we dye wool"
    former = served(browser, "/how-we-dye-wool")
    assert (former["redirectTo"], former["page"]) == ("/plant-dyes", None)

    # The list of the addresses of the page leads to the lookup.
    browser.get_by_role("link", name="/how-we-dye-wool", exact=True).click()
    expect(browser.locator("#destination")).to_contain_text(re.compile(r"/how-we-dye-wool\s+→\s+/plant-dyes"))
    assert too_wide(browser) == []
    browser.get_by_label("Where does this address lead?").fill("https://www.andina.example/How-we-dye-wool/")
    browser.get_by_role("button", name="Find out").click()
    browser.locator("#destination").get_by_role("link", name="How we dye wool").click()
    expect(browser.get_by_label("Address", exact=True)).to_have_value("/plant-dyes")


@pytest.mark.parametrize("is_scripted", [True, False])
def test_changes_of_two_people_to_different_blocks_are_both_kept(
    open_as: Open, world: World, is_scripted: bool
) -> None:
    page = a_page(blocks=[heading(1, "About"), paragraph("One"), paragraph("Two")])
    first = open_as("owner", url(page), java_script_enabled=is_scripted)
    second = open_as("admin", url(page), java_script_enabled=is_scripted)
    rewrite(first, "k1", "One, by the first person")
    rewrite(second, "k2", "Two, by the second person")
    press(first, "Save", "saved as version 2")
    press(second, "Save", "saved as version 3")
    saved = [block_text(each) for each in load_page(BUSINESS, page.node).blocks or []]
    assert saved == ["About", "One, by the first person", "Two, by the second person"]
    expect(text(second, "k1")).to_have_text("One, by the first person")


def test_the_pages_of_a_site_are_accessible(open_as: Open, world: World) -> None:
    page = save_page(publish(a_page("About our very long history of rugs", slug="/about")), slug="/history")
    assert page.state == PageStatus.PUBLISHED
    browser = open_as("owner", SITE)
    for address in (SITE, page_url(page), f"{SITE}routes/?lookup=/about", f"{SITE}pages/new/"):
        browser.goto(address)
        assert complaints_at_both_widths(browser) == []
    # The width of the preview is tested with the editor.
    browser.goto(url(page))
    assert complaints(browser) == []
