"""Changes of hours list the bookings that would no longer fit before anything is saved."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from bookings.displaced_bookings import DisplacedBookings, displaced_by
from bookings.hours import WEEKDAYS, DayHours
from bookings.items import Provider
from bookings.services import providers
from dashboard.core.clock import now
from dashboard.table.commands import new_command
from tests.bookings.catalog import (
    ALWAYS,
    BUSINESS,
    SPLIT,
    a_provider,
    a_service,
    a_week,
    hours_now,
    press_undo,
    put_booking,
    set_hours,
)
from tests.bookings.hours_form import button, open_form, reloaded, url_of
from tests.conftest import ACTOR
from tests.ui.html import form_to, parse


def put_booking_in_four_days(provider: Provider) -> datetime:
    """Write a booking of one hour in four days at 10:00 in the provider's zone; return its start."""
    day = (now() + timedelta(days=4)).astimezone(hours_now(provider.id).zone)
    start = day.replace(hour=10, minute=0, second=0).astimezone(UTC)
    service = a_service("Masaje")
    put_booking(provider.id, start, "b1", serviceId=service.id, customerId="cust_1")
    return start


def test_bookings_that_would_not_fit_are_listed_before_anything_is_saved(table: str, as_owner: Client) -> None:
    provider = a_provider()
    set_hours(provider, a_week())
    start = put_booking_in_four_days(provider)
    weekday = WEEKDAYS[hours_now(provider.id).date_of(start).weekday()]
    url = url_of(provider.id)
    fields = {f"{weekday}_range_0_start": "10:30", f"{weekday}_range_0_end": "18:00"}
    answer = as_owner.post(url, open_form(as_owner, provider.id).data(None, **fields))
    assert answer.status_code == 409
    page = parse(answer)
    assert "One upcoming booking would no longer fit" in page.text
    (line,) = page.by_class("displaced-bookings")[0].all("li")
    assert "10:00" in line.text and "Masaje · cust_1" in line.text
    assert line.one("a").attrs["href"].startswith(f"/b/{BUSINESS}/bookings/")
    assert page.one("input", name=f"{weekday}_range_0_start").attrs["value"] == "10:30"
    assert reloaded(provider.id).schedule_revision == 1
    form = form_to(answer, url)
    # Pressing Save again is no confirmation.
    assert as_owner.post(url, form.data(button(form, "save"))).status_code == 409
    (accepting,) = [each for each in form.buttons if each.attrs.get("name") == "accepts"]
    assert as_owner.post(url, form.data(accepting)).status_code == 303
    assert reloaded(provider.id).schedule_revision == 2
    # Undo displaces no booking.
    assert press_undo(as_owner, url).status_code == 303
    assert hours_now(provider.id).weekly[0] == ALWAYS


def test_undo_also_lists_displaced_bookings(table: str, as_owner: Client) -> None:
    provider = a_provider()
    url = url_of(provider.id)
    form = open_form(as_owner, provider.id)
    fields = {f"{day}_range_0_{end}": time for day in WEEKDAYS for end, time in (("start", "00:00"), ("end", "00:00"))}
    as_owner.post(url, form.data(None, **fields))
    put_booking_in_four_days(provider)
    answer = press_undo(as_owner, url)
    assert answer.status_code == 409 and "One upcoming booking would no longer fit" in parse(answer).text
    assert reloaded(provider.id).schedule_revision == 1
    confirm_form = form_to(answer, f"{url}undo/")
    assert as_owner.post(confirm_form.action, confirm_form.data()).status_code == 303
    assert hours_now(provider.id).weekly[0] == DayHours()


def test_a_day_off_displaces_only_the_bookings_of_that_day(table: str, as_owner: Client) -> None:
    provider = a_provider()
    set_hours(provider, a_week())
    start = put_booking_in_four_days(provider)
    day = hours_now(provider.id).date_of(start)
    with pytest.raises(DisplacedBookings) as error:
        set_hours(provider, a_week(dates={day: None}), revision=1)
    assert [each.booking_id for each in error.value.bookings] == ["b1"]
    set_hours(provider, a_week(dates={day + timedelta(days=1): None}), revision=1)
    assert reloaded(provider.id).schedule_revision == 2


@pytest.mark.parametrize(
    ("booking", "is_displaced"),
    [
        ({}, True),
        ({"status": "PENDING"}, True),
        ({"status": "PENDING", "lapsesAt": "2020-01-01T00:00:00Z"}, False),
        ({"status": "PENDING", "lapsesAt": "whenever"}, True),
        ({"status": "CANCELLED"}, False),
        ({"status": "NO_SHOW"}, False),
        ({"status": "PENDING", "lapsesAt": "2020-01-01T00:00:00Z"}, False),
        ({"status": "PENDING", "lapsesAt": "2100-01-01T00:00:00Z"}, True),
        ({"endTime": "whenever"}, True),
        ({"endTime": 5}, True),
    ],
)
def test_which_bookings_count_as_displaced(
    table: str, as_owner: Client, booking: dict[str, Any], is_displaced: bool
) -> None:
    provider = a_provider()
    set_hours(provider, a_week())
    put_booking(provider.id, now() + timedelta(days=2), **booking)
    try:
        set_hours(provider, a_week({}), revision=1)
        is_listed = False
    except DisplacedBookings:
        is_listed = True
    assert is_listed is is_displaced


def test_bookings_that_did_not_fit_before_are_not_listed(table: str, as_owner: Client) -> None:
    provider = a_provider()
    put_booking(provider.id, now() + timedelta(days=2))
    set_hours(provider, a_week({"MON": SPLIT}))
    assert reloaded(provider.id).schedule_revision == 1
    before, after = hours_now(provider.id), hours_now(provider.id)
    assert displaced_by([], before, after) == []


def test_hours_of_an_inactive_provider_displace_no_bookings(table: str, as_owner: Client) -> None:
    provider = a_provider()
    set_hours(provider, a_week())
    put_booking(provider.id, now() + timedelta(days=2))
    with pytest.raises(DisplacedBookings) as error:
        providers.deactivate(BUSINESS, provider.id, revision=1, command=new_command(ACTOR))
    accepts = error.value.digest
    providers.deactivate(BUSINESS, provider.id, revision=1, accepts=accepts, command=new_command(ACTOR))
    set_hours(provider, a_week({}), revision=2)
    assert reloaded(provider.id).schedule_revision == 3
