"""People and preferences without JavaScript."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from dashboard.core.clock import now
from dashboard.platform.accounts import queries
from tests.browser.conftest import Open
from tests.bulk_people import write_people
from tests.conftest import PASSWORD


def test_an_admin_signs_in_searches_disables_undoes_and_edits(open_as: Open) -> None:
    write_people(60, since=now())
    page = open_as(None, "/login/", java_script_enabled=False)
    page.get_by_label("E-mail").fill("alma@example.com")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("navigation").get_by_role("link", name="People", exact=True).click()
    page.get_by_role("link", name="Load more").click()
    expect(page.locator("[data-row]")).to_have_count(22)
    page.get_by_role("link", name="Back to the first page").click()
    page.get_by_role("searchbox").fill("marco")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("[data-row]")).to_have_count(1)
    page.get_by_role("checkbox", name="Select Marco Peña").check()
    page.get_by_role("button", name="Disable").click()
    expect(page.get_by_text("1 person disabled.")).to_be_visible()
    assert queries.load_account("marco@example.com").state == "disabled"
    page.get_by_role("button", name="Undo").click()
    assert queries.load_account("marco@example.com").state == "moderator"
    page.goto("/people/marco@example.com/")
    page.get_by_label("Role").select_option("staff")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Changes to Marco Peña saved.")).to_be_visible()
    assert queries.load_account("marco@example.com").state == "staff"


def test_an_invalid_form_keeps_the_input(open_as: Open) -> None:
    page = open_as("admin", "/people/new/", java_script_enabled=False)
    page.get_by_label("E-mail").fill("not a valid address")
    page.get_by_label("Name").fill("Nuria Sol")
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_label("E-mail")).to_have_value("not a valid address")
    expect(page.get_by_label("E-mail")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Name")).to_have_value("Nuria Sol")


def test_change_the_language_and_sign_out(open_as: Open) -> None:
    page = open_as("admin", "/", java_script_enabled=False)
    page.get_by_role("button", name="Alma Ríos").click()
    page.get_by_role("button", name="Español").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hola, Alma Ríos")
    page.get_by_role("button", name="Alma Ríos").click()
    page.get_by_role("button", name="Cerrar sesión").click()
    expect(page).to_have_url(re.compile("/login/"))
