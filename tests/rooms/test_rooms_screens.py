"""What the rooms' pages say to whoever looks again, meets a colleague's change, reads what happened, or slips."""

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
LOOKING = {"HX-Request": "true", "HX-Target": "list"}


def look(client: Client, revision: str, query: str = "") -> Any:
    return client.get(URL + query, headers={**LOOKING, "X-Seen": revision})


def mark_of(answer: Any) -> str:
    return parse(answer).one("div", id="list").attrs["data-mark"]


# --- Looking again -------------------------------------------------------------------------------
def test_whoever_looks_again_is_sent_nothing_until_something_has_changed(table: str, as_staff: Client) -> None:
    with frozen(TEN):
        create_room("sala1", TEN + timedelta(minutes=1))
        revision = mark_of(as_staff.get(URL))
        assert look(as_staff, revision).status_code == 204
        assert look(as_staff, revision, "?show=open").status_code == 200, "that is another page"
        assert as_staff.get(URL, headers={"X-Seen": revision}).status_code == 200, "a page is always whole"
        overrides.override("sala1", value="open", revision=1, command=new_command(ACTOR))
        answer = look(as_staff, revision)
        assert answer.status_code == 200 and "overridden by Alma Ríos" in parse(answer).text
        overrides.override("sala1", value=None, revision=2, command=new_command(ACTOR))
        revision = mark_of(as_staff.get(URL))
    with frozen(TEN + timedelta(minutes=1)):
        assert look(as_staff, revision).status_code == 200, "it has opened, though nobody has written anything"


def test_what_there_is_to_say_comes_though_nothing_has_changed(table: str, as_staff: Client) -> None:
    with frozen(TEN):
        room = create_room("sala1", TEN + timedelta(hours=1))
        revision = mark_of(as_staff.get(URL))
        fields = {"open_at": "2026-03-02T11:00:00Z", "zone": BOGOTA, "revision": room.revision}
        as_staff.post(f"{URL}sala1/schedule/", fields, headers={"HX-Request": "true", "HX-Target": "list"})
        answer = look(as_staff, revision)
        assert answer.status_code == 200 and "Nothing was changed." in parse(answer).text


def test_days_of_another_year_say_which(table: str, as_staff: Client) -> None:
    with frozen(TEN):
        create_room("sala1", TEN + timedelta(days=1))
        create_room("sala2", TEN + timedelta(days=365))
        page = parse(as_staff.get(URL)).text
    assert "Tue 3 Mar " in page and "Tue 3 Mar 2026" not in page and "Tue 2 Mar 2027" in page


def test_what_is_moved_on_the_line_stays_on_its_day() -> None:
    for date, hours in ((DAY.date(), 24), (datetime(2026, 3, 29).date(), 23), (datetime(2026, 10, 25).date(), 25)):
        day = Day(date, ZoneInfo("Europe/Madrid"))
        assert day.last_minute == 60 * hours - 1 and day.contains(day.start + timedelta(minutes=day.last_minute))


def test_nothing_found_leads_back_to_all_of_the_day(table: str, as_staff: Client) -> None:
    create_room("sala1", TEN)
    page = parse(as_staff.get(f"{URL}?q=zzz&day=2026-03-02"))
    assert "/rooms/?day=2026-03-02" in [link.attrs["href"] for link in page.all("a") if "Clear" in link.text]


# --- A colleague was faster ----------------------------------------------------------------------
def test_a_moved_opening_is_compared_on_one_clock(table: str, people_by_role: Any) -> None:
    """The line sends a moment, the form a time on some clock: side by side they have to read alike."""
    room = create_room("sala1", TEN, "Plenaria")
    schedule.set_schedule("sala1", open_at=NINE, zone=BOGOTA, revision=room.revision, command=new_command(ACTOR))
    fields = {"open_at": "2026-03-02T13:30:00.000Z", "zone": BOGOTA, "revision": room.revision}
    page = parse(sign_in(people_by_role["staff"]).post(f"{URL}sala1/schedule/", fields))
    assert "Alma Ríos changed Plenaria while you had it open" in page.text
    cells = [cell.text for cell in page.all("table")[0].all("td")]
    assert cells[0].startswith("2 Mar 2026, 08:30") and cells[1].startswith("2 Mar 2026, 04:00")


def test_an_override_is_compared_in_words(table: str, people_by_role: Any) -> None:
    room = create_room("sala1", minutes_from_now(), "Plenaria")
    overrides.override(
        "sala1", value="open", until=minutes_from_now(10), revision=room.revision, command=new_command(ACTOR)
    )
    fields = {"value": "closed", "until": "opening", "revision": room.revision}
    page = parse(sign_in(people_by_role["staff"]).post(f"{URL}sala1/override/", fields))
    table_ = page.all("table")[0]
    assert [row.all("td")[0].text for row in table_.all("tr")[1:]] == ["Force closed", "when it opens"]
    theirs = [row.all("td")[1].text for row in table_.all("tr")[1:]]
    assert theirs[0] == "Force open" and "T" not in theirs[1].split(",")[0], "a date, as people write it"


# --- What happened -------------------------------------------------------------------------------
def test_the_history_says_what_was_done_on_the_readers_clock(table: str, as_staff: Client) -> None:
    with frozen(NINE):
        room = create_room("sala1", None)
        schedule.set_schedule("sala1", open_at=TEN, zone=BOGOTA, revision=room.revision, command=new_command(ACTOR))
        until = TEN - timedelta(minutes=30)
        overrides.override("sala1", value="closed", until=until, revision=2, command=new_command(ACTOR))
        told = parse(as_staff.get(f"{URL}sala1/")).by_class("history")[0].text
    assert "override: closed · override until: 2 Mar 2026, " in told
    assert "opens at: 2 Mar 2026, " in told
    assert "2026-03-02T" not in told


# --- Slips ---------------------------------------------------------------------------------------
def test_a_time_in_the_past_is_said_beside_the_time(table: str, as_staff: Client) -> None:
    create_room()
    fields = {"value": "closed", "until": "time", "until_at": "2020-01-01T10:00", "revision": 1}
    page = parse(as_staff.post(f"{URL}sala1/override/", fields))
    assert page.one("p", id="override_until_at_error").text == "Choose a time in the future."


def test_a_room_that_cannot_be_taken_off_says_why(table: str, as_staff: Client) -> None:
    put_room("sala1", openAt="2026-03-02T10:00:00Z")
    put_item("ROOM#sala1", "CONTENT#v2", title="Bienvenida", GSI1PK="CONTENT#ACTIVE", GSI1SK="sala1")
    assert "To remove this room, deactivate its content first" in parse(as_staff.get(f"{URL}sala1/")).text
