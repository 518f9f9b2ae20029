"""The calendar in a real browser: move bookings by pointer and keyboard, on a phone, without scripts; conflicts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, Route, expect

from bookings.items import Booking, Provider
from bookings.services import bookings as services
from dashboard.core.clock import now
from dashboard.core.ids import new_id
from dashboard.table.commands import new_command
from tests.bookings.bookable_business import reloaded
from tests.bookings.catalog import BOOKINGS, BUSINESS, a_customer, a_provider, a_service, a_week, set_hours
from tests.browser.axe import SIZES, complaints, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.conftest import ACTOR
from tests.ui.world import World

SANTIAGO = ZoneInfo("America/Santiago")


@dataclass(frozen=True)
class Shop:
    """Two providers on a day with no other bookings; Ana has bookings at 10:00 and 12:00."""

    service: str
    ana: Provider
    beto: Provider
    early: Booking
    noon: Booking
    day: datetime

    @property
    def url(self) -> str:
        return f"{BOOKINGS}?day={self.day:%Y-%m-%d}&service={self.service}"

    def at(self, hour: int, minute: int = 0) -> datetime:
        return self.day.replace(hour=hour, minute=minute)


@pytest.fixture
def shop(world: World) -> Shop:
    name = new_id()[-5:]
    service = a_service(f"Masaje {name}")
    ana, beto = (set_hours(a_provider(f"{who} {name}", service.id), a_week()) for who in ("AAna", "ABeto"))
    day = (now() + timedelta(days=5)).astimezone(SANTIAGO).replace(hour=0, minute=0, second=0)
    who = a_customer("Juan Pérez").id

    def book(hour: int) -> Booking:
        start = day.replace(hour=hour)
        return services.create(BUSINESS, service.id, ana.id, start, who, command=new_command(ACTOR))

    return Shop(service.id, ana, beto, book(10), book(12), day)


def block(page: Page, booking: Booking) -> Any:
    return page.locator(f"[id='b-{booking.id}']")


def point_of(page: Page, provider: Provider, start: datetime) -> tuple[float, float]:
    """The screen coordinates of a time, in the middle of the provider's column."""
    found = page.evaluate(
        """([provider, start]) => {
            const column = document.querySelector(`[data-col][data-provider="${provider}"]`);
            const box = column.querySelector(".cal-body").getBoundingClientRect();
            const minute = (Date.parse(start) - Date.parse(column.dataset.start)) / 60000;
            return [box.left + box.width / 2, box.top + minute * box.height / Number(column.dataset.minutes)];
        }""",
        [provider.id, start.isoformat()],
    )
    return found[0], found[1]


def drag(page: Page, booking: Booking, provider: Provider, start: datetime) -> None:
    box = block(page, booking).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 4)
    page.mouse.down()
    x, y = point_of(page, provider, start)
    page.mouse.move(x, y + 2, steps=6)
    x, y = point_of(page, provider, start)
    page.mouse.move(x, y + 5, steps=2)
    page.mouse.up()


def scroll_to(page: Page, booking: Booking) -> None:
    block(page, booking).evaluate("element => element.scrollIntoView({ block: 'center' })")


def test_a_booking_is_dragged_to_another_time_and_provider_and_undone(open_as: Open, shop: Shop) -> None:
    page = open_as("owner", shop.url, viewport={"width": 1280, "height": 1000})
    scroll_to(page, shop.early)
    box = block(page, shop.early).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 4)
    page.mouse.down()
    x, y = point_of(page, shop.beto, shop.at(11, 7))
    page.mouse.move(x, y, steps=5)
    ghost = page.locator(".cal-ghost")
    expect(ghost).to_contain_text("11:00 Juan Pérez")
    page.mouse.up()
    expect(page.locator("[data-toast]").last).to_contain_text("Moved to")
    moved = reloaded(shop.early.id)
    assert (moved.provider, moved.start_time) == (shop.beto.id, shop.at(11))
    expect(page.locator(f"[data-provider='{shop.beto.id}'] .cal-time")).to_have_text("11:00–12:00")
    expect(block(page, shop.early)).to_be_focused()
    assert complaints_at_both_widths(page) == []
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(f"[data-provider='{shop.ana.id}'] .cal-time").first).to_have_text("10:00–11:00")
    assert reloaded(shop.early.id).start_time == shop.at(10)


