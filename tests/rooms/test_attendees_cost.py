"""The cost of the attendee pages with few and with thousands of attendees."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.audit.entries import put_all
from tests.forum.factories import CLEAN_TEXT, create_post
from tests.rooms.attendees import ANA, create_attendee, raw_attendees
from tests.rooms.rooms import create_room
from tests.ui.html import parse
from tests.ui.walk import calls_of

PAGES = {
    "newest": "/rooms/people/",
    "a country": "/rooms/people/?country=Chile",
    "a country written small": "/rooms/people/?country=chile",
    "an address": "/rooms/people/?q=p00003@example.org",
    "words": "/rooms/people/?q=person",
    "words in a country": "/rooms/people/?country=Chile&q=person",
    "someone": "/rooms/people/p00003@example.org/",
}


def costs(browser: Client) -> dict[str, tuple[int, int, float]]:
    """Calls, round trips and units of each page."""
    cost_by_page = {}
    for name, url in PAGES.items():
        response = browser.get(url)
        assert response.status_code == 200
        log = calls_of(response)
        cost_by_page[name] = (len(log.calls), log.trips, log.units)
    return cost_by_page


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_every_page_costs_the_same_with_2000_and_with_4000_attendees(table: str, as_staff: Client) -> None:
    for number in range(8):
        create_room(f"sala{number}")
    put_all(raw_attendees(range(2_000)))
    few = costs(as_staff)
    put_all(raw_attendees(range(2_000, 4_000)))
    assert costs(as_staff) == few
    assert {trips for _calls, trips, _units in few.values()} == {2}
    # The session; then in parallel the rooms and the list, once for each spelling and for the address.
    assert {name: calls for name, (calls, _trips, _units) in few.items()} == {
        "newest": 3,
        "a country": 3,
        "a country written small": 4,
        "an address": 4,
        "words": 3,
        "words in a country": 3,
        "someone": 5,
    }
    listed_rows = [each for each in parse(as_staff.get(PAGES["newest"])).all("tr") if "data-row" in each.attrs]
    assert len(listed_rows) == 50


def test_every_page_takes_as_many_calls_with_10_as_with_400_attendees(as_staff: Client) -> None:
    put_all(raw_attendees(range(10)))
    few = {name: (calls, trips) for name, (calls, trips, _units) in costs(as_staff).items()}
    put_all(raw_attendees(range(10, 400)))
    assert {name: (calls, trips) for name, (calls, trips, _units) in costs(as_staff).items()} == few


def test_an_attendee_with_another_forum_id_takes_one_more_round_trip(as_staff: Client) -> None:
    """The posts can be read only after the id in the forum is known."""
    create_attendee(userId={"S": "u-42"})
    create_post(CLEAN_TEXT, author="u-42")
    create_post("Otra cosa", author=ANA)
    response = as_staff.get(f"/rooms/people/{ANA}/")
    page = parse(response)
    assert calls_of(response).trips == 3
    assert CLEAN_TEXT in page.text and "Otra cosa" not in page.text and "u-42" in page.text
    assert [each.attrs["href"] for each in page.all("a") if each.text == "All posts"] == ["/forum/people/u-42/"]
