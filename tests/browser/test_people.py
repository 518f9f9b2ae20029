"""The list of people, invitations and sign-in, in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from dashboard.core.clock import now
from dashboard.platform.accounts import queries
from tests.browser.conftest import Open
from tests.bulk_people import write_people
from tests.conftest import PASSWORD

NEW_PASSWORD = "correct horse battery staple"


def test_sign_in_and_out(open_as: Open) -> None:
    page = open_as(None, "/people/")
    expect(page).to_have_url(re.compile(r"/login/\?next="))
    page.get_by_label("E-mail").fill("ALMA@example.com ")
    page.get_by_label("Password", exact=True).fill("wrong password")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Wrong e-mail or password")
    expect(page.get_by_label("E-mail")).to_have_value("ALMA@example.com")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("People")
    page.get_by_role("button", name="Alma Ríos").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(re.compile("/login/"))
    page.goto("/people/")
    expect(page).to_have_url(re.compile("/login/"))


def test_an_invited_person_joins_by_the_link(open_as: Open) -> None:
    page = open_as("admin", "/people/")
    page.keyboard.press("n")
    page.get_by_label("E-mail").fill("nora@example.com")
    page.get_by_label("Name").fill("Nora Sol")
    page.get_by_role("button", name="Invite").click()
    link = page.get_by_label("Send this link to the person").input_value()
    expect(page.locator("[data-toast]")).to_contain_text("Nora Sol invited")

    other = open_as(None, link)
    other.get_by_label("New password").fill(NEW_PASSWORD)
    other.get_by_role("button", name="Set password and sign in").click()
    expect(other.get_by_role("heading", level=1)).to_have_text("Hello, Nora Sol")
    other.goto(link)
    expect(other.get_by_role("heading", level=1)).to_have_text("This link does not work")

    page.goto("/people/nora@example.com/")
    expect(page.get_by_text("Active", exact=True)).to_be_visible()


def test_disable_and_undo_from_the_toast(open_as: Open) -> None:
    page = open_as("admin", "/people/marco@example.com/")
    page.get_by_role("button", name="Disable").click()
    expect(page.locator("[data-toast]")).to_contain_text("Marco Peña disabled")
    assert queries.load_account("marco@example.com").state == "disabled"
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-toast]").filter(has_text="enabled")).to_be_visible()
    assert queries.load_account("marco@example.com").state == "moderator"


def test_two_admins_edit_the_same_person(open_as: Open) -> None:
    mine, theirs = (open_as(who, "/people/marco@example.com/") for who in ("admin", "admin2"))
    theirs.get_by_label("Name").fill("Marco Antonio")
    theirs.get_by_role("button", name="Save").click()
    expect(theirs.get_by_role("heading", level=1)).to_have_text("Marco Antonio")
    mine.get_by_label("Name").fill("Marquitos")
    mine.get_by_role("button", name="Save").click()
    expect(mine.get_by_text("Aldo Paz changed this while you had it open")).to_be_visible()
    row = mine.get_by_role("row").filter(has_text="Name")
    expect(row).to_contain_text("Marquitos")
    expect(row).to_contain_text("Marco Antonio")
    mine.get_by_role("button", name="Replace with mine").click()
    expect(mine.get_by_role("heading", level=1)).to_have_text("Marquitos")
    assert queries.load_account("marco@example.com").name == "Marquitos"


def test_a_double_click_invites_once(open_as: Open) -> None:
    page = open_as("admin", "/people/new/")
    page.get_by_label("E-mail").fill("twice@example.com")
    page.get_by_role("button", name="Invite").dblclick()
    expect(page.get_by_label("Send this link to the person")).to_be_visible()
    person = queries.load_account("twice@example.com")
    assert person.revision == 1


def test_loading_more_keeps_the_scroll_position_and_search_filters(open_as: Open) -> None:
    write_people(120, since=now())
    page = open_as("admin", "/people/")
    rows = page.locator("[data-row]")
    expect(rows).to_have_count(50)
    more = page.get_by_role("link", name="Load more")
    more.scroll_into_view_if_needed()
    place = page.evaluate("scrollY")
    more.click()
    expect(rows).to_have_count(100)
    assert abs(page.evaluate("scrollY") - place) < 80
    expect(rows.nth(50).get_by_role("link")).to_be_focused()
    page.get_by_role("searchbox").fill("person-00011")
    expect(rows).to_have_count(10)
    expect(page).to_have_url(re.compile("q=person-00011"))
    page.get_by_role("link", name="Disabled").click()
    expect(page.get_by_text("Nothing matches")).to_be_visible()


def test_going_back_from_a_person_restores_the_position_in_the_list(open_as: Open) -> None:
    write_people(120, since=now())
    page = open_as("admin", "/people/")
    rows = page.locator("[data-row]")
    page.get_by_role("link", name="Load more").click()
    expect(rows).to_have_count(100)
    row = rows.nth(80).get_by_role("link")
    row.scroll_into_view_if_needed()
    place = page.evaluate("scrollY")
    name = row.inner_text()
    row.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    page.go_back()
    expect(rows).to_have_count(100)
    expect(rows.nth(80).get_by_role("link")).to_be_focused()
    assert abs(page.evaluate("scrollY") - place) < 80


def test_move_select_and_open_by_keyboard(open_as: Open) -> None:
    page = open_as("admin", "/")
    page.keyboard.press("g")
    page.keyboard.press("p")
    expect(page.get_by_role("heading", level=1)).to_have_text("People")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("[data-row]").nth(1).get_by_role("link")).to_be_focused()
    page.keyboard.press("x")
    expect(page.locator("[data-row]").nth(1).get_by_role("checkbox")).to_be_checked()
    expect(page.get_by_text("1 selected")).to_be_visible()
    page.keyboard.press("k")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Aldo Paz")


def test_disable_a_selection_and_undo(open_as: Open) -> None:
    page = open_as("admin", "/people/")
    for name in ("Marco Peña", "Sofía Duarte"):
        page.get_by_role("checkbox", name=f"Select {name}").check()
    page.get_by_role("button", name="Disable").click()
    expect(page.locator("[data-toast]")).to_contain_text("2 people disabled")
    assert (
        queries.load_account("marco@example.com").state == queries.load_account("sofia@example.com").state == "disabled"
    )
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-row]").filter(has_text="Marco Peña")).to_contain_text("Active")
    assert queries.load_account("sofia@example.com").state == "staff"