def test_while_moving_a_booking_unavailable_times_are_announced(open_as: Open, shop: Shop) -> None:
    page = open_as("owner", shop.url, viewport={"width": 1280, "height": 1000})
    block(page, shop.early).focus()
    page.keyboard.press("m")
    ghost, announcement = page.locator(".cal-ghost"), page.locator("#cal-live")
    expect(ghost).to_have_text("10:00 Juan Pérez")
    for _quarter in range(4):
        page.keyboard.press("ArrowDown")
    expect(ghost).to_have_text("11:00 Juan Pérez")
    page.keyboard.press("ArrowDown")
    expect(ghost).to_have_text("11:15 Juan Pérez: taken")
    expect(announcement).to_contain_text(": taken")
    page.keyboard.press("ArrowRight")
    expect(ghost).to_have_text("11:15 Juan Pérez")
    for _quarter in range(60):
        page.keyboard.press("ArrowDown")
    expect(ghost).to_contain_text("outside working hours")
    page.keyboard.press("Escape")


def test_a_drop_on_another_booking_shows_the_conflict_and_offers_free_times(open_as: Open, shop: Shop) -> None:
    page = open_as("owner", shop.url, viewport={"width": 1280, "height": 1000})
    scroll_to(page, shop.early)
    drag(page, shop.early, shop.ana, shop.at(11, 30))
    notice = page.locator(".notice").first
    expect(notice).to_contain_text("Juan Pérez is booked from 12:00 to 13:00")
    assert reloaded(shop.early.id).start_time == shop.at(10)
    # The booking's own details are still shown.
    expect(page.locator(".cal-intro")).to_contain_text("Juan Pérez · Masaje")
    expect(page.locator(".cal-intro")).to_contain_text("10:00–11:00")
    assert complaints_at_both_widths(page) == []
    assert page.url.endswith(shop.url), "the URL must still be that of the calendar"
    expect(notice.get_by_role("link", name="View that booking")).to_have_attribute("href", f"{BOOKINGS}{shop.noon.id}/")
    expect(notice.get_by_role("button")).to_have_count(3)
    notice.get_by_role("button").first.click()
    expect(page.locator("[data-toast]").last).to_contain_text("Moved to")
    assert reloaded(shop.early.id).start_time == shop.at(13)
    expect(page.locator("[data-grid]")).to_be_visible()


def test_navigate_move_and_create_by_keyboard(open_as: Open, shop: Shop) -> None:
    page = open_as("owner", BOOKINGS)
    for _day in range(5):
        with page.expect_navigation():
            page.keyboard.press("]")
    expect(page.locator("#cal-day")).to_have_value(f"{shop.day:%Y-%m-%d}")
    block(page, shop.early).focus()
    page.keyboard.press("m")
    live = page.locator("#cal-live")
    expect(live).to_contain_text("Moving Juan Pérez: 10:00, AAna")
    page.keyboard.press("ArrowDown")
    expect(live).to_contain_text("10:15, AAna")
    page.keyboard.press("Escape")
    expect(page.locator(".cal-ghost")).to_have_count(0)
    expect(block(page, shop.early)).to_be_focused()
    assert reloaded(shop.early.id).start_time == shop.at(10)
    page.keyboard.press("m")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(live).to_contain_text("10:30, ABeto")
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]").last).to_contain_text("Moved to")
    assert (reloaded(shop.early.id).provider, reloaded(shop.early.id).start_time) == (shop.beto.id, shop.at(10, 30))
    expect(block(page, shop.early)).to_be_focused()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_contain_text("Day before")
    expect(page.locator("#keys")).to_contain_text("Move the focused booking")
    page.keyboard.press("Escape")
    # Create a booking from the calendar, by keyboard.
    page.keyboard.press("n")
    page.wait_for_url("**/new/**")
    page.locator("#new-service").select_option(shop.service)
    expect(page.locator("#new-service")).to_have_value(shop.service)
    page.locator("#new-provider").select_option(shop.beto.id)
    page.locator(".cal-chip", has_text="15:00").locator("input").focus()
    page.keyboard.press("Space")
    page.locator("#new-name").fill("Berta Luz")
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]").last).to_contain_text("Booking for Berta Luz created")
    expect(page.locator("[data-just-saved]")).to_be_focused()
    page.keyboard.press("t")
    page.wait_for_function("!new URLSearchParams(location.search).has('day')")


