"""Writing in place in the editor of a page."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from content.blocks.nodes import bullets, heading, paragraph, text_node
from content.queries.pages import load_page
from tests.branding.pictures import png
from tests.browser.axe import complaints
from tests.browser.conftest import Open
from tests.browser.rich_text import enter, text, write
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


def test_opening_and_leaving_a_text_changes_nothing(open_as: Open, world: World) -> None:
    page = a_page(blocks=BLOCKS)
    browser = open_as("owner", url(page))
    for block in ("k0", "k1", "k4"):
        enter(browser, block)
        expect(browser.locator(f"#{block} [contenteditable]")).to_be_focused()
    browser.get_by_role("button", name="Save", exact=True).click()
    expect(browser.locator("[data-toast]").last).to_have_text("Nothing was changed.")


def test_a_link_is_set_changed_and_checked(open_as: Open, world: World) -> None:
    page = a_page(blocks=[paragraph("Our prices")])
    browser = open_as("owner", url(page))
    enter(browser, "k0")
    browser.keyboard.press("Control+a")
    browser.keyboard.press("Control+k")
    dialog = browser.get_by_role("dialog", name="Link")
    dialog.get_by_label("Address").fill("java\tscript:alert(1)")
    browser.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("Enter a web address")
    assert complaints(browser) == []
    dialog.get_by_label("Address").fill("example.test/prices")
    browser.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(browser.locator("#k0 [contenteditable]")).to_be_focused()
    save(browser)
    link = {"type": "link", "attrs": {"href": "https://example.test/prices"}}
    assert blocks_of(page) == [paragraph(text_node("Our prices", link))]


def test_backspace_joins_and_the_arrows_go_on(open_as: Open, world: World) -> None:
    page = a_page(blocks=[paragraph("One "), paragraph(text_node("two", GLOW)), MAP, paragraph("Three")])
    browser = open_as("owner", url(page))
    enter(browser, "k1")
    browser.keyboard.press("Home")
    browser.keyboard.press("Backspace")
    expect(browser.locator("[data-block]")).to_have_count(3)
    browser.keyboard.press("ArrowDown")
    expect(browser.locator("#k3 [contenteditable]")).to_be_focused()
    browser.keyboard.press("Control+End")
    browser.keyboard.type("!")
    save(browser)
    assert blocks_of(page) == [paragraph("One ", text_node("two", GLOW)), MAP, paragraph("Three!")]


def test_the_menu_inserts_a_block_and_escape_leaves_it(open_as: Open, world: World) -> None:
    page = a_page(blocks=[paragraph("One"), MAP])
    browser = open_as("owner", url(page))
    write(browser, "k0", "")
    browser.keyboard.press("Enter")
    browser.keyboard.type("/")
    menu = browser.get_by_role("dialog", name="Add a block")
    browser.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    browser.keyboard.type("/")
    browser.keyboard.type("quo")
    browser.keyboard.press("ArrowDown")
    expect(menu.get_by_role("button", name="Quote", exact=True)).to_be_focused()
    browser.keyboard.press("Enter")
    browser.keyboard.type("Slowly")
    expect(browser.locator("[data-block]").nth(1).locator("[data-label]")).to_have_text("Quote")
    save(browser)
    assert blocks_of(page)[1] == {"type": "blockquote", "content": [paragraph("Slowly")]}


def test_a_block_is_moved_with_its_handle(open_as: Open, world: World) -> None:
    page = a_page(blocks=BLOCKS)
    browser = open_as("owner", url(page))
    browser.get_by_role("button", name="Move: 2. Paragraph", exact=True).focus()
    browser.keyboard.press("Alt+ArrowDown")
    expect(browser.get_by_text("Moved to place 3 of 5.")).to_be_visible()
    expect(browser.get_by_role("button", name="Move: 3. Paragraph", exact=True)).to_be_focused()
    write(browser, "k1", "!")
    browser.keyboard.press("Alt+ArrowUp")
    browser.keyboard.type("!")
    save(browser)
    assert blocks_of(page) == [BLOCKS[0], paragraph("One two three!!"), *BLOCKS[2:]]


PASTED = """<html><body><!--StartFragment--><h1 style="font-family:Arial">Our <b>rugs</b></h1>
<p class=MsoNormal style='text-align:center'><span style='color:#FF0000'>Made <i>slowly</i>
 by <a href="https://example.test/">us</a> and <a href="javascript:alert(1)">them</a>.</span><o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>  </span></span>
 Wool</p><p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o</span>Red
