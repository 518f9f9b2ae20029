"""The page that says whether a start is free, and why not."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from bookings.services import rules
from dashboard.core.clock import frozen
from dashboard.platform.businesses.queries import load_business
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from tests.bookings.bookable_business import (
    BUSINESS,
    MONDAY,
    all_items,
    at,
    book,
    customer,
    provider,
    put,
    service,
    working_hours,
)
from tests.bookings.screens import AVAILABILITY, NEW, url_of
from tests.conftest import ACTOR, sign_in
from tests.ui.html import Element, parse
from tests.ui.walk import calls_of

DAY = f"{MONDAY:%Y-%m-%d}"


def check_availability(client: Client, when: str, **more: str) -> Element:
    answer = client.get(AVAILABILITY, {"service": "masaje", "provider": "maria", "start": when} | more)
    assert answer.status_code == 200 and calls_of(answer).trips <= 2
    return parse(answer)


@pytest.fixture
def shop(table: str) -> None:
    hours = working_hours("maria", "09:00", "13:00", ["MON", "TUE"])
    for each in hours:
        each.breaks = [{"startTime": "11:00", "endTime": "11:15"}]  # type: ignore[attr-defined]
        each.exceptions = [{"date": at(0, day=1).date().isoformat()}]  # type: ignore[attr-defined]
    put(service(after=15), service("mudo", minutes=None), service("otro"), customer(), provider("maria"), *hours)


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (f"{DAY}T09:30", "free"),
        (f"{DAY}T08:00", "This is outside the staff member's hours, 09:00 to 11:00."),
        (f"{DAY}T10:30", "The staff member has a break from 11:00 to 11:15."),
        (f"{DAY}T12:30", "This is outside the staff member's hours, 11:15 to 13:00."),
        (to_wire(at(10, day=1)), "The staff member has that day off."),
        (to_wire(at(10, day=2)), "The staff member does not work on that day."),
        ("2020-01-06T10:00", "This is in the past."),
        (f"{DAY}T06:30-03:00", "free"),
    ],
)
def test_the_page_says_whether_a_start_is_free_or_why_not(
    shop: None, as_owner: Client, start: str, message: str
) -> None:
    before = len(all_items())
    page = check_availability(as_owner, start)
    assert message in page.by_class("notice")[0].text
    assert len(all_items()) == before, "the check writes nothing"


def test_a_conflict_names_the_other_booking_the_hours_and_the_next_free_times(shop: None, as_owner: Client) -> None:
    booking = book(at(9))
    page = check_availability(as_owner, f"{DAY}T09:45")
    notice = page.by_class("notice")[0]
    assert "Another booking takes this time, buffers included: 09:00 to 10:15." in notice.text
    assert "Conflicts with Juan Pérez, 09:00–10:00." in notice.text
    assert url_of(booking.id) in [each.attrs["href"] for each in notice.all("a")]
    text = page.one("main").one("dl").text
    assert "09:00–11:00, 11:15–13:00" in text and "with its buffers 09:00–10:15" in text
    following = [each.attrs["href"] for each in page.one("main").one("dl").all("a") if "start=" in each.attrs["href"]]
    assert len(following) == 3 and following[0].startswith(NEW)
    # Each link opens the booking form with its time chosen.
    assert "checked" in str(
        parse(as_owner.get(following[0])).one("input", name="start", value=to_wire(at(11, 15))).attrs
    )


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({}, "Check"),
        ({"service": "otro"}, "this staff member does not offer the service"),
        ({"service": "mudo"}, "This service cannot be booked"),
        ({"service": "nothing"}, "Check"),
        ({"provider": "nobody"}, "Check"),
        ({"provider": "a#b"}, "Check"),
        ({"start": "soon"}, "This is not a valid time."),
        ({"start": ""}, "Next free"),
    ],
)
def test_unknown_and_invalid_params_get_an_answer(
    shop: None, as_owner: Client, query: dict[str, Any], message: str
) -> None:
    assert message in check_availability(as_owner, f"{DAY}T09:30", **query).one("main").text
    assert as_owner.get(AVAILABILITY).status_code == 200


def test_a_missing_param_shows_an_error(shop: None, as_owner: Client) -> None:
    assert not parse(as_owner.get(AVAILABILITY)).by_class("error")
    for missing in ("service", "provider", "start"):
        page = check_availability(as_owner, f"{DAY}T09:30", **{missing: ""})
        assert page.by_class("error")[0].text == "Choose a service, a staff member and a time."


def test_the_booking_form_says_why_a_day_has_no_free_times(shop: None, as_owner: Client) -> None:
    def text_of_day(day: Any) -> str:
        params = {"service": "masaje", "provider": "maria", "day": day.date().isoformat()}
        return parse(as_owner.get(NEW, params)).by_class("cal-full")[0].text

    assert "The staff member has that day off." in text_of_day(at(0, day=1))
    assert "The staff member does not work on that day." in text_of_day(at(0, day=2))
    assert "This is in the past." in text_of_day(at(0, day=-364))
    # A fully booked day has no other reason.
    for start in (at(9, 30), at(11, 45)):
        book(start)
    assert text_of_day(at(0)).startswith("No free times on this day. The next free times:")


def next_free_starts(page: Element) -> list[str]:
    links = [each.attrs["href"] for each in page.one("main").one("dl").all("a")]
    return [parse_qs(urlsplit(each).query)["start"][0] for each in links if each.startswith(NEW)]


def test_no_start_is_offered_that_the_same_check_excludes(shop: None, as_owner: Client, people_by_role: Any) -> None:
    """For a past time, and with a long notice, the search begins later than the day of the check."""
    with frozen(at(8)):
        as_owner = sign_in(people_by_role["owner"])
        for start in (at(9), at(11, 15)):
            book(start)
        for when in ("2020-01-06T10:00", f"{DAY}T07:00", f"{DAY}T09:00"):
            offered = next_free_starts(check_availability(as_owner, when))
            assert offered[0] == to_wire(at(9, day=7)), when
        page = parse(as_owner.get(NEW, {"service": "masaje", "provider": "maria", "day": "2020-01-06"}))
        values = [each.attrs["value"] for each in page.all("input", name="start")]
        assert values[:3] == [to_wire(at(9, minute, day=7)) for minute in (0, 15, 30)]
        for each in offered:
            assert "free" in check_availability(as_owner, each).by_class("notice-title")[0].text
        # With a notice of 20 days.
        rules.save(
            BUSINESS,
            {"notice_minutes": 20 * 24 * 60},
            revision=load_business(BUSINESS).revision,
            command=new_command(ACTOR),
        )
        assert next_free_starts(check_availability(as_owner, f"{DAY}T09:30"))[0] == to_wire(at(9, day=21))
        book(at(9, day=21))
        assert next_free_starts(check_availability(as_owner, f"{DAY}T09:30"))[0] == to_wire(at(11, 15, day=21))


def test_nothing_is_offered_with_someone_who_cannot_be_booked(shop: None, as_owner: Client) -> None:
    put(provider("ana", "otro"), *working_hours("ana"), provider("off", "masaje", active=False), *working_hours("off"))
    put(service("gone", active=False), provider("eva", "gone"), *working_hours("eva"))
    page = check_availability(as_owner, f"{DAY}T09:30", service="otro")
    assert next_free_starts(page) == []
    assert "Ana" in page.one("main").one("dl").text
    for query, text in (
        ({"provider": "off"}, "this staff member can no longer be booked"),
        ({"provider": "eva", "service": "gone"}, "this service is no longer offered"),
    ):
        page = check_availability(as_owner, f"{DAY}T09:30", **query)
        assert text in page.by_class("notice-title")[0].text and next_free_starts(page) == []


def test_an_hour_that_a_clock_change_skips_is_named(table: str, as_owner: Client, people_by_role: Any) -> None:
    put(service(), customer(), provider("maria", zone="Europe/Madrid"), *working_hours("maria"))
    with frozen(datetime(2027, 3, 27, 12, tzinfo=UTC)):
        as_owner = sign_in(people_by_role["owner"])
        page = check_availability(as_owner, "2027-03-28T02:30")
        assert "02:30 does not exist that day because the clocks go forward" in page.by_class("error")[0].text
        assert page.one("input", id="why-start").attrs["value"] == "2027-03-28T02:30"
        # The first time after it.
        assert next_free_starts(page)[0] == "2027-03-28T01:00:00Z"
