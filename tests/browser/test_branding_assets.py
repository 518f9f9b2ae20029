"""Brand files in a real browser: upload, drag and drop, progress, replace, delete; and without scripts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from branding import queries
from branding.services import drafts
from dashboard.table.commands import new_command
from tests.branding.pictures import photo, png, upload_asset
from tests.browser.conftest import Open
from tests.conftest import ACTOR
from tests.ui.samples import BUSINESS

FILES = f"/b/{BUSINESS}/branding/assets/"
DROP = """async ([names, bytes]) => {
    const zone = document.querySelector("[data-drop]");
    const transfer = new DataTransfer();
    names.forEach((name, at) => transfer.items.add(new File([new Uint8Array(bytes[at])], name)));
    const options = {bubbles: true, cancelable: true, dataTransfer: transfer};
    const fire = (type) => zone.dispatchEvent(new DragEvent(type, options));
    fire("dragover");
    const over = zone.hasAttribute("data-over");
    fire("drop");
    return over;
}"""


def new_file(content: bytes, name: str) -> Any:
    return {"name": name, "mimeType": "image/png", "buffer": content}


def stored_names() -> set[str | None]:
    return {link.name for link in queries.asset_links(BUSINESS).items}


def file_rows(page: Page) -> Any:
    return page.locator(".file")


def test_each_file_is_uploaded_by_its_own_request_with_its_own_result(open_as: Open) -> None:
    page = open_as("owner", FILES)
    expect(page.get_by_role("heading", name="No files yet")).to_be_visible()
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    page.get_by_label("Banner").check()
    files = [
        new_file(photo((900, 400)), "sea.jpg"),
        new_file(b"<svg/>", "evil.svg"),
        new_file(png(2), "mark.png"),
    ]
    page.locator("input[type=file]").set_input_files(files)
    page.get_by_role("button", name="Upload").click()
    lines = page.locator(".sent-line")
    expect(lines).to_have_count(3)
    expect(lines.nth(0)).to_contain_text("sea.jpg uploaded.")
    expect(lines.nth(1)).to_contain_text("SVG files are not supported")
    expect(lines.nth(1)).to_have_attribute("data-level", "bad")
    expect(lines.nth(2)).to_contain_text("mark.png uploaded.")
    assert len(posts) == 3
    # The list is up to date, and its pictures load.
    expect(file_rows(page)).to_have_count(2)
    expect(file_rows(page).first).to_contain_text("Banner")
    for picture in page.locator(".file img").all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("image => image.naturalWidth") > 0
    assert stored_names() == {"sea.jpg", "mark.png"}
    # The field is empty again, ready for the next files.
    assert page.locator("input[type=file]").evaluate("field => field.files.length") == 0


def test_progress_is_shown_during_an_upload(open_as: Open) -> None:
    page = open_as("owner", FILES)
    page.evaluate(
        """() => {
            window.updates = [];
            new MutationObserver(() => {
                const bar = document.querySelector(".sent-line progress");
                if (bar) window.updates.push([bar.value, document.querySelector(".sent-text").textContent]);
            }).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
        }"""
    )
    page.locator("input[type=file]").set_input_files([new_file(photo((2400, 1600), quality=97), "big.jpg")])
    page.get_by_role("button", name="Upload").click()
    expect(page.locator(".sent-line")).to_contain_text("big.jpg uploaded.")
    texts = [text for _, text in page.evaluate("window.updates")]
    assert "Waiting" in texts and "Checking" in texts
    assert any(re.fullmatch(r"Uploading: \d+%", text) for text in texts)


def test_dropped_files_are_uploaded(open_as: Open) -> None:
    page = open_as("owner", FILES)
    over = page.evaluate(DROP, [["one.png", "two.png"], [list(png(1)), list(png(2))]])
    assert over
    expect(page.locator(".sent-line[data-level=good]")).to_have_count(2)
    expect(file_rows(page)).to_have_count(2)
    assert not page.locator("[data-drop]").evaluate("zone => zone.hasAttribute('data-over')")
    assert stored_names() == {"one.png", "two.png"}


def test_a_file_dropped_outside_the_field_does_not_replace_the_page(open_as: Open) -> None:
    page = open_as("owner", FILES)
    prevented = page.evaluate(
        """() => {
            const transfer = new DataTransfer();
            transfer.items.add(new File(["x"], "x.png"));
            const drop = new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: transfer});
            document.querySelector("h1").dispatchEvent(drop);
            return drop.defaultPrevented;
        }"""
    )
    assert prevented and stored_names() == set()


def test_a_failed_upload_is_reported_and_the_next_file_is_uploaded(open_as: Open) -> None:
    page = open_as("owner", FILES)
    page.route(re.compile(f"{FILES}$"), lambda route: route.abort(), times=1)
    page.locator("input[type=file]").set_input_files([new_file(png(1), "one.png"), new_file(png(2), "two.png")])
    page.get_by_role("button", name="Upload").click()
    expect(page.locator(".sent-line").nth(0)).to_contain_text("Upload failed. Try again.")
    expect(page.locator(".sent-line").nth(1)).to_contain_text("two.png uploaded.")
    assert stored_names() == {"two.png"}


def test_upload_by_keyboard_alone(open_as: Open) -> None:
    page = open_as("owner", FILES)
    page.get_by_label("Logo").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label("Icon")).to_be_checked()
    page.keyboard.press("Tab")
    expect(page.locator("input[type=file]")).to_be_focused()
    page.locator("input[type=file]").set_input_files([new_file(png(1), "one.png")])
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Upload")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".sent-line")).to_contain_text("one.png uploaded.")
    expect(page.get_by_role("button", name="Upload")).to_be_focused()
    (link,) = queries.asset_links(BUSINESS).items
    assert link.asset_type == "icon"
    expect(page.locator("[data-lines]")).to_have_attribute("aria-live", "polite")


def test_replace_a_file_and_update_the_drafts_that_use_it(open_as: Open) -> None:
    old = upload_asset(BUSINESS)
    draft = drafts.create(BUSINESS, files={"logo": old.id}, command=new_command(ACTOR))
    page = open_as("owner", f"{FILES}{old.id}/")
    page.locator("input[type=file]").set_input_files([new_file(png(), "same.png")])
    page.get_by_role("button", name="Replace").click()
    expect(page.locator(".sent-line")).to_contain_text("This is the same file")
    page.locator("input[type=file]").set_input_files([new_file(png(5), "new.png")])
    page.get_by_role("button", name="Replace").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("new.png")
    expect(page.locator("[data-toast]")).to_contain_text("1 draft uses it now.")
    assert queries.load_theme(BUSINESS, draft.number).asset_for("logo") != old.id


@pytest.mark.parametrize("scripts", [True, False])
def test_upload_view_delete_and_undo(open_as: Open, scripts: bool) -> None:
    page = open_as("owner", FILES, java_script_enabled=scripts)
    page.locator("input[type=file]").set_input_files([new_file(png(1), "one.png"), new_file(png(2), "two.png")])
    page.get_by_role("button", name="Upload").click()
    expect(file_rows(page)).to_have_count(2)
    page.get_by_role("link", name="Unused").click()
    expect(file_rows(page)).to_have_count(2)
    page.locator(".file").get_by_role("link", name="one.png").click()
    expect(page.locator(".big-picture img")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("[data-toast]").last).to_contain_text("one.png deleted.")
    expect(file_rows(page)).to_have_count(1)
    page.get_by_role("button", name="Undo").last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("one.png")
    assert stored_names() == {"one.png", "two.png"}


def test_without_scripts_a_bad_file_shows_an_error_at_the_field(open_as: Open) -> None:
    page = open_as("owner", FILES, java_script_enabled=False)
    page.get_by_label("Icon").check()
    page.locator("input[type=file]").set_input_files([new_file(b"<svg/>", "evil.svg")])
    page.get_by_role("button", name="Upload").click()
    expect(page.locator(".field .error")).to_contain_text("evil.svg: SVG files are not supported")
    expect(page.get_by_label("Icon")).to_be_checked()


@pytest.mark.parametrize("width", [390, 1280])
def test_long_file_names_do_not_widen_the_page(open_as: Open, width: int) -> None:
    for number in range(6):
        upload_asset(BUSINESS, number, name=f"{'Maximiliana-Bartolomea-' * 3}{number}.png")
    page = open_as("owner", FILES, viewport={"width": width, "height": 800})
    expect(file_rows(page)).to_have_count(6)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.locator(".file a").first.click()
    expect(page.locator(".big-picture")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
