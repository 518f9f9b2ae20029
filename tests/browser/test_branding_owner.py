"""An owner works in the theme editor on a slow network: files, saving, and publishing with few clicks."""

from __future__ import annotations

import re

from playwright.sync_api import FilePayload, expect

from branding import queries
from tests.branding.pictures import png
from tests.branding.theme_factory import create_draft, create_published, live_version
from tests.browser.conftest import Open
from tests.browser.network import slow_down
from tests.ui.samples import BUSINESS

BRAND = f"/b/{BUSINESS}/branding/"
LOGO: FilePayload = {"name": "New logo.png", "mimeType": "image/png", "buffer": png(77)}
TEXT: FilePayload = {"name": "a.txt", "mimeType": "text/plain", "buffer": b"text"}


def test_an_owner_replaces_the_logo_and_publishes_in_five_clicks(open_as: Open) -> None:
    live = create_published(BUSINESS, "Live")
    page = open_as("owner", BRAND)
    slow_down(page)
    clicks = 0

    def count_click() -> None:
        nonlocal clicks
        clicks += 1

    page.expose_function("countClick", count_click)
    page.add_init_script("addEventListener('click', (event) => event.isTrusted && countClick(), true)")
    page.goto(f"/b/{BUSINESS}/")
    page.get_by_role("link", name="Brand", exact=True).first.click()
    page.locator(f"main a[href='{BRAND}themes/{live.number}/']").first.click()
    with page.expect_file_chooser() as chooser:
        page.locator("#upload_logo").click()
    chooser.value.set_files([LOGO])
    expect(page.get_by_role("radio", name="New logo.png").first).to_be_checked()
    expect(page.frame_locator("[data-draft] iframe").locator(".s-brand img")).to_be_visible()
    page.get_by_role("button", name="Save and publish").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Publish v")
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.locator("[data-toast]")).to_contain_text("is live.")
    draft = live_version(BUSINESS)
    assert draft == live.number + 1 and queries.load_theme(BUSINESS, draft).asset_for("logo")
    assert clicks <= 5, clicks


def test_the_editor_keeps_the_focus_and_what_is_typed_on_a_slow_network(open_as: Open) -> None:
    draft = create_draft(BUSINESS, "Autumn")
    page = open_as("owner", f"{BRAND}themes/{draft.number}/")
    slow_down(page)
    # What is typed while a file is uploaded stays.
    page.locator("#upload_logo").set_input_files([LOGO])
    page.locator("#id_name").fill("Winter")
    expect(page.get_by_role("radio", name="New logo.png").first).to_be_checked()
    expect(page.locator("#id_name")).to_have_value("Winter")
    # Ctrl-S saves; the focus stays, and so does what is typed meanwhile.
    primary = page.get_by_label("Primary")
    primary.fill("#aa0000")
    page.keyboard.press("Control+s")
    page.locator("#id_name").fill("Winter 2")
    page.locator("#id_name").focus()
    expect(page.locator("[data-toast]")).to_contain_text("saved.")
    expect(page.locator("#id_name")).to_be_focused()
    expect(page.locator("#id_name")).to_have_value("Winter 2")
    saved = queries.load_theme(BUSINESS, draft.number)
    assert (saved.name, saved.style["primaryColor"]) == ("Winter", "#aa0000") and saved.asset_for("logo")
    primary.focus()
    page.keyboard.press("Control+s")
    expect(page.locator("h1")).to_contain_text("Winter 2")
    expect(primary).to_be_focused()
    # A file that is no picture is refused at its field, and the choice stays.
    page.locator("#upload_banner").set_input_files([TEXT])
    expect(page.locator("#id_banner .error")).to_contain_text("a.txt")

    # Leaving offers to save first, by keyboard.
    primary.fill("#006633")
    page.get_by_role("link", name="Share", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Keep editing")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Save and continue")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/share/$"))
    assert queries.load_theme(BUSINESS, draft.number).style["primaryColor"] == "#006633"
    # An invalid value is not saved, and the person stays.
    page.goto(f"{BRAND}themes/{draft.number}/")
    page.get_by_label("Primary").fill("nothing")
    page.get_by_role("link", name="Share", exact=True).click()
    page.get_by_role("button", name="Save and continue").click()
    expect(page.locator("[data-errors]")).to_be_visible()
    expect(page.get_by_label("Primary")).to_have_value("nothing")
    page.once("dialog", lambda dialog: dialog.accept())


def test_saving_a_published_version_and_uploading_a_file_keep_the_focus(open_as: Open) -> None:
    live = create_published(BUSINESS, "Live")
    page = slow_down(open_as("owner", f"{BRAND}themes/{live.number}/"))
    upload = page.locator("#upload_logo")
    upload.focus()
    upload.set_input_files([LOGO])
    chosen = page.get_by_role("radio", name="New logo.png").first
    expect(chosen).to_be_checked()
    expect(chosen).to_be_focused()
    # Saving opens a new draft, which is another page.
    page.get_by_label("Corners").select_option("none")
    page.get_by_label("Corners").focus()
    page.keyboard.press("Control+s")
    expect(page).to_have_url(re.compile(f"/themes/{live.number + 1}/"))
    expect(page.get_by_label("Corners")).to_be_focused()
    expect(page.get_by_label("Corners")).to_be_in_viewport()
    draft = queries.load_theme(BUSINESS, live.number + 1)
    assert draft.style["cornerRadius"] == "none" and draft.asset_for("logo")
