"""Businesses in a real browser: an admin edits them, and owners switch between them."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from dashboard.platform.businesses import queries
from tests.browser.axe import complaints_at_both_widths
from tests.browser.conftest import Open
from tests.conftest import add_business


def test_create_edit_resolve_a_conflict_and_undo(open_as: Open) -> None:
    page = open_as("admin", "/")
    page.get_by_role("navigation").get_by_role("link", name="Businesses", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Businesses")
    page.keyboard.press("n")
    page.get_by_label("Name", exact=True).fill("La Esquina")
    page.get_by_label("Domain").fill("https://esquina.cl")
    page.get_by_role("button", name="Create").click()
    expect(page.locator("#id_domain_error")).to_contain_text("Enter only the domain")
    expect(page.get_by_label("Name", exact=True)).to_have_value("La Esquina")
    page.get_by_label("Domain").fill("Esquina.cl")
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("La Esquina")
    assert queries.load_business("la-esquina").domain == "esquina.cl"

    theirs = open_as("admin2", "/businesses/la-esquina/")
    theirs.get_by_label("Widget colour").fill("#aa0000")
    theirs.get_by_role("button", name="Save").click()
    expect(theirs.locator("[data-toast]")).to_contain_text("Changes to La Esquina saved.")

    page.locator(".color [type=color]").fill("#00aa00")
    expect(page.get_by_label("Widget colour")).to_have_value("#00aa00")
    page.get_by_label("Plan").select_option("PRO")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Aldo Paz changed this while you had it open")).to_be_visible()
    row = page.get_by_role("row").filter(has_text="Widget colour")
    expect(row).to_contain_text("#00aa00")
    expect(row).to_contain_text("#aa0000")
    page.get_by_role("button", name="Save the selected values").click()
    expect(page.locator("[data-toast]").last).to_contain_text("Changes to La Esquina saved.")
    assert (queries.load_business("la-esquina").color, queries.load_business("la-esquina").plan) == ("#00aa00", "PRO")

    page.get_by_role("button", name="Undo").last.click()
    expect(page.get_by_label("Widget colour")).to_have_value("#aa0000")
    assert (queries.load_business("la-esquina").color, queries.load_business("la-esquina").plan) == ("#aa0000", "FREE")


def test_add_a_member_and_show_the_reason_of_a_suspension(open_as: Open) -> None:
    page = open_as("admin", "/businesses/harbour/")
    page.get_by_label("E-mail", exact=True).fill("nobody@example.com")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("link", name="Invite them")).to_be_visible()
    page.get_by_label("E-mail", exact=True).fill("olivia@example.com")
    page.get_by_role("button", name="Add").click()
    expect(page.locator("#members")).to_contain_text("Olivia Andrade")
    page.get_by_label("Status").select_option("SUSPENDED")
    page.get_by_label("Reason").fill("The invoice of May is open.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-toast]").last).to_contain_text("Harbour Coffee: Suspended.")

    owner = open_as("owner", "/")
    owner.get_by_role("link", name="Harbour Coffee").click()
    expect(owner.locator(".notice")).to_contain_text("The invoice of May is open.")


def test_switch_business_by_keyboard(open_as: Open) -> None:
    add_business("bodega", "Bodega Sur", "olivia@example.com")
    page = open_as("owner", "/b/andina/")
    switcher = page.locator("#switcher")
    page.keyboard.press("s")
    expect(switcher.get_by_role("option")).to_have_count(2)
    expect(switcher.get_by_role("option", name="Coca-Cola Andina")).to_contain_text("current")
    expect(switcher.get_by_role("option", name="Bodega Sur")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    expect(switcher.get_by_role("option", name="Coca-Cola Andina")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/b/bodega/$"))
    expect(page.locator(".switcher")).to_contain_text("Bodega Sur")

    page.locator(".switcher").click()
    page.keyboard.type("andi")
    expect(switcher.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(switcher).not_to_be_visible()
    expect(page.locator(".switcher")).to_be_focused()
    page.keyboard.press("Control+k")
    expect(page.locator("#palette")).to_be_visible()
    page.keyboard.type("andina")
    expect(page.locator("#palette").get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/b/andina/$"))


def test_with_one_business_the_switcher_is_a_link(open_as: Open) -> None:
    page = open_as("neighbour", "/")
    page.locator(".switcher").click()
    expect(page).to_have_url(re.compile("/b/harbour/$"))


def test_switch_business_without_javascript(open_as: Open) -> None:
    add_business("bodega", "Bodega Sur", "olivia@example.com")
    page = open_as("owner", "/b/andina/", java_script_enabled=False)
    page.locator(".switcher").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Switch business")
    page.get_by_role("main").get_by_role("link", name="Bodega Sur").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bodega Sur")
    page.goto(f"{page.url}settings/")
    page.get_by_label("Name", exact=True).fill("Bodega Norte")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Settings saved.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    assert queries.load_business("bodega").name == "Bodega Sur"


def test_on_a_phone_the_switcher_is_in_the_menu(open_as: Open) -> None:
    add_business("bodega", "Bodega Sur", "olivia@example.com")
    page = open_as("owner", "/b/andina/", viewport={"width": 390, "height": 844}, has_touch=True)
    page.get_by_role("button", name="Menu").click()
    page.locator(".switcher").click()
    page.locator("#switcher").get_by_role("option", name="Bodega Sur").click()
    expect(page).to_have_url(re.compile("/b/bodega/$"))


def test_an_owner_invites_a_receptionist_who_sees_only_what_the_role_permits(open_as: Open) -> None:
    page = open_as("owner", "/b/andina/")
    page.keyboard.press("g")
    page.keyboard.press("u")
    expect(page.get_by_role("heading", level=1)).to_have_text("People")
    page.get_by_label("E-mail").fill("rosa@example.com")
    page.locator("#id_name").fill("Rosa Mora")
    page.get_by_label("Role", exact=True).select_option("receptionist")
    assert complaints_at_both_widths(page) == []
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Link for Rosa Mora")
    link = page.get_by_label("Send this link to the person").input_value()
    assert complaints_at_both_widths(page) == []

    rosa = open_as(None, link)
    rosa.get_by_label("New password").fill("una clave larga y propia")
    rosa.get_by_role("button", name="Set password and sign in").click()
    rosa.goto("/b/andina/")
    links = rosa.get_by_role("navigation", name="Main").get_by_role("link")
    expect(links.filter(has_text="Bookings")).to_have_count(1)
    for hidden in ("Brand", "People", "Settings", "API keys", "Audit"):
        expect(links.filter(has_text=hidden)).to_have_count(0)
    rosa.goto("/b/andina/bookings/")
    tabs = rosa.get_by_role("navigation", name="Bookings").get_by_role("link")
    assert tabs.all_inner_texts() == ["Calendar", "Customers"]
    assert complaints_at_both_widths(rosa) == []
    assert rosa.goto("/b/andina/branding/").status == 403  # type: ignore[union-attr]

    page.goto("/b/andina/people/")
    row = page.get_by_role("row").filter(has_text="Rosa Mora")
    expect(row).not_to_contain_text("Invited")
    row.get_by_label("Role of Rosa Mora").select_option("designer")
    row.get_by_role("button", name="Change").click()
    expect(page.locator("[data-toast]").last).to_contain_text("Role of Rosa Mora: Designer.")
    assert rosa.goto("/b/andina/branding/").status == 200  # type: ignore[union-attr]
    page.get_by_role("button", name="Undo").last.click()
    expect(page.locator("[data-toast]").last).to_contain_text("Role of Rosa Mora: Receptionist.")
    row.get_by_role("button", name="Remove Rosa Mora").click()
    expect(page.locator("[data-toast]").last).to_contain_text("rosa@example.com removed from the business.")
    assert rosa.goto("/b/andina/").status == 404  # type: ignore[union-attr]
