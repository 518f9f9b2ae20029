"""Opening and closing on the timeline, by keyboard and by touch, on a slow network."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dashboard.core.clock import now
from dashboard.table import keys, write
from dashboard.table.commands import new_command
from rooms.items import Room
from rooms.queries import rooms as queries
from rooms.services import schedule
from tests.browser.axe import SIZES, complaints, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.browser.network import slow_down
from tests.conftest import ACTOR
from tests.rooms.rooms import BOGOTA, create_room, stored_room
from tests.ui.world import World

URL = "/rooms/"


@pytest.fixture
def room(world: World) -> Room:
    """One room that is open tomorrow from 12:00 to 14:00 in Bogotá."""
    for key in [*(each.key for each in queries.all_rooms()), keys.CONFIG.key(name="schedule")]:
        write.remove(key)
    opening = (now() + timedelta(days=1)).replace(hour=17, minute=0, second=0)
    create_room("sala1", opening, "Salón 1")
    closing = opening + timedelta(hours=2)
    options: dict[str, Any] = {"open_at": opening, "zone": BOGOTA, "close_at": closing, "revision": 1}
    return schedule.set_schedule("sala1", command=new_command(ACTOR), **options)


def drag_by_touch(page: Page, label: str, minutes: int) -> None:
    """Move a handle with a finger."""
    slider = page.get_by_label(label)
    line = page.locator("#room-sala1 .day-line svg").bounding_box()
    assert line is not None
    minute = int(slider.input_value())
    x, y = (line["x"] + line["width"] * minute / 1440, line["y"] + line["height"] / 2)
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for part in range(1, 6):
        point = {"x": x + line["width"] * minutes / 1440 * part / 5, "y": y}
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_closing_is_moved_by_keyboard_and_undone_on_another_day(open_as: Open, room: Room) -> None:
    page = slow_down(open_as("staff", URL))
    time = page.locator("#room-sala1 [data-opening-time]")
    expect(time).to_have_text("12:00–14:00")
    assert complaints_at_both_widths(page) == []
    page.get_by_label("Closing of Salón 1").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]").last).to_contain_text("Salón 1 opens")
    expect(time).to_have_text("12:00–14:05")
    expect(page.get_by_label("Closing of Salón 1")).to_be_focused()
    assert stored_room().close_at == room.close_at + timedelta(minutes=5)
    page.get_by_role("button", name="Undo").click()
    expect(time).to_have_text("12:00–14:00")
    assert (stored_room().open_at, stored_room().close_at) == (room.open_at, room.close_at)
    # Before the opening, it is refused.
    page.get_by_label("Closing of Salón 1").focus()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(page.locator("body")).to_contain_text("A room closes after it opens")
    assert stored_room().close_at == room.close_at


def test_the_handles_are_moved_by_touch_and_a_phone_has_none(open_as: Open, room: Room) -> None:
    page = slow_down(open_as("staff", URL, viewport={"width": 1180, "height": 820}, has_touch=True))
    expect(page.locator("#room-sala1 [data-opening-time]")).to_have_text("12:00–14:00")
    drag_by_touch(page, "Closing of Salón 1", 120)
    expect(page.locator("[data-toast]").last).to_contain_text("Salón 1 opens")
    closing = stored_room().close_at
    assert abs(closing - room.close_at - timedelta(hours=2)) < timedelta(minutes=20)
    with page.expect_response(lambda response: response.request.method == "POST"):
        drag_by_touch(page, "Opening of Salón 1", -120)
    expect(page.locator("#opening-sala1")).not_to_have_value(str(12 * 60))
    expect(page.locator("[data-toast]")).to_have_count(1)
    assert stored_room().open_at < room.open_at and stored_room().close_at == closing
    phone = open_as("staff", URL, viewport=SIZES["phone"], has_touch=True, is_mobile=True)
    expect(phone.locator("#opening-sala1")).to_be_hidden()
    expect(phone.locator("#closing-sala1")).to_be_hidden()
    assert complaints(phone) == []
    # Nothing looks movable: one tap on the timeline leads to the form of the room.
    cell = phone.locator("#room-sala1 .rooms-line")
    expect(cell).to_contain_text("–")
    assert cell.evaluate("cell => getComputedStyle(cell.querySelector('.day-line')).cursor") == "auto"
    cell.locator(".day-line").tap(force=True)
    expect(phone).to_have_url(re.compile(r"/rooms/sala1/#opening-title$"))
    expect(phone.get_by_label("Opens at")).to_be_in_viewport()
    expect(phone.get_by_label("Closes at")).to_be_visible()


def test_a_time_moved_by_keyboard_stays_until_it_is_saved_or_cancelled(open_as: Open, room: Room) -> None:
    page = slow_down(open_as("staff", URL))
    row, time = page.locator("#room-sala1"), page.locator("#room-sala1 [data-opening-time]")
    page.get_by_label("Opening of Salón 1").focus()
    page.keyboard.press("ArrowLeft")
    # Tab leads to the closing, which is moved too, and then to the buttons.
    page.keyboard.press("Tab")
    expect(page.get_by_label("Closing of Salón 1")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(time).to_have_text("11:55–14:05")
    page.keyboard.press("Tab")
    expect(row.get_by_role("button", name="Save Salón 1")).to_be_focused()
    assert complaints(page) == []
    assert (stored_room().open_at, stored_room().close_at) == (room.open_at, room.close_at)
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]").last).to_contain_text("Salón 1 opens")
    expect(time).to_have_text("11:55–14:05")
    expect(row.locator("[data-pending]")).to_have_count(0)
    step = timedelta(minutes=5)
    assert (stored_room().open_at, stored_room().close_at) == (room.open_at - step, room.close_at + step)

    # Leaving the row does not drop a change. Leaving the page asks first.
    page.get_by_label("Opening of Salón 1").focus()
    page.keyboard.press("ArrowLeft")
    page.get_by_label("Find a room").focus()
    expect(time).to_have_text("11:50–14:05")
    page.locator("#room-sala1 .row-link").click()
    page.get_by_role("dialog", name="Leave without saving?").get_by_role("button", name="Keep editing").click()
    row.get_by_role("button", name="Cancel Salón 1").click()
    expect(time).to_have_text("11:55–14:05")
    expect(row.locator("[data-pending]")).to_have_count(0)
    expect(page.get_by_label("Opening of Salón 1")).to_be_focused()
    assert stored_room().open_at == room.open_at - step


def test_a_time_that_was_refused_stays_for_another_attempt(open_as: Open, room: Room) -> None:
    page = slow_down(open_as("staff", URL))
    page.get_by_label("Closing of Salón 1").focus()
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("body")).to_contain_text("A room closes after it opens")
    save = page.locator("#room-sala1").get_by_role("button", name="Save Salón 1")
    expect(save).to_be_visible()
    page.get_by_label("Closing of Salón 1").focus()
    page.keyboard.press("End")
    save.click()
    expect(page.locator("[data-toast]").last).to_contain_text("Salón 1 opens")
    expect(page.locator("#room-sala1 [data-opening-time]")).to_have_text("12:00–23:55")
    assert stored_room().close_at == room.close_at + timedelta(hours=9, minutes=55)
