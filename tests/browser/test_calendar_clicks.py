"""Clicks and drags in the calendar on a slow network: book a free time, cancel a drag, drop on somebody else."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from bookings.queries import bookings as queries
from bookings.services import bookings as services
from bookings.states import Status
from bookings.views import unconfirmed
from dashboard.core.clock import frozen, now
from dashboard.table.commands import new_command
from tests.bookings.bookable_business import reloaded
from tests.bookings.catalog import BOOKINGS, BUSINESS, a_customer, a_provider, a_service, a_week, set_hours
from tests.browser.axe import SIZES, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.browser.network import slow_down
from tests.browser.test_calendar import Shop, block, point_of, scroll_to, shop
from tests.conftest import ACTOR

__all__ = ["shop"]
DESKTOP = {"width": 1280, "height": 1000}


class ClickCounter:
    """Clicks and counts them. A choice in a select takes two: one opens it."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def at(self, x: float, y: float) -> None:
        self.count += 1
        self.page.mouse.click(x, y)

    def on(self, selector: str, text: str = "") -> None:
        self.count += 1
        self.page.locator(selector, has_text=text).first.click()

    def choose(self, selector: str, value: str) -> None:
        self.count += 2
        self.page.locator(selector).select_option(value)


def test_a_receptionist_books_from_the_grid_in_five_clicks_without_typing_a_time(open_as: Open, shop: Shop) -> None:
    """The filter shows a service that the clicked staff member does not offer: the time stays all the same."""
    first, second = a_service(f"Corte {shop.service[-4:]}"), a_service(f"Tinte {shop.service[-4:]}")
    carla = set_hours(a_provider(f"ACarla {shop.service[-4:]}", first.id, second.id), a_week())
    who = a_customer("Rosa Clic")
    page = slow_down(open_as("receptionist", shop.url, viewport=DESKTOP))
    scroll_to(page, shop.noon)
    clicks = ClickCounter(page)
    x, y = point_of(page, carla, shop.at(12, 20))
    page.mouse.move(x, y)
    # The preview of the slot follows the pointer and has the length of the service in the filter.
    preview = page.locator(".cal-slot")
    expect(preview).to_have_text("12:15")
    expect(preview).to_have_attribute("aria-hidden", "true")
    heights = page.evaluate(
        "['.cal-slot', '.cal-tick'].map(each => document.querySelector(each).getBoundingClientRect().height)"
    )
    assert abs(heights[0] - heights[1]) < 2, "an hour"
    page.mouse.move(*point_of(page, shop.ana, shop.at(11, 20)))
    expect(preview).to_have_text("11:15: taken")
    clicks.at(x, y)
    page.wait_for_url("**/new/**")
    expect(page.locator("#start-at")).to_have_value(f"{shop.day:%Y-%m-%d}T12:15")
    expect(page.locator("#new-service")).to_have_value("")
    clicks.choose("#new-service", second.id)
    expect(page.locator(".cal-chip input:checked + span")).to_have_text("12:15")
    assert complaints_at_both_widths(page) == []
    clicks.on("#people .choice", "Rosa Clic")
    clicks.on("#booking-new .form-actions button", "Book")
    expect(page.locator("[data-toast]").last).to_contain_text("Booking for Rosa Clic created")
    assert clicks.count <= 5
    (booked,) = queries.agenda(BUSINESS, queries.BookingFilter(provider=carla.id)).items
    assert (booked.start_time, booked.customer_id, booked.service_id) == (shop.at(12, 15), who.id, second.id)


def test_a_tap_on_the_grid_keeps_the_time_and_the_only_service(open_as: Open, shop: Shop) -> None:
    """With a staff member in the filter. They offer one service, which the form selects."""
    url = f"{BOOKINGS}?view=week&day={shop.day:%Y-%m-%d}&provider={shop.beto.id}&status=PENDING"
    page = slow_down(open_as("owner", url, viewport={"width": 820, "height": 1100}, has_touch=True))
    column = page.locator(f"[data-col][data-new*='day={shop.day:%Y-%m-%d}'] .cal-body")
    place = column.evaluate(
        """(body, start) => {
            const column = body.closest("[data-col]");
            const minute = (Date.parse(start) - Date.parse(column.dataset.start)) / 60000;
            return minute * body.getBoundingClientRect().height / Number(column.dataset.minutes);
        }""",
        shop.at(15, 40).isoformat(),
    )
    column.tap(position={"x": 30, "y": place})
    page.wait_for_url("**/new/**")
    expect(page.locator(".cal-slot")).to_have_count(0)
    expect(page.locator("#new-service")).to_have_value(shop.service)
    expect(page.locator(".cal-chip input:checked + span")).to_have_text("15:30")


