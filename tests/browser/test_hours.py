"""A provider's hours in a real browser: by keyboard, on a phone, without scripts, and what they would strand."""

from __future__ import annotations

from datetime import UTC, timedelta

import pytest
from playwright.sync_api import Page, expect

from bookings.hours import WEEKDAYS, DayHours, Range
from bookings.items import Provider
from bookings.queries import providers as queries
from dashboard.core.clock import now
from tests.bookings.catalog import (
    BUSINESS,
    PROVIDERS,
    SPLIT,
    a_provider,
    a_service,
    a_week,
    hours_now,
    put_booking,
    set_hours,
)
from tests.browser.axe import SIZES, complaints, complaints_at_both_widths
from tests.browser.conftest import Open
from tests.ui.world import World


@pytest.fixture
def someone(world: World) -> Provider:
    provider = a_provider("Marta Ruiz")
    set_hours(provider, a_week({"MON": SPLIT}))
    return provider


def url_of(provider: Provider) -> str:
    return f"{PROVIDERS}{provider.id}/hours/"


def saved(page: Page) -> None:
    expect(page.locator("[data-toast]").last).to_contain_text("Hours of Marta Ruiz saved.")


def test_by_keyboard_a_row_is_added_written_saved_and_undone(open_as: Open, someone: Provider) -> None:
    page = open_as("owner", url_of(someone))
    page.get_by_role("button", name="Tuesday: Add hours").focus()
    page.keyboard.press("Enter")
    # The new row has the focus: one goes on where one was.
    expect(page.locator("#id_TUE_range_1_start")).to_be_focused()
    page.locator("#id_TUE_range_0_start").fill("09:00")
    page.locator("#id_TUE_range_0_end").fill("12:00")
    page.locator("#id_TUE_range_1_start").fill("11:00")
    page.locator("#id_TUE_range_1_end").fill("14:00")
    page.keyboard.press("Enter")
    expect(page.locator("[data-errors]")).to_be_focused()
    expect(page.locator("#id_TUE_range_1_start_error")).to_contain_text("This overlaps 09:00–12:00.")
    assert complaints_at_both_widths(page) == []
    page.get_by_role("link", name="Tuesday, hours 2, from").click()
    expect(page.locator("#id_TUE_range_1_start")).to_be_focused()
    page.locator("#id_TUE_range_1_start").fill("13:00")
    # Enter saves, whatever stands first in the form.
    page.locator("#id_TUE_range_1_end").press("Enter")
    saved(page)
    assert hours_now(someone.id).weekly[1] == DayHours((Range(540, 720), Range(780, 840)))
    page.get_by_role("button", name="Undo").click()
    saved(page)
    assert hours_now(someone.id).weekly[1] == DayHours()
    assert complaints_at_both_widths(page) == []


def test_leaving_with_a_copied_day_asks_first(open_as: Open, someone: Provider) -> None:
    page = open_as("owner", url_of(someone))
    for day in ("Tuesday", "Friday"):
        page.get_by_role("checkbox", name=day).check()
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator("#id_FRI_range_1_end")).to_have_value("19:00")
    assert hours_now(someone.id).weekly.get(4) is None, "nothing is saved yet"
    page.get_by_role("link", name="Services").click()
    expect(page.locator("#unsaved")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Save", exact=True).last.click()
    saved(page)
    assert hours_now(someone.id).weekly[4] == SPLIT


def test_one_goes_on_where_a_row_was_taken_away_and_a_day_copied(open_as: Open, someone: Provider) -> None:
    page = open_as("owner", url_of(someone))
    page.get_by_role("button", name="Remove: Monday, hours 2, from").press("Enter")
    expect(page.locator("#id_MON_range_1_start")).to_have_count(0)
    expect(page.get_by_role("button", name="Monday: Add hours")).to_be_focused()
    page.get_by_role("checkbox", name="Friday").check()
    page.get_by_role("button", name="Copy", exact=True).press("Enter")
    expect(page.locator("#id_FRI_range_0_end")).to_have_value("13:00")
    expect(page.get_by_role("button", name="Copy", exact=True)).to_be_focused()


def test_what_would_lose_its_time_is_listed_first(open_as: Open, someone: Provider) -> None:
    set_hours(someone, a_week(), revision=1)
    service = a_service("Masaje")
    day = (now() + timedelta(days=3)).astimezone(hours_now(someone.id).zone)
    start = day.replace(hour=10, minute=0, second=0).astimezone(UTC)
    put_booking(someone.id, start, "b1", serviceId=service.id)
    weekday = WEEKDAYS[day.weekday()]
    page = open_as("owner", url_of(someone))
    page.locator(f"#id_{weekday}_range_0_start").fill("12:00")
    page.get_by_role("button", name="Save", exact=True).last.click()
    notice = page.locator(".notice", has_text="One upcoming booking would no longer fit")
    expect(notice).to_be_focused()
    expect(notice.locator("li")).to_contain_text("Masaje")
    assert queries.load_provider(BUSINESS, someone.id).schedule_revision == 2
    assert complaints_at_both_widths(page) == []
    page.get_by_role("button", name="Save anyway").click()
    saved(page)
    assert queries.load_provider(BUSINESS, someone.id).schedule_revision == 3


def test_on_a_phone(open_as: Open, someone: Provider) -> None:
    page = open_as("owner", url_of(someone), viewport=SIZES["phone"], has_touch=True, is_mobile=True)
    assert complaints(page) == []
    small = page.evaluate(
        """() => [...document.querySelectorAll("main :is(a.button, button:not(.sr-only), select, input[type=time])")]
            .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 43.5)
            .map((element) => element.outerHTML.slice(0, 80))"""
    )
    assert small == []
    page.get_by_role("button", name="Add a date").tap()
    expect(page.locator("#id_date_0_day")).to_be_focused()
    page.locator("#id_date_0_day").fill((now() + timedelta(days=20)).date().isoformat())
    page.get_by_role("button", name="Save", exact=True).last.tap()
    saved(page)
    assert list(hours_now(someone.id).exceptions.values()) == [None]
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider <= 0


def test_without_scripts(open_as: Open, someone: Provider) -> None:
    page = open_as("owner", url_of(someone), java_script_enabled=False)
    page.locator("#id_WED_range_0_start").fill("08:00")
    page.locator("#id_WED_range_0_end").fill("16:00")
    page.get_by_role("button", name="Wednesday: Add a break").click()
    expect(page.locator("#id_WED_range_0_start")).to_have_value("08:00")
    page.locator("#id_WED_break_0_start").fill("17:00")
    page.locator("#id_WED_break_0_end").fill("17:30")
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect(page.locator("#id_WED_break_0_start_error")).to_contain_text("A break must be within the hours of its day.")
    expect(page.locator("#id_WED_break_0_start")).to_have_value("17:00")
    page.get_by_role("button", name="Remove: Wednesday, break 1, from").click()
    page.locator("[name=copy_to_THU]").check()
    page.locator("[name=copy_from]").select_option("WED")
    page.get_by_role("button", name="Copy", exact=True).click()
    page.get_by_role("button", name="Save", exact=True).last.click()
    saved(page)
    weekly = hours_now(someone.id).weekly
    assert weekly[2] == weekly[3] == DayHours((Range(480, 960),))


def test_in_the_dark(open_as: Open, someone: Provider) -> None:
    page = open_as("owner", url_of(someone), color_scheme="dark")
    assert complaints(page) == []
    page.goto(f"{PROVIDERS}{someone.id}/")
    assert complaints(page) == []
