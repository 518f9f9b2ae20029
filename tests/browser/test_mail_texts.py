"""A text of a business is previewed while it is typed, saved and undone."""

from __future__ import annotations

from playwright.sync_api import expect

from dashboard.platform.mail.queries import find_text
from tests.browser.axe import complaints
from tests.browser.conftest import Open


def test_a_text_is_previewed_saved_and_undone(open_as: Open) -> None:
    page = open_as("admin", "/b/andina/mail/texts/booking.reminder/")
    preview = page.locator("#mail-preview")
    page.get_by_label("Subject in English").fill("Soon: {business} <b>")
    page.get_by_role("button", name="Preview").click()
    expect(preview).to_contain_text("Soon: Coca-Cola Andina <b>")
    expect(page.get_by_label("Subject in English")).to_have_value("Soon: {business} <b>")
    assert find_text("andina", "booking.reminder") is None, "a preview saves nothing"
    assert complaints(page) == []
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-toast]")).to_contain_text("Text saved.")
    saved = find_text("andina", "booking.reminder")
    assert saved is not None and saved.subject_en == "Soon: {business} <b>"
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Subject in English")).to_have_value("Reminder: {service} at {business}, {day}, {time}")
