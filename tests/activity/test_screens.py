"""The pages of the activity: numbers, links, filters, exports and what they cost."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pyarrow.parquet as pq
import pytest
from django.test import Client

from activity.live import forget_live
from dashboard.core.clock import now
from dashboard.platform.accounts.permissions import Role
from tests.activity.event_days import ANA, BRUNO, CARLA, archive_day, create_rooms, log_now
from tests.bookings.catalog import a_customer, a_provider, put_booking
from tests.conftest import add_business, add_person, sign_in
from tests.rooms.rooms import BOGOTA
from tests.ui.html import Element, parse
from tests.ui.walk import calls_of

pytestmark = pytest.mark.usefixtures("log_tables")


@pytest.fixture
def as_staff(table: str) -> Client:
    return sign_in(add_person("staff@example.com", Role.STAFF))


@pytest.fixture
def rooms(as_staff: Client) -> Iterator[None]:
    create_rooms()
    forget_live()
    # The first page of a process does not know the time zone of the event yet.
    as_staff.get("/activity/")
    forget_live()
    yield
    forget_live()


@pytest.fixture
def closed_day(rooms: None, tmp_path: Path, settings: Any) -> datetime:
    """Ten in the morning three days ago, when the archive has visits to sala 3."""
    settings.ACTIVITY_ARCHIVE = str(tmp_path / "archive")
    local = now().astimezone(ZoneInfo(BOGOTA)) - timedelta(days=3)
    day = local.replace(hour=10, minute=0, second=0)
    archive_day(tmp_path / "archive", day)
    return day


def table_of(page: Element, title: str) -> dict[str, list[str]]:
    """The rows of the table below a heading, by their first cell."""
    section = page.one("section", aria_labelledby=title)
    rows = section.one("tbody").all("tr")
    return {row.all("th")[0].text: [cell.text for cell in row.all("td")] for row in rows}


def test_now_shows_who_is_active_where(as_staff: Client, rooms: None) -> None:
    log_now()
    response = as_staff.get("/activity/")
    page = parse(response)
    assert table_of(page, "rooms-now")["Sala 3"][1:] == ["2"]
    assert table_of(page, "rooms-now")["Sala 1"][1:] == ["1"]
    details = page.by_class("details")[0].text
    assert "Active, 5 minutes 3" in details and "Events, last hour 5 Posts, last hour 1" in details
    assert "Time zone: America/Bogota" in page.text
    assert calls_of(response).trips == 2


def test_now_answers_nothing_new_with_204(as_staff: Client, rooms: None) -> None:
    log_now()
    live = parse(as_staff.get("/activity/")).one("div", data_activity_now="")
    htmx = {"HX-Request": "true", "X-Seen": live.attrs["data-fingerprint"]}
    assert as_staff.get("/activity/", headers=htmx).status_code == 204
    forget_live()
    log_now_later()
    changed = as_staff.get("/activity/", headers=htmx)
    assert changed.status_code == 200 and b"<html" not in changed.content


def log_now_later() -> None:
    from activity.services import log
    from tests.activity.event_days import event

    log([event(CARLA, now() - timedelta(seconds=1), "comment_created", room="sala1")])


def test_viewers_within_a_second_share_one_query(as_staff: Client, rooms: None) -> None:
    as_staff.get("/activity/")
    patterns = [call.pattern for call in calls_of(as_staff.get("/activity/")).calls]
    assert not [each for each in patterns if "now" in each], patterns


def test_now_without_events_says_that_nothing_happens(as_staff: Client, rooms: None) -> None:
    assert "Nothing has happened for an hour." in parse(as_staff.get("/activity/")).text


def test_a_closed_day_by_hour_country_action_and_room(as_staff: Client, closed_day: datetime) -> None:
    response = as_staff.get(f"/activity/day/?day={closed_day:%Y-%m-%d}")
    page = parse(response)
    assert table_of(page, "by-country")["Colombia"][1:] == ["1", "3"]
    assert table_of(page, "by-country")["México"][1:] == ["1", "1"]
    assert table_of(page, "by-action")["Completed a room"][1:] == ["1", "1"]
    assert table_of(page, "by-room") == {"Sala 3": ["", "3", "5"]}
    assert table_of(page, "by-hour")["10:00"] == ["2", "4"]
    assert calls_of(response).trips == 2


def test_every_number_of_a_day_leads_to_what_it_counts(as_staff: Client, closed_day: datetime) -> None:
    page = parse(as_staff.get(f"/activity/day/?day={closed_day:%Y-%m-%d}"))
    links = [
        (cell.text, cell.all("a")[0].attrs["href"])
        for cell in page.by_class("number")
        if cell.all("a") and cell.all("a")[0].attrs["href"].startswith("/activity/")
    ]
    assert len(links) > 10
    for text, url in links:
        rows = [row for row in parse(as_staff.get(url)).all("tr") if "data-row" in row.attrs]
        assert len(rows) == int(text), url


def test_a_filter_narrows_the_day_and_can_be_removed(as_staff: Client, closed_day: datetime) -> None:
    url = f"/activity/day/?day={closed_day:%Y-%m-%d}&country=mexico&room=sala3"
    page = parse(as_staff.get(url))
    assert table_of(page, "by-country") == {"México": ["", "1", "1"]}
    chips = [(chip.text, chip.attrs["href"]) for chip in page.by_class("chip")]
    assert [text for text, _url in chips] == ["Country: México Remove filter", "Room: Sala 3 Remove filter"]
    assert chips[0][1] == f"/activity/day/?day={closed_day:%Y-%m-%d}&room=sala3"


def test_the_funnel_separates_who_left_from_who_came_too_early(as_staff: Client, closed_day: datetime) -> None:
    response = as_staff.get(f"/activity/rooms/?day={closed_day:%Y-%m-%d}&room=sala3")
    page = parse(response)
    heads = [head.text for head in page.by_class("funnel")[0].one("thead").all("th")][2:]
    numbers = dict(zip(heads, table_of(page, "funnel-title")["Sala 3"][1:], strict=True))
    assert numbers | {"Most at once": ""} == {
        "Came": "3",
        "Came before it opened": "1",
        "Entered": "2",
        "Left early": "1",
        "Stayed": "1",
        "Did not complete": "0",
        "Completed": "1",
        "Most at once": "",
    }
    assert numbers["Most at once"].startswith("2 ")
    left = next(a for a in page.all("a") if "step=left" in a.attrs["href"])
    assert [row.all("a")[0].text for row in rows_of(as_staff, left.attrs["href"])] == [BRUNO]
    early = next(a for a in page.all("a") if "step=not_open" in a.attrs["href"])
    assert [row.all("a")[0].text for row in rows_of(as_staff, early.attrs["href"])] == [CARLA]
    assert calls_of(response).trips == 2


def rows_of(browser: Client, url: str) -> list[Element]:
    return [row for row in parse(browser.get(url)).all("tr") if "data-row" in row.attrs]


def test_two_days_are_compared(as_staff: Client, closed_day: datetime) -> None:
    other = closed_day - timedelta(days=1)
    page = parse(as_staff.get(f"/activity/day/?day={closed_day:%Y-%m-%d}&other={other:%Y-%m-%d}"))
    assert table_of(page, "by-country")["Colombia"][1:] == ["1", "3", "0", "0"]
    assert len(page.by_class("legend")[0].all("li")) == 2


def test_countries(as_staff: Client, closed_day: datetime) -> None:
    page = parse(as_staff.get(f"/activity/countries/?day={closed_day:%Y-%m-%d}"))
    found = table_of(page, "countries-title")
    assert found["Colombia"][1:] == ["1", "1", "1", "3"]
    assert found["El Salvador"][1:] == ["1", "0", "0", "1"]


def test_who_was_in_a_room_at_a_point_in_time(as_staff: Client, rooms: None) -> None:
    moment = log_now()
    at = (moment - timedelta(minutes=2)).astimezone(ZoneInfo(BOGOTA))
    response = as_staff.get(f"/activity/moment/?at={at:%Y-%m-%dT%H:%M}&room=sala3&around=5")
    page = parse(response)
    people = page.one("section", aria_labelledby="people-title")
    assert {row.all("a")[0].text for row in people.all("tr") if "data-row" in row.attrs} == {ANA, BRUNO}
    assert "2 people · Sala 3" in people.text
    do = page.one("section", aria_labelledby="actions-title")
    assert do.one("form", method="post").attrs["action"] == "/rooms/shift/"
    assert {link.attrs["href"] for link in do.all("a")} == {"/rooms/sala3/", "/forum/announce/"}
    assert calls_of(response).trips == 2


def test_the_shift_of_a_point_in_time_leads_to_its_preview(as_staff: Client, rooms: None) -> None:
    sent = as_staff.post("/rooms/shift/", {"which": "chosen", "selected": "sala3", "minutes": "15"})
    assert sent.status_code == 303 and "Sala 3" in parse(as_staff.get(sent.headers["Location"])).text


def test_the_people_of_a_point_in_time_as_csv(as_staff: Client, rooms: None) -> None:
    moment = log_now()
    at = (moment - timedelta(minutes=2)).astimezone(ZoneInfo(BOGOTA))
    answer = as_staff.get(f"/activity/moment/export/?at={at:%Y-%m-%dT%H:%M}&room=sala3")
    lines = answer.content.decode("utf-8-sig").splitlines()
    assert [line.partition(",")[0] for line in lines] == ["user", ANA, BRUNO]


def test_the_timeline_of_a_person_with_their_posts(as_staff: Client, rooms: None) -> None:
    log_now()
    response = as_staff.get(f"/activity/people/{ANA}/")
    page = parse(response)
    timeline = page.by_class("timeline")[0].text
    assert "Entered a room · Sala 3" in timeline and "Started a video · Sala 3" in timeline
    assert timeline.index("Started a video") < timeline.index("Entered a room")
    assert "No posts" in page.text and "Bookings" not in page.text
    assert calls_of(response).trips == 2


def test_the_timeline_goes_back_beyond_the_log_tables(
    as_staff: Client, rooms: None, tmp_path: Path, settings: Any
) -> None:
    settings.ACTIVITY_ARCHIVE = str(tmp_path / "archive")
    day = (now() - timedelta(days=200)).replace(hour=15, minute=0, second=0)
    archive_day(tmp_path / "archive", day)
    page = parse(as_staff.get(f"/activity/people/{ANA}/?first={day:%Y-%m-%d}&last={day:%Y-%m-%d}"))
    assert "Completed a room · Sala 3" in page.by_class("timeline")[0].text


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_the_events_of_a_day_as_a_file(as_staff: Client, closed_day: datetime, format: str) -> None:
    answer: Any = as_staff.get(f"/activity/events/export/?day={closed_day:%Y-%m-%d}&as={format}")
    content = b"".join(answer.streaming_content)
    if format == "parquet":
        found = pq.read_table(io.BytesIO(content))
        assert sorted(found["user"].to_pylist()) == sorted([ANA, ANA, ANA, BRUNO, CARLA])
        return
    lines = content.decode("utf-8-sig").splitlines()
    assert len(lines) == 6 and lines[0].startswith("event_id,user,at,action")


BAD = (
    "?day=yesterday",
    "?first=2026-03-05&last=2026-03-01",
    "?hour=99",
    "?step=x",
    "?day=9999-12-31",
    "?country=%00",
    "?domain=" + "x" * 300,
    "?other=x",
)


@pytest.mark.parametrize("page", ["day", "rooms", "countries", "events", "people"])
@pytest.mark.parametrize("query", BAD)
def test_bad_parameters_are_named_and_never_fail(as_staff: Client, rooms: None, page: str, query: str) -> None:
    answer = as_staff.get(f"/activity/{page}/{query}")
    assert answer.status_code == 200 and parse(answer).by_class("error")


@pytest.mark.parametrize("query", ["?at=x", "?at=2026-01-01T10:00&around=x&room=%23", "?at=0001-01-01T00:00"])
def test_a_bad_point_in_time_never_fails(as_staff: Client, rooms: None, query: str) -> None:
    assert as_staff.get(f"/activity/moment/{query}").status_code == 200


@pytest.mark.parametrize("role", [Role.MODERATOR, Role.OWNER])
def test_only_event_staff_and_admins_open_the_pages(table: str, role: Role) -> None:
    browser = sign_in(add_person("other@example.com", role))
    for url in ("", "day/", "rooms/", "countries/", "moment/", "events/", "people/", f"people/{ANA}/"):
        assert browser.get(f"/activity/{url}").status_code == 403, url


def test_every_number_of_now_leads_to_what_it_counts(as_staff: Client, rooms: None) -> None:
    log_now()
    page = parse(as_staff.get("/activity/"))
    details = page.by_class("details")[0]
    urls = [link.attrs["href"] for link in details.all("a")]
    people, events = urls[0], next(each for each in urls if "around=30" in each)
    assert len(rows_of(as_staff, people)) > 3
    listed = parse(as_staff.get(events)).one("section", aria_labelledby="events-title")
    assert len([row for row in listed.all("tr") if "data-row" in row.attrs]) == 5
    action = next(link for link in page.all("a") if "action=post_created" in link.attrs["href"])
    assert {row.all("a")[0].text for row in rows_of(as_staff, action.attrs["href"])} >= {BRUNO}


def test_a_point_in_time_beyond_the_log_tables(as_staff: Client, rooms: None, tmp_path: Path, settings: Any) -> None:
    settings.ACTIVITY_ARCHIVE = str(tmp_path / "archive")
    day = (now() - timedelta(days=200)).replace(hour=15, minute=0, second=0)
    archive_day(tmp_path / "archive", day)
    at = (day + timedelta(minutes=1)).astimezone(ZoneInfo(BOGOTA))
    response = as_staff.get(f"/activity/moment/?at={at:%Y-%m-%dT%H:%M}&room=sala3&around=5")
    people = parse(response).one("section", aria_labelledby="people-title")
    assert {row.all("a")[0].text for row in people.all("tr") if "data-row" in row.attrs} == {ANA, BRUNO}
    assert calls_of(response).trips == 2


def test_bookings_of_a_person_are_shown_to_admins_only(table: str, rooms: None) -> None:
    add_business("andina", "Andina", "olivia@example.com")
    customer, other = a_customer("Ana", ANA).id, a_customer("Carla", CARLA, "+56 9 8765 4321").id
    put_booking(a_provider().id, now().replace(minute=0), customerId=customer)
    admin = sign_in(add_person("root@example.com", Role.ADMIN))
    chosen = parse(admin.get(f"/activity/people/{ANA}/?business=andina"))
    link = next(each for each in chosen.all("a") if f"customer={customer}" in each.attrs["href"])
    response = admin.get(link.attrs["href"])
    assert len(parse(response).one("section", aria_labelledby="bookings-title").all("li")) == 1
    assert calls_of(response).trips == 2
    foreign = parse(admin.get(f"/activity/people/{ANA}/?business=andina&customer={other}"))
    assert not foreign.one("section", aria_labelledby="bookings-title").all("li"), "a customer with another address"