def test_a_filter_changes_the_columns_and_prefills_a_new_booking(open_as: Open, shop: Shop) -> None:
    page = open_as("owner", BOOKINGS)
    page.keyboard.press("/")
    expect(page.locator("#cal-provider")).to_be_focused()
    page.locator("#cal-provider").select_option(shop.beto.id)
    expect(page.locator("[data-col]")).to_have_count(1)
    page.locator("#cal-day").fill(f"{shop.day:%Y-%m-%d}")
    expect(page.locator("#cal-new")).to_have_attribute(
        "href", f"{BOOKINGS}new/?day={shop.day:%Y-%m-%d}&provider={shop.beto.id}"
    )
    page.get_by_role("link", name="Clear filters").click()
    expect(block(page, shop.early)).to_be_visible()


def test_a_click_on_a_free_time_starts_a_booking_there(open_as: Open, shop: Shop) -> None:
    page = open_as("owner", shop.url, viewport={"width": 1280, "height": 1000})
    scroll_to(page, shop.noon)
    x, y = point_of(page, shop.beto, shop.at(12, 20))
    page.mouse.click(x, y)
    page.wait_for_url("**/new/**")
    expect(page.locator("#new-provider")).to_have_value(shop.beto.id)
    expect(page.locator(".cal-chip input:checked + span")).to_have_text("12:15")
    assert complaints_at_both_widths(page) == []


def test_a_new_booking_searches_customers_and_marks_providers_who_do_not_offer_the_service(
    open_as: Open, shop: Shop
) -> None:
    other = a_service("Corte")
    page = open_as("owner", f"{BOOKINGS}new/?provider={shop.ana.id}&day={shop.day:%Y-%m-%d}")
    page.get_by_label("Service").select_option(other.id)
    expect(page.locator("#offers")).to_contain_text("This staff member does not offer the service")
    expect(page.locator(f"#new-provider option[value='{shop.ana.id}']")).to_contain_text("does not offer this")
    page.get_by_label("Service").select_option(shop.service)
    expect(page.locator("#offers .cal-chip").first).to_be_visible()
    expect(page.locator("#new-provider")).to_have_value(shop.ana.id)
    who = page.get_by_label("Find a customer")
    who.press_sequentially("juan p")
    expect(page.locator("#people [name=customer]").first).to_be_visible()
    who.press("ArrowDown")
    expect(page.locator("#people [name=customer]").first).to_be_focused()
    who.fill("Zoe Nueva")
    expect(page.get_by_label("Name")).to_have_value("Zoe Nueva")
    expect(who).to_be_focused()
    assert complaints_at_both_widths(page) == []


def test_the_page_updates_itself_and_keeps_focus_and_scroll(open_as: Open, shop: Shop) -> None:
    """A colleague moves a booking: the page updates, keeps focus and scroll, and waits while a booking is moved."""
    page = open_as("owner", shop.url, viewport={"width": 1280, "height": 700})
    grid = page.locator("[data-grid]")
    grid.evaluate("element => { element.scrollTop = 61 }")
    block(page, shop.noon).evaluate("element => element.focus({ preventScroll: true })")
    page.clock.install()
    moved = services.reschedule(
        BUSINESS, shop.early.id, provider=shop.beto.id, start=shop.at(15), revision=1, command=new_command(ACTOR)
    )
    page.clock.run_for(32_000)
    expect(page.locator(f"[data-provider='{shop.beto.id}'] .cal-time")).to_have_text("15:00–16:00")
    expect(block(page, shop.noon)).to_be_focused()
    # The changed booking is highlighted for some seconds and announced.
    expect(page.locator("[data-fresh]")).to_have_attribute("id", f"b-{shop.early.id}")
    expect(page.locator("#cal-changed")).to_contain_text("Just changed: 15:00–16:00 Juan Pérez")
    page.clock.run_for(21_000)
    expect(page.locator("[data-fresh]")).to_have_count(0)
    assert grid.evaluate("element => element.scrollTop") == 61
    # While a booking is being moved, the page does not update.
    page.keyboard.press("m")
    services.cancel(BUSINESS, moved.id, revision=moved.revision, command=new_command(ACTOR))
    page.clock.run_for(32_000)
    expect(page.locator(".cal-ghost")).to_be_visible()
    expect(page.locator(f"[data-provider='{shop.beto.id}'] .cal-time")).to_have_count(1)
    page.keyboard.press("Escape")
    page.clock.run_for(2_000)
    expect(page.locator(f"[data-provider='{shop.beto.id}'] .cal-time")).to_have_count(0)


