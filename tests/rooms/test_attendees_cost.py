"""What the pages of the event's people cost, with few and with thousands of them."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.audit.entries import put_all
from tests.forum.factories import CLEAN_TEXT, create_post
from tests.rooms.attendees import ANA, an_attendee, many
from tests.rooms.rooms import a_room
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
    """Calls, trips and units."""
    found = {}
    for name, url in PAGES.items():
        response = browser.get(url)
        assert response.status_code == 200
        log = calls_of(response)
        found[name] = (len(log.calls), log.trips, log.units)
    return found


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_every_page_costs_the_same_at_two_and_at_four_thousand_people(table: str, as_staff: Client) -> None:
    for number in range(8):
        a_room(f"sala{number}")
    put_all(many(range(2_000)))
    few = costs(as_staff)
    put_all(many(range(2_000, 4_000)))
    assert costs(as_staff) == few
    assert {trips for _calls, trips, _units in few.values()} == {2}
    # The session; the rooms and the list, with each spelling and the address, side by side.
    assert {name: calls for name, (calls, _trips, _units) in few.items()} == {
        "newest": 3,
        "a country": 3,
        "a country written small": 4,
        "an address": 4,
        "words": 3,
        "words in a country": 3,
        "someone": 5,
    }
    shown = [each for each in parse(as_staff.get(PAGES["newest"])).all("tr") if "data-row" in each.attrs]
    assert len(shown) == 50


def test_ten_cost_no_more_calls_than_a_few_hundred(as_staff: Client) -> None:
    put_all(many(range(10)))
    few = {name: (calls, trips) for name, (calls, trips, _units) in costs(as_staff).items()}
    put_all(many(range(10, 400)))
    assert {name: (calls, trips) for name, (calls, trips, _units) in costs(as_staff).items()} == few


def test_whoever_is_known_elsewhere_by_another_name_takes_one_more(as_staff: Client) -> None:
    """Their posts can only be asked for once it is known by which name."""
    an_attendee(userId={"S": "u-42"})
    create_post(CLEAN_TEXT, author="u-42")
    create_post("Otra cosa", author=ANA)
    response = as_staff.get(f"/rooms/people/{ANA}/")
    page = parse(response)
    assert calls_of(response).trips == 3
    assert CLEAN_TEXT in page.text and "Otra cosa" not in page.text and "u-42" in page.text
    assert [each.attrs["href"] for each in page.all("a") if each.text == "All posts"] == ["/forum/people/u-42/"]
