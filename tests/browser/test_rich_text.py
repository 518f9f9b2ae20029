"""Writing in place in the editor of a page."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from content.blocks.nodes import bullets, heading, paragraph, text_node
from content.queries.pages import load_page
from tests.browser.axe import complaints
from tests.browser.conftest import Open
from tests.content.site import BUSINESS, a_page
from tests.content.test_page_editor import BLOCKS, MAP, url
from tests.ui.world import World

BOLD = {"type": "bold"}
GLOW = {"type": "glowing", "attrs": {"by": 3}}


def blocks_of(page: Any) -> list[Any]:
    return load_page(BUSINESS, page.node).blocks or []


def save(browser: Page) -> None:
    browser.get_by_role("button", name="Save", exact=True).click()
    expect(browser.locator("[data-toast]").last).to_contain_text("saved as version")


def text(browser: Page, block: str) -> Locator:
    return browser.locator(f"#{block} [data-rich-text]")


def write(browser: Page, block: str, words: str) -> None:
    """Put the caret at the end of a block and type."""
    text(browser, block).click()
    browser.keyboard.press("Control+End")
    browser.keyboard.type(words)


def test_write_with_the_keyboard(open_as: Open, world: World) -> None:
    page = a_page(blocks=BLOCKS)
    browser = open_as("owner", url(page))
    write(browser, "k1", " ")
    browser.keyboard.press("Control+b")
    expect(browser.get_by_role("button", name="Bold")).to_have_attribute("aria-pressed", "true")
    browser.keyboard.type("four")
    browser.keyboard.press("Control+b")
    browser.keyboard.press("Enter")
    browser.keyboard.type("- milk")
    browser.keyboard.press("Enter")
    browser.keyboard.type("bread")
    expect(browser.locator("[data-block]")).to_have_count(6)
    save(browser)
    assert blocks_of(page) == [
        BLOCKS[0],
        paragraph("One two three ", text_node("four", BOLD)),
        bullets("milk", "bread"),
        *BLOCKS[2:],
    ]
