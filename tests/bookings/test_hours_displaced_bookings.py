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
from tests.bookings.hours_form import button, opened, reloaded, url_of
from tests.conftest import ACTOR
from tests.ui.html import form_to, parse


def a_booked_day(provider: Provider) -> datetime:
    """In four days, at ten by the provider's clock, for an hour."""
    day = (now() + timedelta(days=4)).astimezone(hours_now(provider.id).zone)
    start = day.replace(hour=10, minute=0, second=0).astimezone(UTC)
    service = a_service("Masaje")
    put_booking(provider.id, start, "b1", serviceId=service.id, customerId="cust_1")
    return start


def test_bookings_that_would_not_fit_are_listed_before_anything_is_saved(table: str, as_owner: Client) -> None:
    provider = a_provider()
    set_hours(provider, a_week())
    start = a_booked_day(provider)
    weekday = WEEKDAYS[hours_now(provider.id).date_of(start).weekday()]
    url = url_of(provider.id)
    typed = {f"{weekday}_range_0_start": "10:30", f"{weekday}_range_0_end": "18:00"}
    answer = as_owner.post(url, opened(as_owner, provider.id).data(None, **typed))
    assert answer.status_code == 409
    page = parse(answer)
    assert "One upcoming booking would no longer fit" in page.text
    (line,) = page.by_class("displaced-bookings")[0].all("li")
    assert "10:00" in line.text and "Masaje · cust_1" in line.text
    assert line.one("a").attrs["href"].startswith(f"/b/{BUSINESS}/bookings/")
    assert page.one("input", name=f"{weekday}_range_0_start").attrs["value"] == "10:30"
    assert reloaded(provider.id).schedule_revision == 1
    form = form_to(answer, url)
    # Pressing Save again is no consent.
    assert as_owner.post(url, form.data(button(form, "save"))).status_code == 409
    (accepting,) = [each for each in form.buttons if each.attrs.get("name") == "accepts"]
    assert as_owner.post(url, form.data(accepting)).status_code == 303
    assert reloaded(provider.id).schedule_revision == 2
    # On the way back nothing is lost.
    assert press_undo(as_owner, url).status_code == 303
    assert hours_now(provider.id).weekly[0] == ALWAYS


def test_undo_too_lists_what_it_would_strand(table: str, as_owner: Client) -> None:
    provider = a_provider()
    url = url_of(provider.id)
    form = opened(as_owner, provider.id)
    typed = {f"{day}_range_0_{end}": time for day in WEEKDAYS for end, time in (("start", "00:00"), ("end", "00:00"))}
    as_owner.post(url, form.data(None, **typed))
    a_booked_day(provider)
    answer = press_undo(as_owner, url)
    assert answer.status_code == 409 and "One upcoming booking would no longer fit" in parse(answer).text
    assert reloaded(provider.id).schedule_revision == 1
    back = form_to(answer, f"{url}undo/")
    assert as_owner.post(back.action, back.data()).status_code == 303
    assert hours_now(provider.id).weekly[0] == DayHours()


def test_a_day_off_strands_what_is_booked_then_and_nothing_else(table: str, as_owner: Client) -> None:
    provider = a_provider()
    set_hours(provider, a_week())
    start = a_booked_day(provider)
    day = hours_now(provider.id).date_of(start)
    with pytest.raises(DisplacedBookings) as error:
        set_hours(provider, a_week(dates={day: None}), revision=1)
    assert [each.booking_id for each in error.value.bookings] == ["b1"]
    set_hours(provider, a_week(dates={day + timedelta(days=1): None}), revision=1)
    assert reloaded(provider.id).schedule_revision == 2


@pytest.mark.parametrize(
    ("booking", "found"),
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
def test_whose_time_counts(table: str, as_owner: Client, booking: dict[str, Any], found: bool) -> None:
    provider = a_provider()
    set_hours(provider, a_week())
    put_booking(provider.id, now() + timedelta(days=2), **booking)
    try:
        set_hours(provider, a_week({}), revision=1)
        listed = False
    except DisplacedBookings:
        listed = True
    assert listed is found


def test_what_did_not_fit_before_is_not_told_again(table: str, as_owner: Client) -> None:
    provider = a_provider()
    put_booking(provider.id, now() + timedelta(days=2))
    set_hours(provider, a_week({"MON": SPLIT}))
    assert reloaded(provider.id).schedule_revision == 1
    before, after = hours_now(provider.id), hours_now(provider.id)
    assert displaced_by([], before, after) == []


def test_hours_of_someone_who_is_not_booked_strand_nobody(table: str, as_owner: Client) -> None:
    provider = a_provider()
    set_hours(provider, a_week())
    put_booking(provider.id, now() + timedelta(days=2))
    with pytest.raises(DisplacedBookings) as error:
        providers.deactivate(BUSINESS, provider.id, revision=1, command=new_command(ACTOR))
    accepts = error.value.digest
    providers.deactivate(BUSINESS, provider.id, revision=1, accepts=accepts, command=new_command(ACTOR))
    set_hours(provider, a_week({}), revision=2)
    assert reloaded(provider.id).schedule_revision == 3
