"""The second factor in a real browser: set up, sign in with a code, requirement by role; with and without scripts."""

from __future__ import annotations

import re

import pyotp
import pytest
from playwright.sync_api import Page, expect

from dashboard.core.clock import now
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import security
from dashboard.table.commands import new_command
from tests.accounts.second_factors import switch_on
from tests.browser.axe import SIZES, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.conftest import ACTOR, PASSWORD
from tests.ui.world import World

SET_UP = "/account/second-factor/"


def read_app(page: Page) -> pyotp.TOTP:
    """An authenticator app with the key that the page shows."""
    return pyotp.TOTP(page.locator(".key").inner_text().replace(" ", ""))


def code_of(app: pyotp.TOTP, steps: int = 0) -> str:
    return app.at(int(now().timestamp()) + 30 * steps)


def enter_password(page: Page, email: str) -> None:
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Enter the code")


@pytest.mark.parametrize("scripts", [True, False])
def test_set_up_and_sign_in_with_a_code_and_with_a_recovery_code(open_as: Open, scripts: bool) -> None:
    page = open_as("moderator", "/account/", java_script_enabled=scripts)
    page.get_by_role("link", name="Set up").click()
    expect(page.get_by_role("img", name=re.compile("QR code"))).to_be_visible()
    expect(page.get_by_label("Code", exact=True)).to_be_focused()
    app = read_app(page)
    page.get_by_label("Code", exact=True).fill("12 34")
    page.get_by_label("Your password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("6 digits")
    first, second = code_of(app), code_of(app, 1)
    page.get_by_label("Code", exact=True).fill(f"{first[:3]} {first[3:]}")
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Turn on").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Recovery codes")
    recovery_codes = page.locator(".codes li").all_inner_texts()
    assert len(recovery_codes) == 10
    page.get_by_role("link", name="I have saved them").click()
    expect(page.get_by_text("10 recovery codes left")).to_be_visible()

    other = open_as(None, "/account/", java_script_enabled=scripts)
    enter_password(other, "marco@example.com")
    other.get_by_label("Code", exact=True).fill(second)
    other.keyboard.press("Enter")
    expect(other.get_by_role("heading", level=1)).to_have_text("Your account")

    third = open_as(None, "/login/", java_script_enabled=scripts)
    enter_password(third, "marco@example.com")
    third.get_by_label("Code", exact=True).fill(second)
    third.keyboard.press("Enter")
    expect(third.get_by_role("alert")).to_contain_text("already been used")
    third.get_by_label("Code", exact=True).fill(recovery_codes[0])
    third.keyboard.press("Enter")
    expect(third.get_by_role("heading", level=1)).to_have_text("Hello, Marco Peña")
    expect(third.locator("[data-toast]")).to_contain_text("9 left")


def test_recovery_codes_can_be_copied_and_printed(open_as: Open, world: World) -> None:
    switch_on(world.people["moderator"])
    page = open_as("moderator", SET_UP, permissions=["clipboard-read", "clipboard-write"])
    # Both forms have a field with this label.
    page.get_by_label("Your password").first.fill(PASSWORD)
    page.get_by_role("button", name="Create new recovery codes").click()
    recovery_codes = page.locator(".codes li").all_inner_texts()
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").split("\n") == recovery_codes
    page.evaluate("() => { window.print = () => { document.body.dataset.printed = 'yes'; }; }")
    page.get_by_role("button", name="Print").click()
    expect(page.locator("body")).to_have_attribute("data-printed", "yes")
    expect(page.get_by_role("button", name="Copied")).to_have_count(1)
    page.emulate_media(media="print")
    expect(page.locator(".codes")).to_be_visible()
    expect(page.get_by_role("button", name="Print")).to_be_hidden()


def test_an_admin_requires_it_and_a_colleague_must_set_it_up(open_as: Open, world: World) -> None:
    switch_on(world.people["admin"])
    theirs = open_as("staff", "/account/")
    page = open_as("admin", "/people/")
    page.get_by_role("link", name="Sign-in rules").click()
    page.get_by_label("Event staff").check()
    page.get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-toast]")).to_contain_text("apply immediately")

    theirs.get_by_label("Name").fill("Sofi")
    theirs.get_by_role("button", name="Save").click()
    expect(theirs.get_by_text("Set up a second factor first")).to_be_visible()
    expect(theirs.get_by_label("Name")).to_have_value("Sofi")
    theirs.get_by_role("link", name="Set it up").click()
    theirs.get_by_role("button", name="Leave without saving").click()
    theirs.get_by_label("Code", exact=True).fill(code_of(read_app(theirs)))
    theirs.get_by_label("Your password").fill(PASSWORD)
    theirs.keyboard.press("Enter")
    theirs.get_by_role("link", name="I have saved them").click()
    expect(theirs.get_by_role("heading", level=1)).to_have_text("Your account")
    assert queries.load_person("sofia@example.com").has_second_factor

    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Event staff")).not_to_be_checked()


def test_axe_finds_nothing_serious_on_the_second_factor_pages(open_as: Open, world: World) -> None:
    """Covers the pages that test_accessibility does not: its people have no second factor."""
    look = {"viewport": SIZES["wide"], "reduced_motion": "reduce"}
    alma, _codes = switch_on(world.people["admin"])
    switch_on(world.people["moderator"])
    security.require_second_factor([Role.STAFF], by=alma, revision=0, command=new_command(ACTOR))
    halfway = open_as(None, "/login/", **look)
    enter_password(halfway, "marco@example.com")
    found = complaints_at_both_widths(halfway)
    required = open_as("staff", "/", **look)
    expect(required.get_by_text("Your role needs a second factor")).to_be_visible()
    found += complaints_at_both_widths(required)
    page = open_as("moderator", SET_UP, **look)
    found += complaints_at_both_widths(page)
    page.get_by_role("button", name="Turn off").click()
    page.locator("[data-errors]").wait_for()
    found += complaints_at_both_widths(page)
    page.get_by_label("Your password").first.fill(PASSWORD)
    page.get_by_role("button", name="Create new recovery codes").click()
    expect(page.locator(".codes")).to_be_visible()
    found += complaints_at_both_widths(page)
    admin = open_as("admin", "/people/marco@example.com/", **look)
    found += complaints_at_both_widths(admin)
    admin.goto("/people/security/")
    found += complaints_at_both_widths(admin)
    assert found == []
