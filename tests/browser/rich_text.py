"""Writing in the rich text editor of a page."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def text(browser: Page, block: str) -> Locator:
    return browser.locator(f"#{block} [data-rich-text]")


def enter(browser: Page, block: str) -> None:
    text(browser, block).click()
    expect(browser.locator(f"#{block} [contenteditable]")).to_be_focused()
    # For 200 ms after the focus, ProseMirror takes a caret at the start for a mistake of the browser.
    browser.wait_for_timeout(250)


def write(browser: Page, block: str, words: str) -> None:
    """Type at the end of a block."""
    enter(browser, block)
    browser.keyboard.press("Control+End")
    browser.keyboard.type(words)


def rewrite(browser: Page, block: str, words: str) -> None:
    enter(browser, block)
    browser.keyboard.press("Control+a")
    browser.keyboard.press("Delete")
    browser.keyboard.type(words)
