"""Possible duplicates are named before a booking is saved or moved, on a slow network; nothing typed is lost."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from bookings.queries.bookings import BookingFilter, agenda
from bookings.queries.customers import customers_of
from tests.bookings.bookable_business import reloaded
from tests.bookings.catalog import BUSINESS, a_customer
from tests.browser.axe import complaints_at_both_widths
from tests.browser.conftest import Open
from tests.browser.network import slow_down
from tests.browser.test_calendar import Shop, block, drag, point_of, scroll_to, shop
from tests.browser.test_calendar_clicks import DESKTOP

__all__ = ["shop"]


def notice(page: Page) -> str:
    """The text of the notice, which has the focus."""
    found = page.locator("main .notice")
    expect(found).to_contain_text("Nothing was saved yet")
    expect(found).to_be_focused()
    expect(found).to_be_in_viewport(ratio=1)
    return " ".join(found.inner_text().split())


def open_form_at(page: Page, shop: Shop, hour: int) -> None:
    page.goto(shop.url)
    scroll_to(page, shop.early)
    page.mouse.click(*point_of(page, shop.beto, shop.at(hour, 5)))
    page.wait_for_url("**/new/**")
    expect(page.locator(".cal-chip input:checked + span")).to_have_text(f"{hour}:00")


def test_possible_duplicates_are_named_and_nothing_is_lost(open_as: Open, shop: Shop) -> None:
    page = slow_down(open_as("receptionist", shop.url, viewport=DESKTOP))
    # The same customer twice at one time.
    open_form_at(page, shop, 10)
    page.locator(f"#people .choice:has(input[value='{shop.early.customer_id}'])").click()
    page.locator("details.cal-more-fields summary").click()
    page.locator("#booking-new [name=note]").fill("With his brother")
    page.get_by_role("button", name="Book", exact=True).click()
    assert f"Juan Pérez already has a booking at this time: {shop.early.service_name}" in notice(page)
    assert complaints_at_both_widths(page) == []
    assert agenda(BUSINESS, BookingFilter(provider=shop.beto.id)).items == []
    expect(page.locator(".cal-chip input:checked + span")).to_have_text("10:00")
    expect(page.locator("#booking-new [name=note]")).to_have_value("With his brother")
    page.get_by_role("button", name="Book anyway").click()
    expect(page.locator("[data-toast]").last).to_contain_text("Booking for Juan Pérez created")
    (second,) = agenda(BUSINESS, BookingFilter(provider=shop.beto.id)).items
    assert (second.start_time, reloaded(second.id).note) == (shop.at(10), "With his brother")

    # A second customer with the same phone: book for the known one instead.
    rosa = a_customer("Rosa Doble", "rosa.doble@example.com", "+56 9 7654 3210")
    known = len(customers_of(BUSINESS).items)
    open_form_at(page, shop, 13)
    page.locator("#new-name").fill("Rosita")
    page.locator("#new-phone").fill(rosa.phone or "")
    page.get_by_role("button", name="Book", exact=True).click()
    assert f"Rosa Doble already has the phone {rosa.phone}" in notice(page)
    expect(page.locator("#new-name")).to_have_value("Rosita")
    assert len(customers_of(BUSINESS).items) == known
    page.get_by_role("button", name="Book for Rosa Doble").click()
    expect(page.locator("[data-toast]").last).to_contain_text("Booking for Rosa Doble created")

    # A booking that is dragged to a time at which its customer has another one.
    page.goto(shop.url)
    scroll_to(page, shop.noon)
    drag(page, shop.early, shop.beto, shop.at(12))
    assert f"Juan Pérez already has a booking at this time: {shop.noon.service_name}" in notice(page)
    assert complaints_at_both_widths(page) == []
    page.get_by_role("link", name="Keep the current time").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Juan Pérez")
    assert reloaded(shop.early.id).revision == shop.early.revision
    page.goto(shop.url)
    scroll_to(page, shop.noon)
    drag(page, shop.early, shop.beto, shop.at(12))
    notice(page)
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Move anyway")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]").last).to_contain_text("Moved to")
    expect(block(page, shop.early)).to_be_visible()
    moved = reloaded(shop.early.id)
    assert (moved.provider, moved.start_time) == (shop.beto.id, shop.at(12))