@pytest.mark.parametrize("key", ["Escape", "Shift+Escape"])
def test_escape_cancels_a_drag_and_the_release_changes_nothing(open_as: Open, shop: Shop, key: str) -> None:
    page = slow_down(open_as("owner", shop.url, viewport=DESKTOP))
    scroll_to(page, shop.early)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url) if "calendar" not in request.url else None)
    box = block(page, shop.early).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 4)
    page.mouse.down()
    page.mouse.move(*point_of(page, shop.beto, shop.at(15)), steps=5)
    expect(page.locator(".cal-ghost")).to_have_count(1)
    page.keyboard.press(key)
    expect(page.locator(".cal-ghost")).to_have_count(0)
    expect(page.locator("#cal-live")).to_have_text("Move cancelled.")
    # Moving on does not take the booking up again.
    page.mouse.move(*point_of(page, shop.ana, shop.at(15)), steps=3)
    expect(page.locator(".cal-ghost")).to_have_count(0)
    page.mouse.up()
    # A cancelled drag that ends where it began opens nothing either.
    page.mouse.move(box["x"] + 20, box["y"] + 4)
    page.mouse.down()
    page.mouse.move(box["x"] + 20, box["y"] + 60, steps=3)
    page.keyboard.press(key)
    page.mouse.move(box["x"] + 20, box["y"] + 4, steps=3)
    page.mouse.up()
    page.wait_for_timeout(900)
    assert [each for each in requests if "/static/" not in each] == []
    assert page.url.endswith(shop.url)
    assert reloaded(shop.early.id).start_time == shop.at(10)
    # The next click works.
    block(page, shop.early).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Juan Pérez")


def test_a_drop_on_someone_who_does_not_offer_the_service_gives_three_options(open_as: Open, shop: Shop) -> None:
    other = a_service(f"Corte {shop.service[-4:]}")
    carla = set_hours(a_provider(f"ACarla {shop.service[-4:]}", other.id), a_week())
    page = slow_down(open_as("owner", shop.url, viewport=DESKTOP))

    def drop_on_carla() -> None:
        block(page, shop.early).focus()
        page.keyboard.press("m")
        for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
            page.keyboard.press(key)
        expect(page.locator("#cal-live")).to_contain_text("10:15, ACarla")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_contain_text("does not offer Masaje")

    drop_on_carla()
    assert complaints_at_both_widths(page) == []
    assert reloaded(shop.early.id).start_time == shop.at(10)
    # Return to the original slot: nothing has changed.
    page.get_by_role("link", name="Return to the original slot").click()
    expect(block(page, shop.early)).to_be_focused()
    assert (reloaded(shop.early.id).provider, reloaded(shop.early.id).revision) == (shop.ana.id, shop.early.revision)
    # See who offers it, and move it there by touch or mouse.
    drop_on_carla()
    page.get_by_role("link", name="See who offers it").click()
    expect(page.locator("#move-provider option")).to_have_text([shop.ana.title, shop.beto.title])
    page.go_back()
    drop_on_carla()
    page.get_by_role("link", name=shop.beto.title).click()
    expect(page.locator("#move-provider")).to_have_value(shop.beto.id)
    expect(page.locator(".cal-chip input:checked + span")).to_contain_text("10:15")
    page.go_back()
    # Book another service for the same customer, there and then.
    drop_on_carla()
    page.get_by_role("link", name="Book another service").click()
    page.wait_for_url("**/new/**")
    expect(page.locator("#new-provider")).to_have_value(carla.id)
    expect(page.locator("#new-service")).to_have_value(other.id)
    expect(page.locator(".cal-chip input:checked + span")).to_have_text("10:15")
    expect(page.locator("#people input:checked + span")).to_contain_text("Juan Pérez")


def book_in_the_past(shop: Shop, name: str, count: int) -> list[str]:
    """The ids of bookings to confirm that have begun."""
    ids = []
    with frozen(now() - timedelta(days=4)):
        who = a_customer(name).id
        for number in range(count):
            start = now() + timedelta(days=1, hours=-2 * (number + 1))
            options: dict[str, Any] = {"status": Status.PENDING, "command": new_command(ACTOR)}
            ids.append(services.create(BUSINESS, shop.service, shop.ana.id, start, who, **options).id)
    return ids


def test_several_past_bookings_are_confirmed_by_touch_and_undone(open_as: Open, shop: Shop) -> None:
    ids = book_in_the_past(shop, "Rosa Pasada", 2)
    page = slow_down(open_as("owner", BOOKINGS, viewport=SIZES["phone"], has_touch=True, is_mobile=True))
    page.get_by_role("link", name="Past bookings to confirm").tap()
    rows = page.locator("tr[data-row]", has_text="Rosa Pasada")
    expect(rows).to_have_count(2)
    expect(rows.first.get_by_text(shop.ana.title)).to_be_visible()
    assert complaints_at_both_widths(page) == []
    for number in range(2):
        rows.nth(number).locator("[data-select]").tap()
    page.get_by_role("button", name="Confirm").tap()
    expect(page.locator("[data-toast]").last).to_contain_text("2 bookings confirmed.")
    assert [reloaded(each).status for each in ids] == ["CONFIRMED"] * 2
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("[data-toast]").last).to_contain_text("2 bookings are to confirm again.")
    assert [reloaded(each).status for each in ids] == ["PENDING"] * 2


def test_more_past_bookings_than_one_request_confirms_cannot_be_confirmed(
    open_as: Open, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """*More* adds rows to the list. A selection of too many must not be confirmed in part."""
    monkeypatch.setattr(unconfirmed, "PAGE", 2)
    book_in_the_past(shop, "Rosa Pasada", 3)
    page = slow_down(open_as("receptionist", f"{BOOKINGS}unconfirmed/"))
    page.get_by_role("link", name="Load more").click()
    expect(page.locator("tr[data-row]").nth(2)).to_be_visible()
    for number in range(3):
        page.locator("tr[data-row] [data-select]").nth(number).focus()
        page.keyboard.press("Space")
    confirm = page.get_by_role("button", name="Confirm")
    expect(page.locator(".bulk-count")).to_have_text("3 selected; at most 2 at once")
    expect(confirm).to_be_disabled()
    page.keyboard.press("Space")
    expect(confirm).to_be_enabled()