</p><p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>Cotton</p>
<img src="https://example.test/a.png" onerror="alert(1)"><img src="file:///b.png"><script>alert(1)</script>
<table><tr><td>Size</td><td>Price</td></tr></table><!--EndFragment--></body></html>"""
PASTE = """([html, text]) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", html);
    clipboardData.setData("text/plain", text);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
}"""


def test_a_paste_from_a_document_becomes_blocks_and_says_what_it_dropped(open_as: Open, world: World) -> None:
    page = a_page(blocks=[paragraph("Before after"), MAP])
    browser = open_as("owner", url(page))
    enter(browser, "k0")
    browser.keyboard.press("Home")
    for _letter in "Before":
        browser.keyboard.press("ArrowRight")
    browser.evaluate(PASTE, [PASTED, ""])
    expect(browser.get_by_role("status").get_by_text("Dropped from the paste")).to_have_text(
        "Dropped from the paste: 2 pictures, 1 table (its text was kept), 1 link with an unsafe address, "
        "colours and fonts, alignment."
    )
    save(browser)
    link = {"type": "link", "attrs": {"href": "https://example.test/"}}
    nested = {"type": "bulletList", "content": bullets("Red")["content"]}
    wool, cotton = bullets("Wool", "Cotton")["content"]
    assert blocks_of(page) == [
        paragraph("Before"),
        heading(1, "Our ", text_node("rugs", BOLD)),
        paragraph("Made ", text_node("slowly", {"type": "italic"}), " by ", text_node("us", link), " and them."),
        {"type": "bulletList", "content": [wool | {"content": [*wool["content"], nested]}, cotton]},
        paragraph("Size · Price after"),
        MAP,
    ]


def test_a_text_that_is_copied_on_the_page_keeps_everything(open_as: Open, world: World) -> None:
    page = a_page(blocks=[paragraph("One ", text_node("two", GLOW)), paragraph("Three")])
    browser = open_as("owner", url(page), permissions=["clipboard-read", "clipboard-write"])
    enter(browser, "k0")
    browser.keyboard.press("Control+a")
    browser.keyboard.press("Control+x")
    write(browser, "k1", "")
    browser.keyboard.press("Control+v")
    save(browser)
    assert blocks_of(page) == [paragraph(), paragraph("ThreeOne ", text_node("two", GLOW))]


DROP = """([target, type, ...contents]) => {
    const dataTransfer = new DataTransfer();
    for (const content of contents) {
        const bytes = Uint8Array.from(atob(content), (each) => each.charCodeAt(0));
        dataTransfer.items.add(new File([bytes], "rug.png", { type }));
    }
    const event = { dataTransfer, bubbles: true, cancelable: true };
    document.querySelector(target).dispatchEvent(new DragEvent("dragover", event));
    document.querySelector(target).dispatchEvent(new DragEvent("drop", event));
}"""


@pytest.fixture
def _own_address(site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures have an address on the server of the test."""
    monkeypatch.setattr(settings, "SITE_URL", site)


