"""A room's content in a real browser: create a version, play it, activate, undo; on a phone, without JavaScript."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.axe import SIZES, complaints, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.rooms.content import activate_version, active_index_entries
from tests.rooms.rooms import stored_room

ROOM = "/rooms/sala1/"


def active_versions() -> list[str]:
    return [sk for room, sk in active_index_entries() if room == "sala1"]


def create_version(page: Page, title: str, address: str) -> None:
    page.get_by_role("link", name="New version").click()
    page.get_by_label("Title").fill(title)
    page.get_by_label("Video").fill(address)
    page.get_by_role("button", name="Save new version").click()


def test_create_activate_and_undo_a_version_by_keyboard(open_as: Open) -> None:
    page = open_as("staff", ROOM)
    assert complaints_at_both_widths(page) == []
    page.keyboard.press("n")
    expect(page.get_by_role("heading", level=1)).to_have_text("New version, from v2")
    assert complaints_at_both_widths(page) == []
    page.get_by_label("Title").fill("Segunda noche")
    page.get_by_label("Video").fill("https://youtu.be/x")
    page.keyboard.press("Enter")
    expect(page.locator("#id_address_error")).to_contain_text("Enter the address of a Vimeo video")
    expect(page.get_by_label("Title")).to_have_value("Segunda noche")
    assert complaints(page) == []
    page.get_by_label("Video").fill("player.vimeo.com/video/76979871?h=8272103f6e")
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]")).to_contain_text("Version 4 saved.")
    expect(page).to_have_url(re.compile(f"{ROOM}content/4/$"))
    assert complaints_at_both_widths(page) == []
    before = active_versions()
    page.keyboard.press("a")
    expect(page.locator("[data-toast]").last).to_contain_text("Version 4 activated in")
    assert active_versions() == ["CONTENT#v4"]
    page.keyboard.press("z")
    expect(page.locator("[data-toast]").last).to_contain_text("Version 2 activated in")
    assert active_versions() == before


def test_the_player_loads_only_on_request(open_as: Open) -> None:
    page = open_as("staff", f"{ROOM}content/2/")
    requests: list[str] = []

    def answer(route: Route) -> None:
        requests.append(route.request.url)
        route.fulfill(content_type="text/html", body="<!doctype html><title>A film</title><p>Film</p>")

    page.context.route(re.compile(r"https://[a-z.]*vimeo\.com/"), answer)
    page.reload()
    assert requests == [], "no request to Vimeo before the player is loaded"
    page.get_by_role("link", name="Load player").click()
    expect(page.frame_locator("iframe").get_by_text("Film")).to_be_visible()
    assert requests == ["https://player.vimeo.com/video/76979871"]
    expect(page.locator("iframe")).to_have_attribute("title", re.compile("La misma"))


def test_a_conflict_is_shown_and_can_be_overridden(open_as: Open) -> None:
    page = open_as("staff", ROOM)
    activate_version(1)
    page.get_by_role("button", name="Activate v3").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Someone else saved first")
    expect(page.locator(".conflict")).to_contain_text("Alma Ríos changed Sala sala1 while you had it open")
    assert active_versions() == ["CONTENT#v1"]
    assert complaints_at_both_widths(page) == []
    page.get_by_role("button", name="Activate v3 anyway").click()
    expect(page.locator("[data-toast]")).to_contain_text("Version 3 activated in")
    assert active_versions() == ["CONTENT#v3"]


@pytest.mark.parametrize("script", [True, False], ids=["with-script", "without"])
def test_create_and_activate_a_version_on_a_phone(open_as: Open, script: bool) -> None:
    page = open_as("staff", ROOM, viewport=SIZES["phone"], java_script_enabled=script, has_touch=True)
    page.get_by_role("button", name="Activate v3").click()
    expect(page.locator("[data-toast]")).to_contain_text("Version 3 activated in")
    assert active_versions() == ["CONTENT#v3"]
    expect(page.get_by_role("button", name="Restore v2")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-toast]").last).to_contain_text("Version 2 activated in")
    assert active_versions() == ["CONTENT#v2"]
    create_version(page, "Sin guion", "vimeo.com/1")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sin guion")
    page.get_by_role("button", name="Activate", exact=True).click()
    expect(page.locator("[data-toast]").last).to_contain_text("Version 4 activated in")
    assert stored_room().content_title == "Sin guion"
    if script:
        assert complaints(page) == []
    else:
        page.get_by_role("combobox", name="Compare with").select_option("1")
        page.get_by_role("button", name="Compare").click()
        expect(page.locator(".compare [data-changed]").first).to_contain_text("different")


def test_axe_finds_nothing_serious_on_the_content_pages(open_as: Open) -> None:
    page = open_as("staff", ROOM)
    found = []
    for path in (ROOM, "/rooms/sala2/", f"{ROOM}content/1/", f"{ROOM}content/2/", f"{ROOM}content/3/"):
        page.goto(path)
        found += complaints_at_both_widths(page)
    assert found == []
