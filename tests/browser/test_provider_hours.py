"""A provider's hours in a real browser: by keyboard, on a phone, without scripts, with displaced bookings."""

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
def provider(world: World) -> Provider:
    marta = a_provider("Marta Ruiz")
    set_hours(marta, a_week({"MON": SPLIT}))
    return marta


def url_of(provider: Provider) -> str:
    return f"{PROVIDERS}{provider.id}/hours/"


def expect_saved(page: Page) -> None:
    expect(page.locator("[data-toast]").last).to_contain_text("Hours of Marta Ruiz saved.")


def test_add_hours_correct_an_overlap_save_and_undo_by_keyboard(open_as: Open, provider: Provider) -> None:
    page = open_as("owner", url_of(provider))
    page.get_by_role("button", name="Tuesday: Add hours").focus()
    page.keyboard.press("Enter")
    # The new row has the focus.
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
    # Enter saves, although Save is not the first button of the form.
    page.locator("#id_TUE_range_1_end").press("Enter")
    expect_saved(page)
    assert hours_now(provider.id).weekly[1] == DayHours((Range(540, 720), Range(780, 840)))
    page.get_by_role("button", name="Undo").click()
    expect_saved(page)
    assert hours_now(provider.id).weekly[1] == DayHours()
    assert complaints_at_both_widths(page) == []


def test_leaving_with_unsaved_copied_hours_asks_first(open_as: Open, provider: Provider) -> None:
    page = open_as("owner", url_of(provider))
    for day in ("Tuesday", "Friday"):
        page.get_by_role("checkbox", name=day).check()
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.locator("#id_FRI_range_1_end")).to_have_value("19:00")
    assert hours_now(provider.id).weekly.get(4) is None, "nothing is saved yet"
    page.get_by_role("link", name="Services").click()
    expect(page.locator("#unsaved")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Save", exact=True).last.click()
    expect_saved(page)
    assert hours_now(provider.id).weekly[4] == SPLIT


def test_the_focus_stays_close_after_removing_and_copying_hours(open_as: Open, provider: Provider) -> None:
    page = open_as("owner", url_of(provider))
    page.get_by_role("button", name="Remove: Monday, hours 2, from").press("Enter")
    expect(page.locator("#id_MON_range_1_start")).to_have_count(0)
    expect(page.get_by_role("button", name="Monday: Add hours")).to_be_focused()
    page.get_by_role("checkbox", name="Friday").check()
    page.get_by_role("button", name="Copy", exact=True).press("Enter")
    expect(page.locator("#id_FRI_range_0_end")).to_have_value("13:00")
    expect(page.get_by_role("button", name="Copy", exact=True)).to_be_focused()


def test_bookings_that_no_longer_fit_are_listed_before_saving(open_as: Open, provider: Provider) -> None:
    set_hours(provider, a_week(), revision=1)
    service = a_service("Masaje")
    day = (now() + timedelta(days=3)).astimezone(hours_now(provider.id).zone)
    start = day.replace(hour=10, minute=0, second=0).astimezone(UTC)
    put_booking(provider.id, start, "b1", serviceId=service.id)
    weekday = WEEKDAYS[day.weekday()]
    page = open_as("owner", url_of(provider))
    page.locator(f"#id_{weekday}_range_0_start").fill("12:00")
    page.get_by_role("button", name="Save", exact=True).last.click()
    notice = page.locator(".notice", has_text="One upcoming booking would no longer fit")
    expect(notice).to_be_focused()
    expect(notice.locator("li")).to_contain_text("Masaje")
    assert queries.load_provider(BUSINESS, provider.id).schedule_revision == 2
    assert complaints_at_both_widths(page) == []
    page.get_by_role("button", name="Save anyway").click()
    expect_saved(page)
    assert queries.load_provider(BUSINESS, provider.id).schedule_revision == 3


def test_add_a_date_on_a_phone(open_as: Open, provider: Provider) -> None:
    page = open_as("owner", url_of(provider), viewport=SIZES["phone"], has_touch=True, is_mobile=True)
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
    expect_saved(page)
    assert list(hours_now(provider.id).exceptions.values()) == [None]
    wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wider <= 0


def test_edit_and_copy_hours_without_scripts(open_as: Open, provider: Provider) -> None:
    page = open_as("owner", url_of(provider), java_script_enabled=False)
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
    expect_saved(page)
    weekly = hours_now(provider.id).weekly
    assert weekly[2] == weekly[3] == DayHours((Range(480, 960),))


def test_axe_finds_nothing_serious_in_the_dark_theme(open_as: Open, provider: Provider) -> None:
    page = open_as("owner", url_of(provider), color_scheme="dark")
    assert complaints(page) == []
    page.goto(f"{PROVIDERS}{provider.id}/")
    assert complaints(page) == []
