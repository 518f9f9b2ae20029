"""The editor of a page in a real browser: with and without JavaScript, by keyboard, and the merge of two editors."""

from __future__ import annotations

import pytest
from playwright.sync_api import Dialog, Page, Request, expect

from content.blocks.edits import block_text
from content.blocks.nodes import paragraph, text_node
from content.blocks.plugins import PLUGINS
from content.items import Content
from content.queries.pages import load_page
from tests.browser.axe import complaints
from tests.browser.conftest import Open
from tests.browser.network import slow_down
from tests.browser.rich_text import enter, rewrite, text
from tests.content.blocks.test_rendering import hostile_values
from tests.content.site import BUSINESS, a_page
from tests.content.test_page_editor import BLOCKS, HERO, MAP, url
from tests.ui.world import World


def saved(page: Content) -> list[str | None]:
    """The text of each block, or its type."""
    blocks = load_page(BUSINESS, page.node).blocks or []
    return [block_text(node) if node["type"] in ("paragraph", "heading") else node["type"] for node in blocks]


def save(browser: Page) -> None:
    browser.get_by_role("button", name="Save", exact=True).click()
    expect(browser.locator("[data-toast]").last).to_contain_text("saved as version")


def test_write_and_move_without_javascript(open_as: Open, world: World) -> None:
    page = a_page(blocks=BLOCKS)
    browser = open_as("owner", url(page), java_script_enabled=False)
    browser.locator("#id_k1-text").fill("One **two** three")
    browser.get_by_role("button", name="Move up: 2. Paragraph").click()
    browser.get_by_role("button", name="Add a block below: 1. Paragraph").click()
    browser.locator("#k1").get_by_role("button", name="Quote", exact=True).click()
    browser.locator("textarea").nth(1).fill("> Slowly")
    browser.get_by_role("button", name="Duplicate: 1. Paragraph").click()
    browser.get_by_role("button", name="Remove: 6. mapEmbed").click()
    assert saved(page) == ["About", "One two three", "hero", "mapEmbed", "Seven eight nine"]
    save(browser)
    assert saved(page) == ["One **two** three", "One **two** three", "blockquote", "About", "hero", "Seven eight nine"]


def test_move_and_insert_by_keyboard(open_as: Open, world: World) -> None:
    page = a_page(blocks=BLOCKS)
    browser = open_as("owner", url(page))
    enter(browser, "k1")
    browser.keyboard.press("Alt+ArrowDown")
    expect(browser.locator("#k1 [contenteditable]")).to_be_focused()
    expect(browser.locator("#k1 [data-number]")).to_have_text("3")
    browser.keyboard.press("Control+a")
    browser.keyboard.press("Delete")
    browser.keyboard.type("/call")
    expect(browser.get_by_role("dialog", name="Add a block")).to_be_visible()
    assert complaints(browser) == []
    browser.keyboard.press("Enter")
    expect(browser.get_by_role("button", name="Remove: 4. Call to action")).to_be_visible()
    save(browser)
    assert saved(page) == ["About", "hero", "", "cta", "mapEmbed", "Seven eight nine"]
    assert load_page(BUSINESS, page.node).blocks[1] == HERO


def test_drag_a_block(open_as: Open, world: World) -> None:
    page = a_page(blocks=BLOCKS)
    browser = open_as("owner", url(page))
    browser.locator("#k3 [data-drag-block]").hover()
    browser.mouse.down()
    for target in ("#k2", "#k1", "#k0"):
        box = browser.locator(target).bounding_box()
        assert box is not None
        browser.mouse.move(box["x"] + 20, box["y"] + 4)
    browser.mouse.up()
    expect(browser.locator("[data-block]").first).to_have_id("k3")
    save(browser)
    assert load_page(BUSINESS, page.node).blocks == [MAP, *BLOCKS[:3], BLOCKS[4]]


def test_the_preview_follows_what_is_typed(open_as: Open, world: World) -> None:
    page = a_page(blocks=BLOCKS)
    browser = open_as("owner", url(page))
    browser.set_viewport_size({"width": 1440, "height": 900})
    shown = browser.frame_locator("[data-page-preview] iframe")
    expect(shown.get_by_text("One two three")).to_be_visible()
    rewrite(browser, "k1", "One **four** five")
    expect(shown.locator("strong")).to_have_text("four")
    assert saved(page)[1] == "One two three"


