"""The room pages: polling, comparison of conflicts, history and error messages."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.test import Client

from dashboard.core.clock import frozen
from dashboard.table.commands import new_command
from rooms.services import overrides, schedule
from rooms.timeline import Day
from tests.conftest import ACTOR, sign_in
from tests.rooms.rooms import BOGOTA, DAY, NINE, TEN, create_room, minutes_from_now, put_item, put_room
from tests.ui.html import parse

URL = "/rooms/"
POLL_HEADERS = {"HX-Request": "true", "HX-Target": "list"}


def poll(client: Client, mark: str, query: str = "") -> Any:
    return client.get(URL + query, headers={**POLL_HEADERS, "X-Seen": mark})


def mark_of(answer: Any) -> str:
    return parse(answer).one("div", id="list").attrs["data-fingerprint"]


# --- Polling -------------------------------------------------------------------------------------
def test_polling_returns_204_until_something_changes(table: str, as_staff: Client) -> None:
    with frozen(TEN):
        create_room("sala1", TEN + timedelta(minutes=1))
        mark = mark_of(as_staff.get(URL))
        assert poll(as_staff, mark).status_code == 204
        assert poll(as_staff, mark, "?show=open").status_code == 200, "the mark belongs to the page without this filter"
        assert as_staff.get(URL, headers={"X-Seen": mark}).status_code == 200, "a full page is never empty"
        overrides.override("sala1", value="open", revision=1, command=new_command(ACTOR))
        answer = poll(as_staff, mark)
        assert answer.status_code == 200 and "overridden by Alma Ríos" in parse(answer).text
        overrides.override("sala1", value=None, revision=2, command=new_command(ACTOR))
        mark = mark_of(as_staff.get(URL))
    with frozen(TEN + timedelta(minutes=1)):
        assert poll(as_staff, mark).status_code == 200, "the room has opened by schedule, without a write"


def test_polling_returns_a_waiting_toast(table: str, as_staff: Client) -> None:
    with frozen(TEN):
        room = create_room("sala1", TEN + timedelta(hours=1))
        mark = mark_of(as_staff.get(URL))
        fields = {"open_at": "2026-03-02T11:00:00Z", "zone": BOGOTA, "revision": room.revision}
        as_staff.post(f"{URL}sala1/schedule/", fields, headers={"HX-Request": "true", "HX-Target": "list"})
        answer = poll(as_staff, mark)
        assert answer.status_code == 200 and "Nothing was changed." in parse(answer).text


def test_days_of_another_year_show_the_year(table: str, as_staff: Client) -> None:
    with frozen(TEN):
        create_room("sala1", TEN + timedelta(days=1))
        create_room("sala2", TEN + timedelta(days=365))
        page = parse(as_staff.get(URL)).text
    assert "Tue 3 Mar " in page and "Tue 3 Mar 2026" not in page and "Tue 2 Mar 2027" in page


def test_the_last_minute_of_the_timeline_is_on_the_same_day() -> None:
    for date, hours in ((DAY.date(), 24), (datetime(2026, 3, 29).date(), 23), (datetime(2026, 10, 25).date(), 25)):
        day = Day(date, ZoneInfo("Europe/Madrid"))
        assert day.last_minute == 60 * hours - 1 and day.contains(day.start + timedelta(minutes=day.last_minute))


def test_an_empty_search_links_back_to_the_day(table: str, as_staff: Client) -> None:
    create_room("sala1", TEN)
    page = parse(as_staff.get(f"{URL}?q=zzz&day=2026-03-02"))
    assert "/rooms/?day=2026-03-02" in [link.attrs["href"] for link in page.all("a") if "Clear" in link.text]


# --- Conflicts -----------------------------------------------------------------------------------
def test_a_conflict_compares_opening_times_in_one_time_zone(table: str, people_by_role: Any) -> None:
    """The timeline sends UTC and the form a local time: the comparison shows both in one time zone."""
    room = create_room("sala1", TEN, "Plenaria")
    schedule.set_schedule("sala1", open_at=NINE, zone=BOGOTA, revision=room.revision, command=new_command(ACTOR))
    fields = {"open_at": "2026-03-02T13:30:00.000Z", "zone": BOGOTA, "revision": room.revision}
    page = parse(sign_in(people_by_role["staff"]).post(f"{URL}sala1/schedule/", fields))
    assert "Alma Ríos changed Plenaria while you had it open" in page.text
    cells = [cell.text for cell in page.all("table")[0].all("td")]
    assert cells[0].startswith("2 Mar 2026, 08:30") and cells[1].startswith("2 Mar 2026, 04:00")


def test_a_conflict_compares_overrides_in_words(table: str, people_by_role: Any) -> None:
    room = create_room("sala1", minutes_from_now(), "Plenaria")
    overrides.override(
        "sala1", value="open", until=minutes_from_now(10), revision=room.revision, command=new_command(ACTOR)
    )
    fields = {"value": "closed", "until": "opening", "revision": room.revision}
    page = parse(sign_in(people_by_role["staff"]).post(f"{URL}sala1/override/", fields))
    table_ = page.all("table")[0]
    assert [row.all("td")[0].text for row in table_.all("tr")[1:]] == ["Force closed", "when it opens"]
    theirs = [row.all("td")[1].text for row in table_.all("tr")[1:]]
    assert theirs[0] == "Force open" and "T" not in theirs[1].split(",")[0], "a formatted date"


# --- History -------------------------------------------------------------------------------------
def test_the_history_shows_times_in_the_zone_of_the_reader(table: str, as_staff: Client) -> None:
    with frozen(NINE):
        room = create_room("sala1", None)
        schedule.set_schedule("sala1", open_at=TEN, zone=BOGOTA, revision=room.revision, command=new_command(ACTOR))
        until = TEN - timedelta(minutes=30)
        overrides.override("sala1", value="closed", until=until, revision=2, command=new_command(ACTOR))
        history = parse(as_staff.get(f"{URL}sala1/")).by_class("history")[0].text
    assert "override: closed · override until: 2 Mar 2026, " in history
    assert "opens at: 2 Mar 2026, " in history
    assert "2026-03-02T" not in history


# --- Errors --------------------------------------------------------------------------------------
def test_an_end_in_the_past_is_reported_at_its_field(table: str, as_staff: Client) -> None:
    create_room()
    fields = {"value": "closed", "until": "time", "until_at": "2020-01-01T10:00", "revision": 1}
    page = parse(as_staff.post(f"{URL}sala1/override/", fields))
    assert page.one("p", id="override_until_at_error").text == "Choose a time in the future."


def test_the_page_says_why_a_room_cannot_be_removed(table: str, as_staff: Client) -> None:
    put_room("sala1", openAt="2026-03-02T10:00:00Z")
    put_item("ROOM#sala1", "CONTENT#v2", title="Bienvenida", GSI1PK="CONTENT#ACTIVE", GSI1SK="sala1")
    assert "To remove this room, deactivate its content first" in parse(as_staff.get(f"{URL}sala1/")).text
