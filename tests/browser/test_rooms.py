"""Rooms in a real browser: shift a day's schedule, override a room, move openings, conflicts, focus."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from dashboard.core.clock import now, shifted
from dashboard.platform.due import runner
from dashboard.table import keys, write
from dashboard.table.commands import new_command
from rooms.items import Room
from rooms.queries import rooms as queries
from rooms.services import content, overrides, schedule
from tests.browser.axe import SIZES, complaints, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.conftest import ACTOR
from tests.rooms.rooms import BOGOTA, assert_schedule_matches, create_room, stored_room
from tests.ui.world import World

URL = "/rooms/"
# In UTC: in the middle of the day in Bogotá.
HOUR = 17


@pytest.fixture(autouse=True)
def five_rooms(world: World) -> list[Room]:
    """Five rooms that open tomorrow, and no others."""
    for key in [*(room.key for room in queries.all_rooms()), keys.CONFIG.key(name="schedule")]:
        write.remove(key)
    opening = (now() + timedelta(days=1)).replace(hour=HOUR, minute=0, second=0)
    return [create_room(f"sala{n}", opening + timedelta(minutes=30 * n), f"Salón {n}") for n in range(1, 6)]


def test_shift_a_days_schedule_by_keyboard_and_undo(open_as: Open, five_rooms: list[Room]) -> None:
    before = [room.open_at for room in five_rooms]
    page = open_as("staff", "/")
    page.keyboard.press("g")
    page.keyboard.press("v")
    expect(page.get_by_role("heading", level=1)).to_have_text("Rooms")
    expect(page.locator("[data-row]")).to_have_count(5)
    page.keyboard.press("s")
    page.get_by_label("Minutes").first.fill("15")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Open 5 rooms 15 minutes later")
    assert complaints_at_both_widths(page) == []
    assert [stored_room(room.id).open_at for room in five_rooms] == before, "the preview must not move the openings"
    # The button has the focus.
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="5 rooms shifted")).to_be_visible()
    assert [stored_room(room.id).open_at for room in five_rooms] == [each + timedelta(minutes=15) for each in before]
    assert_schedule_matches()
    page.get_by_role("button", name="Undo all").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Undo:")
    expect(page.get_by_role("heading", name="5 rooms shifted")).to_be_visible()
    assert [stored_room(room.id).open_at for room in five_rooms] == before
    assert_schedule_matches()


def test_an_override_until_the_next_opening_ends_by_itself(open_as: Open, five_rooms: list[Room]) -> None:
    opening = now() + timedelta(minutes=20)
    schedule.set_schedule("sala1", open_at=opening, zone=BOGOTA, revision=1, command=new_command(ACTOR))
    page = open_as("staff", f"{URL}sala1/")
    page.get_by_label("Force closed").check()
    page.get_by_label("when it opens").check()
    page.locator("section", has=page.get_by_role("heading", name="Override")).get_by_role("button", name="Save").click()
    expect(page.locator("[data-toast]").last).to_contain_text("Salón 1 is closed until")
    page.get_by_role("link", name="Rooms").first.click()
    row = page.locator("#room-sala1")
    expect(row).to_contain_text("overridden by Sofía Duarte")
    expect(row.locator("[data-countdown]")).to_contain_text("in 1")
    first = row.locator("[data-countdown]").inner_text()
    expect(row.locator("[data-countdown]")).not_to_have_text(first)
    # The server's clock is set to a few seconds before the opening: the page updates itself at the opening.
    left = (opening - now()).total_seconds()
    with shifted(timedelta(seconds=left - 4)):
        page.reload()
        expect(row).to_contain_text("overridden by Sofía Duarte")
        expect(row).to_contain_text("by schedule")
        expect(row.get_by_text("Open", exact=True).first).to_be_visible()
        assert stored_room("sala1").manual_override == "closed", "the override has ended, but it is still stored"
        list(runner.run())
        assert not stored_room("sala1").manual_override


def test_move_an_opening_by_keyboard_and_by_pointer_and_undo(open_as: Open, five_rooms: list[Room]) -> None:
    opening = five_rooms[0].open_at
    page = open_as("staff", "/")
    # The first page stores the browser's time zone: later pages show times in that zone.
    page.wait_for_load_state("networkidle")
    page.goto(URL)
    slider, time = page.get_by_label("Opening of Salón 1"), page.locator("#room-sala1 [data-opening-time]")
    time_before = time.inner_text()
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#room-sala1 [data-moved]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#room-sala1 [data-moved]")).to_have_count(0)
    assert stored_room("sala1").open_at == opening
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]").last).to_contain_text("Salón 1 opens")
    assert stored_room("sala1").open_at == opening + timedelta(minutes=5)
    expect(page.get_by_label("Opening of Salón 1")).to_be_focused()
    expect(time).not_to_have_text(time_before)
    page.get_by_role("button", name="Undo").click()
    expect(time).to_have_text(time_before)
    assert stored_room("sala1").open_at == opening
    # By pointer: releasing the button saves.
    slider = page.get_by_label("Opening of Salón 2")
    line = page.locator("#room-sala2 .day-line svg").bounding_box()
    assert line is not None
    minute = int(slider.input_value())
    x, y = line["x"] + line["width"] * minute / 1440, line["y"] + line["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - line["width"] / 12, y, steps=4)
    page.mouse.up()
    expect(page.locator("[data-toast]").last).to_contain_text("Salón 2 opens")
    moved = five_rooms[1].open_at - stored_room("sala2").open_at
    assert abs(moved - timedelta(hours=2)) <= timedelta(minutes=10)
    assert_schedule_matches()
    assert complaints(page) == []


def test_two_people_change_the_same_room(open_as: Open) -> None:
    mine, theirs = open_as("staff", URL), open_as("admin", URL)
    theirs.get_by_role("button", name="Open Salón 3").click()
    expect(theirs.locator("[data-toast]")).to_contain_text("Salón 3 is open until")
    mine.get_by_label("Opening of Salón 3").focus()
    mine.keyboard.press("ArrowLeft")
    mine.keyboard.press("Enter")
    expect(mine.locator(".conflict")).to_contain_text("Alma Ríos changed Salón 3 while you had it open")
    assert complaints(mine) == []
    mine.get_by_role("button", name="Replace with mine").click()
    expect(mine.locator("[data-toast]").last).to_contain_text("Salón 3 opens")
    assert stored_room("sala3").manual_override == "open", "the colleague's override must remain"


def test_a_colleagues_change_appears_by_itself_but_not_during_a_selection(open_as: Open) -> None:
    page = open_as("staff", URL)
    page.clock.install()
    overrides.override("sala2", value="open", revision=1, command=new_command(ACTOR))
    page.locator("#room-sala1 [data-select]").check()
    page.clock.fast_forward(60_000)
    page.wait_for_timeout(1500)
    expect(page.locator("#room-sala1 [data-select]")).to_be_checked()
    expect(page.locator("#room-sala2")).to_contain_text("by schedule")
    page.locator("#room-sala1 [data-select]").uncheck()
    expect(page.locator("#room-sala2")).to_contain_text("overridden by Alma Ríos")


def test_open_a_room_on_a_phone(open_as: Open) -> None:
    page = open_as("staff", URL, viewport=SIZES["phone"], has_touch=True, is_mobile=True)
    assert complaints(page) == []
    page.get_by_role("button", name="Open Salón 4").tap()
    expect(page.locator("[data-toast]")).to_contain_text("Salón 4 is open until")
    page.get_by_role("link", name="Salón 4", exact=True).tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Salón 4")
    assert complaints(page) == []
    small = page.evaluate(
        """() => [...document.querySelectorAll("main :is(a.button, button, select, input[type=datetime-local])")]
            .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 43.5)
            .map((element) => element.outerHTML.slice(0, 80))"""
    )
    assert small == []


def test_open_a_room_and_shift_the_schedule_without_scripts(open_as: Open, five_rooms: list[Room]) -> None:
    page = open_as("staff", URL, java_script_enabled=False)
    page.get_by_role("button", name="Open Salón 5").click()
    expect(page.locator("[data-toast]")).to_contain_text("Salón 5 is open until")
    page.locator(".rooms-shift summary").click()
    page.get_by_label("Minutes").first.fill("30")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Shift opening times").click()
    page.wait_for_url("**/operations/**")
    for _press in range(10):
        if page.get_by_role("button", name="Continue").count() == 0:
            break
        page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="5 rooms shifted")).to_be_visible()
    assert stored_room("sala1").open_at == five_rooms[0].open_at + timedelta(minutes=30)
    page.goto(f"{URL}sala1/")
    page.get_by_label("Opens at").fill("2027-03-28T02:30")
    page.locator("#schedule_zone").select_option("Europe/Berlin")
    page.get_by_role("button", name="Save times").click()
    expect(page.locator("#schedule_open_at_error")).to_contain_text("The next time is 03:00")
    expect(page.get_by_label("Opens at")).to_have_value("2027-03-28T02:30")


# --- Focus, pointer and updates ------------------------------------------------------------------------
def test_a_click_beside_the_slider_handle_does_not_move_the_opening(open_as: Open, five_rooms: list[Room]) -> None:
    page = open_as("staff", URL)
    line = page.locator("#room-sala1 .day-line svg").bounding_box()
    assert line is not None
    page.mouse.click(line["x"] + line["width"] * 0.05, line["y"] + line["height"] / 2)
    page.wait_for_timeout(600)
    assert stored_room("sala1").open_at == five_rooms[0].open_at
    assert page.locator("[data-toast]").count() == 0


def test_an_opening_moved_to_the_end_of_the_day_stays_on_the_day_line(open_as: Open) -> None:
    page = open_as("staff", URL)
    page.get_by_label("Opening of Salón 1").focus()
    page.keyboard.press("End")
    expect(page.locator("#room-sala1").get_by_role("button", name="Save Salón 1")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]").last).to_contain_text("Salón 1 opens")
    expect(page.get_by_label("Opening of Salón 1")).to_be_focused()


def test_an_update_of_the_list_keeps_the_focus(open_as: Open) -> None:
    page = open_as("staff", URL)
    selectors = ("#room-sala2 .row-link", "#room-sala2 [data-select]", ".rooms-shift summary")
    for number, selector in enumerate(selectors):
        page.locator(selector).focus()
        value = "open" if number % 2 == 0 else None
        overrides.override("sala4", value=value, revision=1 + number, command=new_command(ACTOR))
        page.evaluate("htmx.trigger('#list', 'rooms:look')")
        expect(page.locator("#act-sala4")).to_contain_text("Back to schedule" if value else "Open")
        expect(page.locator(selector)).to_be_focused()


def test_the_page_of_a_room_updates_when_it_opens_and_keeps_the_input(open_as: Open) -> None:
    opening = now() + timedelta(minutes=20)
    schedule.set_schedule("sala1", open_at=opening, zone=BOGOTA, revision=1, command=new_command(ACTOR))
    with shifted(timedelta(seconds=(opening - now()).total_seconds() - 4)):
        page = open_as("staff", f"{URL}sala1/")
        page.locator("[name=name]").fill("Being written")
        expect(page.locator(".room-state")).to_contain_text("Closed")
        expect(page.locator(".room-state")).to_contain_text("Open")
        expect(page.locator(".room-state [data-countdown]")).to_have_count(0)
        expect(page.locator("[name=name]")).to_have_value("Being written")


def test_after_saving_the_name_the_button_keeps_the_focus(open_as: Open) -> None:
    page = open_as("staff", f"{URL}sala1/", viewport=SIZES["phone"])
    page.locator("[name=name]").fill("Plenaria")
    page.locator("#save-name").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Plenaria")
    expect(page.locator("#save-name")).to_be_focused()
    expect(page.locator("#save-name")).to_be_in_viewport()


def test_after_activating_a_version_its_playing_label_has_the_focus(open_as: Open) -> None:
    fields: dict[str, Any] = {"title": "Segunda noche", "type": "video", "address": "https://vimeo.com/76979871"}
    version = content.create("sala1", command=new_command(ACTOR), **fields).number
    page = open_as("staff", f"{URL}sala1/")
    page.get_by_role("button", name=f"Activate v{version}").click()
    expect(page.locator("[data-toast]").last).to_contain_text(f"Version {version} activated")
    expect(page.locator(f"#act-v{version}")).to_be_focused()
    expect(page.locator(f"#act-v{version}")).to_have_text("Playing")


def test_the_s_key_focuses_the_form_that_shifts_openings(open_as: Open) -> None:
    page = open_as("staff", URL)
    page.keyboard.press("s")
    expect(page.get_by_label("Minutes").first).to_be_focused()


def test_after_a_conflict_the_url_can_be_reloaded(open_as: Open) -> None:
    page = open_as("staff", URL)
    overrides.override("sala3", value="open", revision=1, command=new_command(ACTOR))
    page.locator("#act-sala3").click()
    expect(page.locator(".conflict")).to_contain_text("changed Salón 3")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rooms")


def test_on_a_phone_an_overridden_room_shows_its_name(open_as: Open) -> None:
    overrides.override("sala3", value="closed", revision=1, command=new_command(ACTOR))
    page = open_as("staff", URL, viewport=SIZES["phone"])
    name, act = page.locator("#room-sala3 .main").bounding_box(), page.locator("#act-sala3").bounding_box()
    row = page.locator("#room-sala3").bounding_box()
    assert name is not None and act is not None and row is not None
    assert name["width"] > 120
    assert abs(act["x"] + act["width"] - row["x"] - row["width"]) < 2