@pytest.mark.usefixtures("_own_address")
def test_a_dropped_picture_is_stored_and_gets_a_block(open_as: Open, world: World) -> None:
    page = a_page(blocks=[paragraph("One"), MAP])
    browser = open_as("owner", url(page))
    write(browser, "k0", "!")
    browser.evaluate(DROP, ["#k0", "image/png", base64.b64encode(b"no picture").decode()])
    expect(browser.locator(".picture-line[data-failed]")).to_contain_text("rug.png:")
    browser.evaluate(DROP, ["#k0", "image/png", base64.b64encode(png()).decode()])
    source = browser.locator("input[name$='-src']")
    expect(source).to_have_value(re.compile("/media/"))
    browser.locator("input[name$='-alt']").fill("A rug")
    address = source.input_value()
    save(browser)
    assert blocks_of(page)[0] == paragraph("One!")
    attrs = blocks_of(page)[1]["attrs"]
    assert (attrs["src"], attrs["alt"]) == (address, "A rug")
    assert browser.request.get(address).headers["content-type"] == "image/png"


@pytest.mark.usefixtures("_own_address")
def test_the_reason_why_a_picture_was_refused_stays_with_the_next_form(open_as: Open, world: World) -> None:
    page = a_page(blocks=[paragraph("One"), MAP])
    browser = open_as("owner", url(page))
    bad, good = (base64.b64encode(each).decode() for each in (b"no picture", png()))
    browser.evaluate(DROP, ["#k0", "image/png", bad, good])
    expect(browser.locator("[data-block]")).to_have_count(3)
    reason = browser.locator("#k0 + .picture-line[data-failed]")
    expect(reason).to_contain_text("rug.png:")
    browser.get_by_role("button", name="Duplicate: 3. mapEmbed").click()
    expect(browser.locator("[data-block]")).to_have_count(4)
    expect(reason).to_contain_text("rug.png:")
    assert complaints(browser) == []
    browser.evaluate(DROP, ["#k0", "image/png", good])
    expect(browser.locator("[data-block]")).to_have_count(5)
    expect(browser.locator(".picture-line")).to_have_count(0)


def test_write_by_touch_on_a_phone(open_as: Open, world: World) -> None:
    page = a_page(blocks=BLOCKS)
    browser = open_as("owner", url(page), viewport={"width": 390, "height": 800}, has_touch=True, locale="es-CO")
    text(browser, "k1").tap()
    expect(browser.locator("#k1 [contenteditable]")).to_be_focused()
    browser.keyboard.press("Control+End")
    browser.keyboard.type(" cuatro")
    browser.locator("[data-rich-tool='bulletList']").tap()
    assert complaints(browser) == []
    assert browser.evaluate("document.documentElement.scrollWidth") <= 390
    browser.locator("button[name=action][value=save]").tap()
    expect(browser.locator("[data-toast]").last).to_be_visible()
    assert blocks_of(page)[1] == bullets("One two three cuatro")


def test_what_is_being_written_is_kept_and_continued(open_as: Open, world: World) -> None:
    page = a_page(blocks=BLOCKS)
    browser = open_as("owner", url(page))
    write(browser, "k1", " four")
    browser.keyboard.press("Enter")
    browser.keyboard.type("Five")
    expect(browser.get_by_text("Kept for you at")).to_be_visible()
    again = open_as("owner", url(page))
    again.get_by_role("button", name="Continue").click()
    expect(text(again, "k1")).to_have_text("One two three four")
    save(again)
    assert blocks_of(page)[1:3] == [paragraph("One two three four"), paragraph("Five")]


def test_without_the_editor_the_text_field_is_there(open_as: Open, world: World) -> None:
    page = a_page(blocks=BLOCKS)
    browser = open_as("owner", "/")
    browser.route("**/django_prose_editor/**", lambda route: route.abort())
    browser.goto(url(page))
    browser.locator("#id_k1-text").fill("One **two**")
    expect(browser.get_by_text("The rich text editor could not be loaded.")).to_be_visible()
    save(browser)
    assert blocks_of(page)[1] == paragraph("One ", text_node("two", BOLD))