def test_open_a_booking_cancel_it_and_undo(open_as: Open, shop: Shop) -> None:
    page = open_as("owner", shop.url, viewport={"width": 1280, "height": 1000})
    block(page, shop.noon).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Juan Pérez")
    assert complaints_at_both_widths(page) == []
    page.get_by_label("Reason").fill("Enferma")
    page.get_by_role("button", name="Cancel the booking").click()
    expect(page.locator("[data-toast]").last).to_contain_text("cancelled.")
    expect(page.locator(".history")).to_contain_text("cancelled the booking of Juan Pérez")
    # The pressed button is gone: the focus moves to the booking's status.
    expect(page.locator("#booking-now")).to_be_focused()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("[data-toast]").last).to_contain_text("restored")
    assert reloaded(shop.noon.id).status == "CONFIRMED"


def test_view_and_move_bookings_on_a_phone(open_as: Open, shop: Shop) -> None:
    page = open_as("owner", shop.url, viewport=SIZES["phone"], has_touch=True, is_mobile=True)
    expect(page.locator(".cal-axis")).to_be_hidden()
    expect(page.locator(f"[data-provider='{shop.ana.id}'] .cal-link")).to_have_count(2)
    assert complaints(page) == []
    small = page.evaluate(
        """() => [...document.querySelectorAll("main :is(a.button, button, select, input, .cal-link, .cal-add)")]
            .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 43.5)
            .map((element) => element.outerHTML.slice(0, 90))"""
    )
    assert small == []
    block(page, shop.early).tap()
    page.get_by_role("link", name="Move").tap()
    page.locator(".cal-chip", has_text="16:00").tap()
    page.get_by_role("button", name="Move", exact=True).tap()
    expect(page.locator("[data-toast]")).to_contain_text("Moved to")
    assert reloaded(shop.early.id).start_time == shop.at(16)
    page.goto(f"{shop.url}&view=day")
    expect(page.locator(".cal-axis")).to_be_visible()
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider == 0
    assert complaints(page) == []


def test_create_and_move_bookings_without_scripts(open_as: Open, shop: Shop) -> None:
    page = open_as("owner", shop.url, java_script_enabled=False, viewport={"width": 1280, "height": 1000})
    page.get_by_role("link", name=f"New booking with {shop.beto.title}").click()
    page.get_by_label("Service").select_option(shop.service)
    page.get_by_role("button", name="Show free times").click()
    page.locator(".cal-chip", has_text="09:00").first.click()
    page.get_by_label("Name").fill("Carla Ruiz")
    page.get_by_role("button", name="Book").last.click()
    expect(page.locator("[data-toast]")).to_contain_text("Booking for Carla Ruiz created")
    expect(page.locator(f"[data-provider='{shop.beto.id}']")).to_contain_text("Carla Ruiz")
    # A time that is taken at the first provider: the conflict, and the free times that are offered.
    page.goto(f"{BOOKINGS}new/?service={shop.service}&provider={shop.ana.id}&day={shop.day:%Y-%m-%d}")
    page.get_by_label("Another time", exact=True).last.fill(f"{shop.day:%Y-%m-%d}T10:30")
    page.get_by_label("Name").fill("Diana Sol")
    page.get_by_role("button", name="Book").last.click()
    notice = page.locator(".notice").first
    expect(notice).to_contain_text("Juan Pérez is booked from 10:00 to 11:00")
    notice.get_by_role("button").first.click()
    expect(page.locator("[data-toast]")).to_contain_text("Booking for Diana Sol created")
    # Move a booking with the form, then undo.
    block(page, shop.early).click()
    page.get_by_role("link", name="Move").click()
    page.locator(".cal-chip", has_text="17:00").click()
    page.get_by_role("button", name="Move", exact=True).click()
    expect(page.locator("[data-toast]")).to_contain_text("Moved to")
    assert reloaded(shop.early.id).start_time == shop.at(17)
    page.get_by_role("button", name="Undo").click()
    assert reloaded(shop.early.id).start_time == shop.at(10)


