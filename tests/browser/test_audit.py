"""The audit trail in a real browser: filter, open an entry by keyboard, export, print."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

from playwright.sync_api import expect

from tests.audit.entries import put_all, raw_entry, utc
from tests.browser.conftest import Open


def test_filter_by_person_and_open_an_entry(open_as: Open) -> None:
    page = open_as("admin", "/audit/")
    rows = page.locator("[data-row]")
    expect(rows.filter(has_text="invited Inés Mar")).to_be_visible()
    page.keyboard.press("/")
    expect(page.get_by_label("Person (e-mail)")).to_be_focused()
    page.keyboard.type("MARCO@example.com")
    page.keyboard.press("Enter")
    expect(rows).to_have_count(1)
    expect(page).to_have_url(re.compile("person=MARCO"))
    changed = rows.first.get_by_role("row").filter(has_text="role")
    expect(changed).to_be_hidden()
    page.get_by_label("Person (e-mail)").blur()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(changed).to_contain_text("Event staff")
    expect(changed).to_contain_text("Business member")
    expect(rows.first.locator("ins")).to_have_text("2")
    rows.first.get_by_role("link", name="Ana Sol").click()
    expect(page).to_have_url(re.compile("target=ana"))
    expect(page.get_by_label("Target")).to_have_value("ana@example.com")
    page.get_by_label("Action").select_option("person.join")
    expect(page.get_by_text("Nothing matches")).to_be_visible()
    page.locator("form").get_by_role("link", name="Clear filters").click()
    expect(rows).not_to_have_count(0)


def test_an_invalid_date_range_shows_an_error_at_the_field(open_as: Open) -> None:
    page = open_as("owner", "/b/andina/audit/")
    page.get_by_label("From").fill("2025-09-22")
    page.get_by_label("To", exact=True).fill("2025-09-21")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("before the start date")
    expect(page.get_by_label("From")).to_have_value("2025-09-22")
    page.get_by_label("From").fill("2025-09-21")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("[data-row]")).to_have_count(1)


def test_search_further_continues_and_focuses_the_first_new_entry(open_as: Open) -> None:
    start = utc("2025-01-01T00:00:00")
    put_all(raw_entry(start + timedelta(minutes=n), f"n{n}", business="andina", action="a.b") for n in range(1_100))
    put_all([raw_entry(start - timedelta(days=1), "first", business="andina", action="person.join")])
    page = open_as("owner", "/b/andina/audit/?action=person.join")
    expect(page.get_by_text("Nothing found yet")).to_be_visible()
    page.keyboard.press("j")
    page.get_by_role("link", name="Search more").click()
    expect(page.locator("[data-row]")).to_have_count(1)
    expect(page.locator("[data-row] summary")).to_be_focused()


def test_the_csv_file_is_named_after_the_business_and_the_dates(open_as: Open) -> None:
    page = open_as("owner", "/b/andina/audit/?since=2025-09-21&until=2025-09-21")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Export as CSV").click()
    assert saved.value.suggested_filename == "audit-andina-2025-09-21-to-2025-09-21.csv"
    lines = Path(saved.value.path()).read_text("utf-8-sig").splitlines()
    assert lines[0].startswith("time,scope,actor_email") and lines[1].startswith("2025-09-21T10:00:00Z,TENANT#andina")


def test_collapsed_entries_are_printed_with_their_details(open_as: Open) -> None:
    page = open_as("owner", "/b/andina/audit/")
    details = page.locator(".entry-body").first
    expect(details).to_be_hidden()
    page.emulate_media(media="print")
    expect(details).to_be_visible()
    expect(page.locator(".trail-filters")).to_be_hidden()
