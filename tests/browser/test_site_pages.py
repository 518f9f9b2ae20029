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


def type_text(browser: Page, block: str, words: str, is_scripted: bool) -> None:
    if is_scripted:
        rewrite(browser, block, words)
    else:
        browser.locator(f"#id_{block}-text").fill(words)


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
    type_text(browser, "k1", "Only with **plants** of the valley.", is_scripted)
    press(browser, "Save", "saved as version 2")
    assert served(browser, "/how-we-dye-wool")["code"] == "no_page"

    browser.get_by_role("link", name="Preview").click()
    browser.locator("select[name=theme]").select_option(label=f"v{world.versions['draft']} Autumn")
    browser.get_by_role("button", name="Show", exact=True).click()
    browser.wait_for_url("**theme=*")
    shown = browser.frame_locator("[data-page-preview] iframe")
    expect(shown.locator("strong", has_text="plants")).to_be_visible()
    colour = "each => getComputedStyle(each).getPropertyValue('--brand-primary-color')"
    assert shown.locator("html").evaluate(colour).strip() == DRAFT_COLOUR
    assert too_wide(browser) == []

    browser.get_by_role("link", name="Publish page and theme").click()
    assert too_wide(browser) == []
    browser.get_by_role("button", name=re.compile("^Publish (page and theme|anyway)$")).click()
    expect(browser.get_by_role("main")).to_contain_text("The page “How we dye wool” is published")
    assert too_wide(browser) == []
    live = browser.request.get(f"/api/v1/businesses/{BUSINESS}/theme").json()
    assert live["version"] == world.versions["draft"]
    browser.get_by_role("link", name="Back to the page").click()
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
    type_text(first, "k1", "One, by the first person", is_scripted)
    type_text(second, "k2", "Two, by the second person", is_scripted)
    press(first, "Save", "saved as version 2")
    press(second, "Save", "saved as version 3")
    saved = [block_text(each) for each in load_page(BUSINESS, page.node).blocks or []]
    assert saved == ["About", "One, by the first person", "Two, by the second person"]
    if is_scripted:
        expect(text(second, "k1")).to_have_text("One, by the first person")
    else:
        expect(second.locator("#id_k1-text")).to_have_value("One, by the first person")


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


@pytest.mark.parametrize("is_scripted", [True, False])
def test_a_page_beside_the_live_page(open_as: Open, world: World, is_scripted: bool) -> None:
    page = publish(a_page(blocks=[paragraph("One")]))
    address = url(page, "page_preview")
    browser = open_as("owner", address, java_script_enabled=is_scripted, viewport=SIZES["wide"])
    live, edited = (browser.locator(f"[data-pane={name}]") for name in ("live", "edited"))
    expect(live).to_be_hidden()
    browser.get_by_label("Side by side").check()
    expect(live).to_be_visible()
    expect(browser.frame_locator("[data-pane=live] iframe").locator("p", has_text="One")).to_be_visible()
    boxes = [each.bounding_box() for each in (live, edited)]
    assert boxes[0] and boxes[1] and boxes[0]["width"] == boxes[1]["width"] and boxes[0]["y"] == boxes[1]["y"]
    # On a phone it is one or the other.
    phone = open_as("owner", address, java_script_enabled=is_scripted, viewport=SIZES["phone"])
    expect(phone.get_by_label("Side by side")).to_be_hidden()
    phone.get_by_label("Live page").check()
    expect(phone.locator("[data-pane=live]")).to_be_visible()
    expect(phone.locator("[data-pane=edited]")).to_be_hidden()
    assert too_wide(phone) == []


def test_the_edited_page_follows_what_is_typed_and_the_live_page_does_not(open_as: Open, world: World) -> None:
    page = publish(a_page(blocks=[paragraph("One"), *(paragraph(f"Line {n}") for n in range(80))]))
    browser = open_as("owner", url(page), viewport={"width": 1400, "height": 900})
    browser.get_by_label("Side by side").check()
    live, edited = (browser.frame_locator(f"[data-pane={name}] iframe") for name in ("live", "edited"))
    expect(live.locator("p", has_text="One")).to_be_visible()
    rewrite(browser, "k0", "Typed")
    expect(edited.locator("p", has_text="Typed")).to_be_visible()
    expect(live.locator("p", has_text="One")).to_be_visible()
    expect(live.locator("p", has_text="Typed")).to_have_count(0)
    # The frames scroll together.
    edited.locator("#block-80").scroll_into_view_if_needed()
    expect(live.locator("#block-80")).to_be_in_viewport()
    assert complaints(browser) == []


@pytest.mark.parametrize("is_scripted", [True, False])
def test_a_shared_link_is_revoked_and_works_again_after_undo(open_as: Open, world: World, is_scripted: bool) -> None:
    page = a_page("Coming soon", blocks=[paragraph("One")])
    browser = open_as("owner", f"{page_url(page)}share/", java_script_enabled=is_scripted, viewport=SIZES["phone"])
    browser.get_by_label("Note").fill("For Ana")
    browser.get_by_role("button", name="Create link").click()
    link = browser.locator("#shared-link").input_value()
    visitor = open_as(None, link, java_script_enabled=False)
    expect(visitor.get_by_text("One", exact=True)).to_be_visible()
    assert too_wide(browser) == []
    press(browser, "Revoke the link: For Ana", "Link revoked.")
    reloaded = visitor.reload()
    assert reloaded is not None and reloaded.status == 404
    press(browser, "Undo", "The link works again.")
    reloaded = visitor.reload()
    assert reloaded is not None and reloaded.status == 200


def test_publishing_and_sharing_are_accessible(open_as: Open, world: World) -> None:
    hero = {"type": "hero", "attrs": {"headline": "Slow rugs", "headlineColorToken": "white"}}
    page = a_page("About", blocks=[paragraph("One"), hero])
    draft = world.versions["draft"]
    browser = open_as("owner", SITE)
    for address in (f"{page_url(page)}publish/{draft}/", f"{page_url(page)}share/"):
        browser.goto(address)
        assert complaints_at_both_widths(browser) == []
    browser.goto(f"{url(page, 'page_preview')}?theme={draft}")
    assert complaints(browser) == []
    # A finding leads to its block in the editor.
    browser.get_by_role("link", name="Block 2").click()
    expect(browser.locator("#k1")).to_be_in_viewport()