def test_twenty_providers_scroll_inside_the_calendar_in_the_dark_theme_and_print(open_as: Open, shop: Shop) -> None:
    for number in range(18):
        a_provider(f"Z {number} {'Maximiliana Bartolomea ' * 4}", shop.service)
    page = open_as("owner", shop.url, color_scheme="dark", reduced_motion="reduce")
    assert complaints_at_both_widths(page) == []
    inside = page.locator(".cal").evaluate("({ scrollWidth, clientWidth }) => scrollWidth - clientWidth")
    assert inside > 1000
    page.emulate_media(media="print")
    expect(page.locator(".cal-axis")).to_be_hidden()
    expect(page.locator(".sidebar")).to_be_hidden()
    expect(block(page, shop.early)).to_contain_text("10:00–11:00 Juan Pérez")


def test_a_move_shows_that_it_is_being_saved_and_can_be_retried_after_a_failure(open_as: Open, shop: Shop) -> None:
    page = open_as("owner", shop.url, viewport={"width": 1280, "height": 1000})
    waiting: list[Route] = []
    page.route("**/reschedule/", lambda route: waiting.append(route))
    scroll_to(page, shop.early)
    drag(page, shop.early, shop.beto, shop.at(11))
    ghost = page.locator(".cal-ghost")
    expect(ghost).to_have_text("11:00 Juan Pérez · moving…")
    expect(page.locator(".cal-picked")).to_have_count(1)
    # A second drag during the first one is ignored.
    drag(page, shop.noon, shop.beto, shop.at(15))
    expect(ghost).to_have_count(1)
    waiting.pop(0).abort()
    expect(ghost).to_have_count(0)
    expect(page.locator(".cal-picked")).to_have_count(0)
    expect(page.locator("#connection")).to_be_visible()
    assert waiting == []
    # The retry repeats the same move.
    page.unroute("**/reschedule/")
    page.locator("#connection button").click()
    expect(page.locator("[data-toast]").last).to_contain_text("Moved to")
    moved = reloaded(shop.early.id)
    assert (moved.provider, moved.start_time) == (shop.beto.id, shop.at(11))
    assert reloaded(shop.noon.id).start_time == shop.at(12)


def test_a_refused_drop_shows_the_reason(open_as: Open, shop: Shop) -> None:
    page = open_as("owner", shop.url, viewport={"width": 1280, "height": 1000})
    scroll_to(page, shop.early)
    block(page, shop.early).evaluate("element => { element.href = element.href.replace(/.{4}\\/$/, '0000/') }")
    drag(page, shop.early, shop.beto, shop.at(11))
    expect(page.locator("#main .problem")).to_be_visible()
    expect(page.locator(".cal-ghost")).to_have_count(0)


def test_an_update_that_arrives_late_does_not_interrupt_a_move(open_as: Open, shop: Shop) -> None:
    page = open_as("owner", shop.url, viewport={"width": 1280, "height": 1000})
    waiting: list[Route] = []
    page.route(f"**{shop.url}", lambda route: waiting.append(route))
    page.evaluate("htmx.trigger(document.querySelector('[data-calendar]'), 'calendar:look')")
    services.cancel(BUSINESS, shop.noon.id, revision=1, command=new_command(ACTOR))
    block(page, shop.early).focus()
    page.keyboard.press("m")
    page.keyboard.press("ArrowRight")
    with page.expect_response(f"**{shop.url}"):
        waiting.pop(0).continue_()
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]").last).to_contain_text("Moved to")
    assert reloaded(shop.early.id).provider == shop.beto.id
