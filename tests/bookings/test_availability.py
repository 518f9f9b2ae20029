"""Why a start is not free, for whoever asks; and what the calendar costs."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.table.timestamps import to_wire
from tests.bookings.bookable_business import MONDAY, at, book, customer, everything, provider, put, service, works
from tests.bookings.screens import NEW, WHY, url_of
from tests.ui.html import Element, parse
from tests.ui.walk import calls_of

DAY = f"{MONDAY:%Y-%m-%d}"


def ask(client: Client, when: str, **more: str) -> Element:
    answer = client.get(WHY, {"service": "masaje", "provider": "maria", "start": when} | more)
    assert answer.status_code == 200 and calls_of(answer).trips <= 2
    return parse(answer)


@pytest.fixture
def shop(table: str) -> None:
    hours = works("maria", "09:00", "13:00", ["MON", "TUE"])
    for each in hours:
        each.breaks = [{"startTime": "11:00", "endTime": "11:15"}]  # type: ignore[attr-defined]
        each.exceptions = [{"date": at(0, day=1).date().isoformat()}]  # type: ignore[attr-defined]
    put(service(after=15), service("mudo", minutes=None), service("otro"), customer(), provider("maria"), *hours)


@pytest.mark.parametrize(
    ("start", "said"),
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
def test_the_engines_answer_in_words(shop: None, as_owner: Client, start: str, said: str) -> None:
    before = len(everything())
    page = ask(as_owner, start)
    assert said in page.by_class("notice")[0].text
    assert len(everything()) == before, "asking writes nothing"


def test_what_is_in_the_way_is_named_with_the_day_and_the_next_free(shop: None, as_owner: Client) -> None:
    made = book(at(9))
    page = ask(as_owner, f"{DAY}T09:45")
    notice = page.by_class("notice")[0]
    assert "Another booking takes this time, buffers included: 09:00 to 10:15." in notice.text
    assert "Conflicts with Juan Pérez, 09:00–10:00." in notice.text
    assert url_of(made.id) in [each.attrs["href"] for each in notice.all("a")]
    text = page.one("main").one("dl").text
    assert "09:00–11:00, 11:15–13:00" in text and "with its buffers 09:00–10:15" in text
    following = [each.attrs["href"] for each in page.one("main").one("dl").all("a") if "start=" in each.attrs["href"]]
    assert len(following) == 3 and following[0].startswith(NEW)
    # From there one books it.
    assert "checked" in str(
        parse(as_owner.get(following[0])).one("input", name="start", value=to_wire(at(11, 15))).attrs
    )


@pytest.mark.parametrize(
    ("query", "said"),
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
def test_whatever_is_asked_has_an_answer(shop: None, as_owner: Client, query: dict[str, Any], said: str) -> None:
    assert said in ask(as_owner, f"{DAY}T09:30", **query).one("main").text
    assert as_owner.get(WHY).status_code == 200


def test_whoever_leaves_something_out_is_told(shop: None, as_owner: Client) -> None:
    assert not parse(as_owner.get(WHY)).by_class("error")
    for left_out in ("service", "provider", "start"):
        page = ask(as_owner, f"{DAY}T09:30", **{left_out: ""})
        assert page.by_class("error")[0].text == "Choose a service, a staff member and a time."


def test_a_day_on_which_nothing_is_free_says_why_in_the_form(shop: None, as_owner: Client) -> None:
    def said(day: Any) -> str:
        given = {"service": "masaje", "provider": "maria", "day": day.date().isoformat()}
        return parse(as_owner.get(NEW, given)).by_class("cal-full")[0].text

    assert "The staff member has that day off." in said(at(0, day=1))
    assert "The staff member does not work on that day." in said(at(0, day=2))
    assert "This is in the past." in said(at(0, day=-364))
    # A day that is only full needs no other reason.
    for start in (at(9, 30), at(11, 45)):
        book(start)
    assert said(at(0)).startswith("No free times on this day. The next free times:")
