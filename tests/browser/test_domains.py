"""Allowed domains in a real browser: check an address, add, remove with confirmation, undo, import."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.axe import complaints, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.rooms.domains import URL, put_whitelist, stored_whitelist

WORLD_DOMAINS = ["@example.com", "@sura.com.co", "@gmail.com"]


def expect_toast(page: Page, text: str) -> None:
    expect(page.locator("[data-toast]").last).to_contain_text(text)


def test_check_an_address_add_domains_and_undo_by_keyboard(open_as: Open) -> None:
    page = open_as("staff", "/")
    page.keyboard.press("g")
    page.keyboard.press("d")
    expect(page.get_by_role("heading", level=1)).to_have_text("Domains")
    page.keyboard.press("t")
    page.keyboard.type("ana@mail.sura.com.co")
    expect(page.locator("#try-result")).to_contain_text("mail.sura.com.co is a different domain")
    assert complaints_at_both_widths(page) == []
    field = page.get_by_label("Allow a domain")
    field.fill("@nueva.example, eva@otra.example")
    page.keyboard.press("Enter")
    expect_toast(page, "2 domains added.")
    assert stored_whitelist() == [*WORLD_DOMAINS, "@nueva.example", "@otra.example"]
    # The field is ready for the next domain, and the address that was checked is still there.
    expect(page.get_by_label("Allow a domain")).to_be_focused()
    expect(page.get_by_label("Address", exact=True)).to_have_value("ana@mail.sura.com.co")
    page.get_by_role("button", name="Undo").click()
    expect_toast(page, "undone in version")
    assert stored_whitelist() == WORLD_DOMAINS
    # The error is shown at the field, and the field keeps its text.
    field = page.get_by_label("Allow a domain")
    field.fill("nueva")
    page.keyboard.press("Enter")
    expect(page.locator(".add-domain .error")).to_contain_text("“nueva” has no dot")
    expect(field).to_have_value("nueva")
    expect(field).to_be_focused()
    assert complaints(page) == []


def test_pasted_lines_are_added_as_separate_domains(open_as: Open) -> None:
    page = open_as("staff", URL, permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('uno.example\\ndos.example\\n')")
    page.get_by_label("Allow a domain").focus()
    page.keyboard.press("Control+V")
    page.keyboard.press("Enter")
    expect_toast(page, "2 domains added.")
    assert stored_whitelist() == [*WORLD_DOMAINS, "@uno.example", "@dos.example"]


def test_removal_needs_confirmation_if_people_lose_access(open_as: Open) -> None:
    page = open_as("staff", URL)
    page.get_by_role("button", name="Remove sura.com.co").click()
    expect(page.locator(".confirmation-effect")).to_have_text("1,204 people of sura.com.co lose access.")
    assert stored_whitelist() == WORLD_DOMAINS
    assert complaints_at_both_widths(page) == []
    page.get_by_label("Save anyway: remove sura.com.co").check()
    page.get_by_role("button", name="Save").click()
    expect_toast(page, "sura.com.co removed.")
    expect(page.get_by_role("heading", level=1)).to_have_text("Domains")
    assert stored_whitelist() == ["@example.com", "@gmail.com"]
    page.get_by_role("button", name="Add sura.com.co").click()
    expect_toast(page, "sura.com.co added.")


def test_remove_a_selection_of_domains_and_undo(open_as: Open) -> None:
    put_whitelist([*WORLD_DOMAINS, *(f"@d{number}.example" for number in range(20))])
    page = open_as("staff", URL)
    page.get_by_label("Find a domain").fill("d1")
    expect(page.locator("[data-row]")).to_have_count(11)
    page.get_by_label("Select all shown").check()
    page.get_by_label("Select d10.example").uncheck()
    page.locator(".bulk").get_by_role("button", name="Remove").click()
    expect_toast(page, "10 domains removed.")
    expect(page.locator("[data-row]")).to_have_count(1)
    assert len(stored_whitelist()) == 13
    page.get_by_role("button", name="Undo").click()
    expect_toast(page, "undone in version")
    assert len(stored_whitelist()) == 23


def test_check_an_import_correct_it_and_save(open_as: Open) -> None:
    page = open_as("staff", f"{URL}import/")
    page.get_by_label("Or paste domains").fill("Name,Correo\nAna,ana@nueva.example\nBeto,beto@nada\n")
    page.get_by_role("button", name="Check file").click()
    expect(page.locator(".problems")).to_contain_text("“beto@nada” has no dot")
    expect(page.locator(".plan-names")).to_have_text("nueva.example")
    assert complaints_at_both_widths(page) == []
    page.get_by_label("Or paste domains").fill("beto@nada.example")
    page.get_by_role("button", name="Check file").click()
    expect(page.locator(".plan-names li")).to_have_count(2)
    page.get_by_role("button", name="Save").click()
    expect_toast(page, "2 domains added.")
    assert stored_whitelist() == [*WORLD_DOMAINS, "@nada.example", "@nueva.example"]


def test_check_add_and_remove_without_scripts(open_as: Open) -> None:
    page = open_as("staff", URL, java_script_enabled=False)
    page.get_by_label("Address", exact=True).fill("ana@gmail.com")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#try-result")).to_contain_text("by @gmail.com")
    page.get_by_label("Allow a domain").fill("nueva.example")
    page.get_by_role("button", name="Add", exact=True).first.click()
    expect(page.locator(".toast").last).to_contain_text("nueva.example added.")
    page.get_by_role("button", name="Remove nueva.example").click()
    expect(page.locator(".toast").last).to_contain_text("nueva.example removed.")
    assert stored_whitelist() == WORLD_DOMAINS
