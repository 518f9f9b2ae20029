"""The parts that every page has: palette, keyboard shortcuts, warnings, preferences, network state."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from dashboard.platform.accounts import queries
from tests.browser.conftest import Open


def test_the_palette_finds_pages_and_people(open_as: Open) -> None:
    page = open_as("admin", "/")
    page.keyboard.press("Control+k")
    palette = page.locator("#palette")
    expect(palette).to_be_visible()
    page.keyboard.type("marco@")
    expect(palette.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Marco Peña")
    opener = page.locator("[data-dialog=palette]:visible").first
    opener.click()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()


def test_the_palette_finds_the_pages_of_the_current_business(open_as: Open) -> None:
    page = open_as("receptionist", "/b/andina/")
    page.keyboard.press("Control+k")
    page.keyboard.type("book")
    # Mail is found by its hint.
    expect(page.locator("#palette").get_by_role("option")).to_have_text([re.compile("^Bookings"), re.compile("^Mail")])
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/b/andina/bookings/$"))


def test_a_moderator_finds_no_people_in_the_palette(open_as: Open) -> None:
    page = open_as("moderator", "/")
    page.keyboard.press("Control+k")
    page.keyboard.type("sofia@")
    expect(page.locator("#palette")).to_contain_text("No results for")


def test_the_question_mark_lists_the_shortcuts_of_the_page(open_as: Open) -> None:
    page = open_as("admin", "/people/")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_contain_text("Invite someone")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("?")
    expect(page.locator("#keys")).not_to_be_visible()


def test_leaving_a_changed_form_asks_first(open_as: Open) -> None:
    page = open_as("admin", "/people/marco@example.com/")
    page.get_by_label("Name").fill("Someone else")
    page.get_by_role("link", name="Home").click()
    expect(page.get_by_text("Leave without saving?")).to_be_visible()
    page.get_by_role("button", name="Keep editing").click()
    expect(page.get_by_label("Name")).to_have_value("Someone else")
    page.get_by_role("link", name="Home").click()
    page.get_by_role("button", name="Leave without saving").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Hello")


def test_language_and_theme_are_saved_with_the_person(open_as: Open) -> None:
    page = open_as("admin", "/people/")
    page.get_by_role("button", name="Alma Ríos").click()
    page.get_by_role("button", name="Español").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Personas")
    page.get_by_role("button", name="Alma Ríos").click()
    page.get_by_role("button", name="Oscuro").click()
    expect(page.locator("html[data-theme=dark]")).to_be_attached()
    person = queries.load_account("alma@example.com")
    assert (person.language, person.theme) == ("es", "dark")


def test_the_time_zone_of_the_browser_is_saved_only_once(open_as: Open) -> None:
    page = open_as("admin", "/")
    page.wait_for_load_state("networkidle")
    assert queries.load_account("alma@example.com").timezone == "America/Bogota"
    page = open_as("admin", "/account/", timezone_id="Asia/Tokyo")
    page.wait_for_load_state("networkidle")
    assert queries.load_account("alma@example.com").timezone == "America/Bogota"


def test_a_message_shows_that_the_browser_is_offline_and_the_input_is_kept(open_as: Open) -> None:
    page = open_as("admin", "/people/")
    page.context.set_offline(True)
    page.get_by_role("searchbox").fill("mar")
    expect(page.get_by_text("You are offline. What you typed is kept.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("You are offline. What you typed is kept.")).not_to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value("mar")


def test_a_slow_response_marks_the_list_as_loading(open_as: Open) -> None:
    page = open_as("admin", "/people/")

    def slow(route: Route) -> None:
        page.wait_for_timeout(900)
        route.continue_()

    page.route(re.compile(r"q=mar"), slow)
    page.get_by_role("searchbox").fill("mar")
    expect(page.locator("#list.htmx-request")).to_be_attached()
    expect(page.locator("[data-row]")).to_have_count(1)


def test_saving_after_the_session_ended_says_so_and_saves_nothing(open_as: Open) -> None:
    page = open_as("admin", "/people/marco@example.com/")
    page.get_by_label("Name").fill("Typed before")
    page.context.clear_cookies(name="session")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("You are signed out.", exact=False).first).to_be_visible()
    assert queries.load_account("marco@example.com").name == "Marco Peña"


def test_a_first_visit_loads_at_most_five_files(open_as: Open) -> None:
    page = open_as("owner", "/")
    page.wait_for_load_state("networkidle")
    files = page.evaluate("performance.getEntriesByType('resource').map((each) => each.name)")
    # What the page asks afterwards, such as for the lines of a business, is no file.
    files = [each for each in files if "/b/" not in each and not each.endswith("/account/zone/")]
    assert len(files) <= 5, files
