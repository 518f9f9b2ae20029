"""The activity pages in a real browser: an event arrives, drill down to people, and who was there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from activity.event_rooms import EventRooms
from activity.live import forget_live
from activity.services import log
from dashboard.core.clock import now
from rooms.queries.rooms import all_rooms
from tests.activity.event_days import ANA, BRUNO, CARLA, archive_day, event, log_now
from tests.browser.axe import SIZES, complaints_at_both_widths
from tests.browser.conftest import Open

# The texts that the flows look for, in both languages.
TEXTS = {
    "en": {
        "locale": "en-GB",
        "left": "Left early",
        "entered": "Entered a room",
        "people": "2 people",
        "table": "Show as table",
    },
    "es": {
        "locale": "es-CO",
        "left": "Salieron antes",
        "entered": "Entró a una sala",
        "people": "2 personas",
        "table": "Ver como tabla",
    },
}


def event_zone() -> ZoneInfo:
    return EventRooms.of(all_rooms()).zone


@pytest.fixture
def busy(world: Any, tmp_path: Path, settings: Any) -> Iterator[datetime]:
    """Ten in the morning three days ago, when the archive has visits to sala 3; some people are active now."""
    settings.ACTIVITY_ARCHIVE = str(tmp_path / "archive")
    local = now().astimezone(event_zone()) - timedelta(days=3)
    day = local.replace(hour=10, minute=0, second=0)
    # The log tables have it, too: they keep their events for 90 days.
    log(archive_day(tmp_path / "archive", day), moment=day + timedelta(hours=1))
    forget_live()
    yield day
    forget_live()


@pytest.mark.parametrize("language", ["en", "es"])
def test_watch_an_event_arrive(open_as: Open, busy: datetime, language: str) -> None:
    page = open_as("staff", "/activity/", locale=TEXTS[language]["locale"], viewport=SIZES["phone"])
    row = page.locator("section[aria-labelledby=rooms-now] tr", has_text="Sala 3")
    expect(row.locator(".number")).to_have_text("0")
    log([event(ANA, now() - timedelta(seconds=1))])
    expect(row.locator(".number")).to_have_text("1", timeout=15_000)


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("language", ["en", "es"])
def test_drill_down_from_the_funnel_to_its_people(open_as: Open, busy: datetime, language: str, script: bool) -> None:
    texts = TEXTS[language]
    page = open_as(
        "staff",
        f"/activity/rooms/?day={busy:%Y-%m-%d}",
        locale=texts["locale"],
        viewport=SIZES["phone"],
        java_script_enabled=script,
    )
    expect(page.locator(".funnel thead")).to_contain_text(texts["left"])
    page.locator(".funnel a[href*='step=left']").click()
    expect(page.locator("[data-row]")).to_have_count(1)
    page.get_by_role("link", name=BRUNO).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(BRUNO)
    expect(page.locator(".timeline")).to_contain_text(texts["entered"])


@pytest.mark.parametrize("script", [True, False])
@pytest.mark.parametrize("language", ["en", "es"])
def test_find_who_was_present_at_a_point_in_time(open_as: Open, busy: datetime, language: str, script: bool) -> None:
    texts = TEXTS[language]
    moment = (log_now() - timedelta(minutes=2)).astimezone(event_zone())
    page = open_as(
        "staff", "/activity/moment/", locale=texts["locale"], viewport=SIZES["phone"], java_script_enabled=script
    )
    page.locator("[name=at]").fill(f"{moment:%Y-%m-%dT%H:%M}")
    page.locator("[name=room]").select_option("sala3")
    if not script:
        page.locator(".filters-send").click()
    people = page.locator("section[aria-labelledby=people-title]")
    expect(people.get_by_role("heading")).to_contain_text(texts["people"])
    expect(people).to_contain_text(ANA)
    expect(people).to_contain_text(BRUNO)
    expect(people).not_to_contain_text(CARLA)
    with page.expect_download() as download:
        people.locator("a[download]").click()
    assert ANA in download.value.path().read_text(encoding="utf-8-sig")


def test_a_filter_is_a_chip_that_can_be_removed(open_as: Open, busy: datetime) -> None:
    page = open_as("staff", f"/activity/day/?day={busy:%Y-%m-%d}")
    page.locator("section[aria-labelledby=by-country]").get_by_role("link", name="México").click()
    chip = page.locator(".chip")
    expect(chip).to_have_text("Country: México Remove filter")
    expect(page.locator("section[aria-labelledby=by-country] tbody tr")).to_have_count(1)
    chip.click()
    expect(page.locator(".chip")).to_have_count(0)
    expect(page.locator("section[aria-labelledby=by-country] tbody tr")).to_have_count(3)


def test_charts_are_reachable_by_keyboard(open_as: Open, busy: datetime) -> None:
    page = open_as("staff", f"/activity/rooms/?day={busy:%Y-%m-%d}")
    cell = page.locator(".heat a").first
    cell.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/activity/people/"))
    expect(page.locator("[data-row]").first).to_be_visible()


def test_axe_finds_nothing_serious(open_as: Open, busy: datetime) -> None:
    log_now()
    page = open_as("admin", "/activity/", viewport=SIZES["wide"])
    found = complaints_at_both_widths(page)
    day = f"?day={busy:%Y-%m-%d}"
    other = f"&other={busy - timedelta(days=1):%Y-%m-%d}&country=colombia"
    for path in (
        f"day/{day}",
        f"day/{day}{other}",
        f"rooms/{day}&room=sala3",
        f"countries/{day}",
        f"events/{day}",
        f"people/{day}",
        f"people/{ANA}/",
        "moment/",
        "day/?day=2025-01-01",
    ):
        page.goto(f"/activity/{path}")
        found += complaints_at_both_widths(page)
    assert found == []
