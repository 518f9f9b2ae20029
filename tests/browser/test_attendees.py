"""The event's attendees in a real browser: search, mark rooms as completed, undo, export; and without scripts."""

from __future__ import annotations

import re
from datetime import timedelta

from playwright.sync_api import expect

from dashboard.core.clock import now
from rooms.services.attendees import progress_target
from tests.audit.entries import put_all
from tests.browser.axe import SIZES, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.rooms.attendees import ANA, progress_entries, raw_attendee, raw_list, stored_progress

URL = "/rooms/people/"
PERSON = f"{URL}{ANA}/"


def test_find_someone_mark_a_room_and_undo(open_as: Open) -> None:
    page = open_as("staff", "/")
    page.keyboard.press("g")
    page.keyboard.press("i")
    expect(page.get_by_role("heading", level=1)).to_have_text("Attendees")
    page.keyboard.press("/")
    page.keyboard.type("torres")
    expect(page.locator("[data-row]")).to_have_count(1)
    expect(page).to_have_url(re.compile("q=torres"))
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Ana Torres").click()
    expect(page.locator("#completed")).to_have_text("1 of 4 completed")

    button = page.locator("#step-2")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]")).to_contain_text("Sala 2 marked as completed.")
    expect(page.locator("#completed")).to_have_text("2 of 4 completed")
    expect(button).to_have_text(re.compile("Mark as not completed"))
    expect(button).to_be_focused()
    assert stored_progress() == raw_list("sala1", "sala9", "sala2")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#completed")).to_have_text("1 of 4 completed")
    expect(page.locator("[data-toast]").last).to_contain_text("marked as not completed")
    assert stored_progress() == raw_list("sala1", "sala9")
    assert [each[0] for each in progress_entries()] == ["progress.reopen", "progress.complete"]


def test_a_room_that_no_longer_exists_can_be_removed_from_the_progress(open_as: Open) -> None:
    page = open_as("staff", PERSON)
    expect(page.get_by_text("no longer a room")).to_be_visible()
    page.get_by_role("button", name="Remove").click()
    expect(page.locator("[data-toast]")).to_contain_text("sala9 removed.")
    expect(page.locator("[data-toast]").get_by_role("button", name="Undo")).to_have_count(0)
    expect(page.locator(".progress-step").last).to_be_focused()
    assert stored_progress() == raw_list("sala1")
    page.reload()
    expect(page.locator(".progress-step")).to_have_count(4)


def test_a_double_click_marks_once(open_as: Open) -> None:
    page = open_as("staff", PERSON)
    page.locator("#step-2").dblclick()
    expect(page.locator("#completed")).to_have_text("2 of 4 completed")
    expect(page.locator("[data-toast]")).to_have_count(1)
    assert stored_progress() == raw_list("sala1", "sala9", "sala2") and len(progress_entries()) == 1


def test_filter_by_country_and_load_more(open_as: Open) -> None:
    at = now()
    put_all(raw_attendee(f"c{n:03}@example.org", f"Persona {n}", "Chile", at - timedelta(hours=n)) for n in range(70))
    page = open_as("staff", URL, viewport=SIZES["phone"])
    page.get_by_label("Country").fill("chile")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("country=chile"))
    expect(page.get_by_role("button", name="Export Chile as CSV")).to_be_visible()
    rows = page.locator("[data-row]")
    expect(rows).to_have_count(50)
    page.get_by_role("link", name="Load more").click()
    expect(rows).to_have_count(70)
    expect(rows.nth(50).get_by_role("link")).to_be_focused()
    page.get_by_role("link", name="Clear filters").click()
    expect(page.get_by_role("button", name="Export all as CSV")).to_be_visible()


def test_export_as_csv_keeps_the_page(open_as: Open) -> None:
    page = open_as("staff", f"{URL}?country=Colombia")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export Colombia as CSV").click()
    assert download.value.suggested_filename.startswith("event-people-")
    assert ANA in download.value.path().read_text(encoding="utf-8-sig")
    expect(page.get_by_role("button", name="Export Colombia as CSV")).to_be_enabled()
    with page.expect_download():
        page.get_by_role("button", name="Export Colombia as CSV").click()


def test_mark_a_room_and_undo_without_scripts(open_as: Open) -> None:
    page = open_as("staff", URL, java_script_enabled=False)
    page.get_by_label("Country").fill("colombia")
    page.get_by_role("button", name="Show", exact=True).click()
    page.get_by_role("link", name="Ana Torres").click()
    page.locator("#step-2").click()
    expect(page.get_by_text("Sala 2 marked as completed.")).to_be_visible()
    expect(page.get_by_text("2 of 4 completed")).to_be_visible()
    expect(page.get_by_text("marked Sala 2 as completed for Ana Torres")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("1 of 4 completed")).to_be_visible()


def test_axe_finds_nothing_serious(open_as: Open) -> None:
    page = open_as("admin", PERSON, viewport=SIZES["wide"], reduced_motion="reduce")
    found = complaints_at_both_widths(page)
    page.locator("#step-2").click()
    page.locator("[data-toast]").wait_for()
    found += complaints_at_both_widths(page)
    for query in ("", "?country=Colombia", "?q=nobody@example.org", f"?country={'x' * 101}"):
        page.goto(f"{URL}{query}")
        found += complaints_at_both_widths(page)
    assert found == []


def test_the_history_links_to_the_audit_trail_only_for_those_who_may_read_it(open_as: Open) -> None:
    page = open_as("admin", PERSON)
    page.locator("#step-2").click()
    page.locator("[data-toast]").wait_for()
    page.reload()
    page.get_by_role("link", name="See all").click()
    expect(page.get_by_label("Target (e-mail or ID)")).to_have_value(progress_target(ANA))
    expect(page.get_by_text("marked Sala 2 as completed for Ana Torres")).to_be_visible()
    staff = open_as("staff", PERSON)
    expect(staff.get_by_role("link", name="See all")).to_have_count(0)