def test_what_is_typed_is_kept_and_colleagues_see_each_other(open_as: Open, world: World) -> None:
    page = a_page(blocks=BLOCKS)
    colleague = open_as("admin", url(page))
    browser = open_as("owner", url(page))
    rewrite(browser, "k1", "Typed")
    expect(browser.get_by_text("Kept for you at")).to_be_visible()
    expect(browser.get_by_text("is editing this page too.")).to_be_visible()
    assert complaints(browser) == []

    again = open_as("owner", url(page))
    expect(text(again, "k1")).to_have_text("One two three")
    again.get_by_role("button", name="Continue").click()
    expect(text(again, "k1")).to_have_text("Typed")
    save(again)
    expect(again.get_by_role("button", name="Continue")).to_have_count(0)
    colleague.reload()
    expect(colleague.get_by_text(f"{world.people['owner'].name} is editing this page too.")).to_be_visible()
    assert saved(page)[1] == "Typed"


def test_one_request_after_the_other_keeps_what_is_typed(open_as: Open, world: World) -> None:
    """What is typed while a request is under way is kept by the next one, which waits for it."""
    page = a_page(blocks=BLOCKS)
    browser = slow_down(open_as("owner", url(page)), latency=4000)
    sent: list[Request] = []
    answered: list[Request] = []
    overlapping: list[Request] = []

    def note(request: Request) -> None:
        if not request.url.endswith("/edit/open/") or "end=1" not in (request.post_data or ""):
            return
        if len(sent) > len(answered):
            overlapping.append(request)
        sent.append(request)

    for name in ("requestfinished", "requestfailed"):
        browser.on(name, lambda request: answered.append(request) if request in sent else None)
    browser.on("request", note)
    rewrite(browser, "k1", "First")
    with browser.expect_request(lambda request: request in sent):
        browser.keyboard.type(" second")
    browser.keyboard.type(" third")
    with browser.expect_request(lambda request: len(sent) == 2 and request in sent, timeout=20_000):
        browser.keyboard.type(" last")
    expect(browser.get_by_text("Kept for you at")).to_be_visible()
    browser.wait_for_timeout(5000)
    assert overlapping == []
    assert len(sent) == 2

    again = open_as("owner", url(page))
    again.get_by_role("button", name="Continue").click()
    expect(text(again, "k1")).to_have_text("First second third last")


def test_two_editors_are_merged_and_a_conflict_asks(open_as: Open, world: World) -> None:
    page = a_page(blocks=BLOCKS)
    mine, theirs = open_as("owner", url(page)), open_as("owner", url(page))
    rewrite(theirs, "k4", "Theirs")
    rewrite(theirs, "k0", "Their title")
    save(theirs)
    rewrite(mine, "k1", "Mine")
    rewrite(mine, "k0", "My title")
    mine.get_by_role("button", name="Save", exact=True).click()
    expect(mine.locator(".block-conflict")).to_have_count(1)
    assert complaints(mine) == []
    mine.get_by_label("Saved version").check()
    save(mine)
    assert saved(page) == ["Their title", "Mine", "hero", "mapEmbed", "Theirs"]


def test_the_editor_and_the_preview_are_accessible_on_a_phone(open_as: Open, world: World) -> None:
    page = a_page(blocks=BLOCKS)
    browser = open_as("owner", url(page))
    browser.set_viewport_size({"width": 390, "height": 800})
    for address in (url(page), url(page, "page_preview")):
        browser.goto(address)
        assert complaints(browser) == []
        assert browser.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize(
    "text", ["javascript:alert(1)", '"><img src=x onerror=alert(1)>', "</textarea><script>alert(1)</script>"]
)
def test_hostile_text_runs_nothing(open_as: Open, world: World, text: str) -> None:
    """In every field of every block: in the editor, in its preview and in the frame alone."""
    blocks = [{"type": name, "attrs": hostile_values(each.fields, text)} for name, each in PLUGINS.items()]
    page = a_page(blocks=[*blocks, paragraph(text, text_node(text, {"type": "link", "attrs": {"href": text}}))])
    browser = open_as("owner", url(page))
    alerts: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        alerts.append(dialog.message)
        dialog.dismiss()

    browser.on("dialog", dismiss)
    for name in ("page_edit", "page_preview", "page_preview_frame"):
        browser.goto(url(page, name))
        browser.wait_for_load_state("networkidle")
        for link in browser.locator("a").all():
            assert "script:" not in (link.get_attribute("href") or "")
    assert alerts == []
