"""When a room opens: set by a form, with the event's schedule, undone, and met by colleagues and other services."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.core.clock import frozen
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from rooms.services import overrides
from rooms.services import schedule as scheduling
from tests.conftest import ACTOR, every_engine, sign_in
from tests.rooms.rooms import (
    BOGOTA,
    NINE,
    NOON,
    TEN,
    assert_schedule_matches,
    audit_actions,
    audit_entries,
    create_room,
    press_undo,
    put_item,
    put_room,
    put_schedule,
    stored_room,
    stored_schedule,
)
from tests.ui.html import form_to, parse
from tests.ui.walk import values

URL = "/rooms/sala1/"


def set_opening(client: Client, open_at: str, zone: str = BOGOTA, revision: int = 1, **more: Any) -> Any:
    return client.post(f"{URL}schedule/", {"open_at": open_at, "zone": zone, "revision": revision, **more})


@every_engine
def test_an_opening_is_set_with_its_entry_and_undone(table: str, people_by_role: Any) -> None:
    as_staff = sign_in(people_by_role["staff"])
    create_room()
    create_room("sala2", NOON)
    answer = set_opening(as_staff, "2026-03-02T06:30")
    assert answer.status_code == 303
    room = stored_room()
    assert (room.open_at, room.open_zone, room.revision) == (datetime(2026, 3, 2, 11, 30, tzinfo=UTC), BOGOTA, 2)
    assert (room.updated_by, room.updated_by_name) == ("sofia@example.com", "Sofía Duarte")
    assert stored_schedule() == {"sala1": "2026-03-02T11:30:00Z", "sala2": to_wire(NOON)}
    entry = audit_entries()[0]
    assert entry.action == "room.schedule" and entry.before and entry.after
    assert (entry.before["openAt"], entry.after["openAt"]) == (to_wire(TEN), "2026-03-02T11:30:00Z")
    press_undo(as_staff)
    assert (stored_room().open_at, stored_room().open_zone) == (TEN, BOGOTA)
    assert_schedule_matches()


def test_no_opening_takes_the_entry_away(table: str, as_staff: Client) -> None:
    create_room()
    assert set_opening(as_staff, "").status_code == 303
    assert stored_room().plan.open_at is None
    assert stored_schedule() == {}
    assert not stored_room().plan.state_at(NOON).is_open
    # And back.
    assert set_opening(as_staff, "2026-03-02T05:00", revision=2).status_code == 303
    assert_schedule_matches()


def test_a_moment_with_an_offset_is_that_moment(table: str, as_staff: Client) -> None:
    create_room()
    set_opening(as_staff, "2026-03-02T12:00:00+01:00", zone="Europe/Berlin")
    assert (stored_room().open_at, stored_room().open_zone) == (datetime(2026, 3, 2, 11, tzinfo=UTC), "Europe/Berlin")


@pytest.mark.parametrize(
    ("open_at", "zone", "says"),
    [
        ("2026-03-29T02:30", "Europe/Berlin", "The next time is 03:00"),
        ("tomorrow", BOGOTA, "for example 2026-03-29T18:30"),
        ("2026-13-01T10:00", BOGOTA, "for example 2026-03-29T18:30"),
        ("0001-01-01T00:00", BOGOTA, "Choose a year between 2000 and 2100"),
        ("9999-12-31T23:59", "Pacific/Kiritimati", "Choose a year"),
        ("2026-03-02T10:00", "Mars/Olympus", "Select a valid choice"),
        ("9" * 1_000, BOGOTA, "at most 40 characters"),
    ],
)
def test_what_is_no_time_is_said_beside_the_field_and_stays(
    table: str, as_staff: Client, open_at: str, zone: str, says: str
) -> None:
    create_room()
    answer = set_opening(as_staff, open_at, zone)
    assert answer.status_code == 422
    page = parse(answer)
    assert says in page.text
    assert page.one("input", name="open_at").attrs["value"] == open_at
    assert stored_room().revision == 1 and audit_actions() == ["room.create"]


def test_a_time_that_is_shown_twice_is_the_first_one(table: str, as_staff: Client) -> None:
    create_room()
    set_opening(as_staff, "2026-10-25T02:30", "Europe/Berlin")
    assert stored_room().open_at == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert "That time occurs twice" in parse(as_staff.get("/rooms/")).text


def test_a_colleague_was_faster(table: str, people_by_role: Any) -> None:
    create_room()
    mine = sign_in(people_by_role["staff"])
    form = form_to(mine.get(URL), f"{URL}schedule/")
    set_opening(sign_in(people_by_role["admin"]), "2026-03-02T08:00")
    answer = mine.post(form.action, form.data(open_at="2026-03-02T09:00"))
    assert answer.status_code == 409
    page = parse(answer)
    assert "Alma Ríos changed sala1 while you had it open" in page.text
    assert "2 Mar 2026, 09:00" in page.text and "2 Mar 2026, 08:00" in page.text
    assert stored_schedule() == {"sala1": "2026-03-02T13:00:00Z"}
    # On purpose, knowing what stands there.
    again = form_to(answer, f"{URL}schedule/")
    assert mine.post(again.action, again.data()).status_code == 303
    assert stored_schedule() == {"sala1": "2026-03-02T14:00:00Z"}
    assert_schedule_matches()


def test_clocks_that_nobody_knows_are_the_readers_own_after_a_conflict_too(table: str, as_staff: Client) -> None:
    put_room("sala1", openAt="2026-03-02T10:00:00Z", openZone="Mars/Olympus")
    form = form_to(as_staff.get(URL), f"{URL}schedule/")
    overrides.override("sala1", value="open", revision=0, command=new_command(ACTOR))
    answer = as_staff.post(form.action, form.data(open_at="2026-03-02T09:00"))
    assert answer.status_code == 409
    again = form_to(answer, f"{URL}schedule/")
    assert as_staff.post(again.action, again.data()).status_code == 303
    assert (stored_room().open_at, stored_room().open_zone) == (NINE, "UTC")


def test_what_another_service_moved_meanwhile_is_not_overwritten(table: str, as_staff: Client) -> None:
    """It counts no revisions: what the person saw tells."""
    put_room("sala1", openAt="2026-03-02T10:00:00Z", manualOverride=None)
    form = form_to(as_staff.get(URL), f"{URL}schedule/")
    put_room("sala1", openAt="2026-03-02T11:00:00Z", manualOverride=None)
    answer = as_staff.post(form.action, form.data(open_at="2026-03-02T09:00"))
    assert answer.status_code == 409
    assert stored_room().open_at == TEN + timedelta(hours=1)
    again = form_to(answer, f"{URL}schedule/")
    assert as_staff.post(again.action, again.data()).status_code == 303
    assert_schedule_matches()


def test_a_schedule_that_says_something_else_is_shown_and_settled(table: str, as_staff: Client) -> None:
    create_room()
    put_schedule(sala1="2026-03-02T12:00:00Z", sala9="2026-03-02T15:00:00Z")
    page = parse(as_staff.get(URL))
    assert "The event's schedule has a different time" in page.text
    # From the list nothing is decided: there the other time is not to be seen.
    assert set_opening(as_staff, "2026-03-02T08:00").status_code == 409
    assert stored_schedule()["sala1"] == "2026-03-02T12:00:00Z"
    form = form_to(as_staff.get(URL), f"{URL}schedule/", open_at=NOON.isoformat())
    assert as_staff.post(form.action, form.data()).status_code == 303
    assert stored_room().open_at == NOON
    assert stored_schedule() == {"sala1": to_wire(NOON), "sala9": "2026-03-02T15:00:00Z"}


@pytest.mark.parametrize("odd", [17, "soon", ["2026"], {"openAt": "2026-03-02T10:00:00Z"}, None, True])
def test_an_entry_of_any_kind_can_be_settled(table: str, as_staff: Client, odd: Any) -> None:
    create_room()
    put_schedule(sala1=odd)
    form = form_to(as_staff.get(URL), f"{URL}schedule/")
    assert as_staff.post(form.action, form.data(open_at="2026-03-02T08:00")).status_code == 303
    assert_schedule_matches()


@pytest.mark.parametrize("whole", ["text", ["a"], 3])
def test_a_schedule_that_is_no_map_becomes_one(table: str, as_staff: Client, whole: Any) -> None:
    put_room("sala1", openAt="2026-03-02T10:00:00Z")
    put_item("CONFIG#schedule", "CONFIG#schedule", salaOpenTimes=whole, other="kept")
    assert set_opening(as_staff, "2026-03-02T08:00", revision=0).status_code == 303
    assert_schedule_matches()


def test_the_same_form_sent_again_changes_nothing(table: str, people_by_role: Any) -> None:
    client = sign_in(people_by_role["staff"])
    create_room()
    form = form_to(client.get(URL), f"{URL}schedule/")
    sent = form.data(open_at="2026-03-02T08:00")
    answers = [client.post(form.action, sent) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [303] * 3
    assert stored_room().revision == 2 and audit_actions() == ["room.create", "room.schedule"]


def test_saving_what_is_so_changes_nothing(table: str, as_staff: Client) -> None:
    create_room()
    form = form_to(as_staff.get(URL), f"{URL}schedule/")
    assert as_staff.post(form.action, form.data()).status_code == 303
    assert "Nothing was changed" in parse(as_staff.get(URL)).text
    assert stored_room().revision == 1


def test_what_is_held_until_the_opening_goes_along_with_it(table: str) -> None:
    with frozen(NINE):
        create_room()
        overrides.override("sala1", value="closed", until="opening", revision=1, command=new_command(ACTOR))
        moved = scheduling.set_schedule("sala1", open_at=NOON, zone=BOGOTA, revision=2, command=new_command(ACTOR))
        assert (moved.override_until, moved.gsistatussk) == (NOON, to_wire(NOON))
    assert [stored_room().plan.state_at(moment).is_open for moment in (TEN, NOON)] == [False, True]


def test_an_opening_that_has_come_ends_what_was_held_until_then(table: str) -> None:
    with frozen(NINE):
        create_room()
        overrides.override("sala1", value="closed", until="opening", revision=1, command=new_command(ACTOR))
        early = NINE - timedelta(minutes=5)
        moved = scheduling.set_schedule("sala1", open_at=early, zone=BOGOTA, revision=2, command=new_command(ACTOR))
        assert moved.outcome.result["let_go"] == "closed"
        assert moved.plan.state_at(NINE).is_open
    assert values(stored_room(), "manual_override", "gsistatuspk") == (None, None)


def test_without_an_opening_what_was_held_until_it_has_no_end(table: str) -> None:
    with frozen(NINE):
        create_room()
        overrides.override("sala1", value="open", until="opening", revision=1, command=new_command(ACTOR))
        moved = scheduling.set_schedule("sala1", open_at=None, zone=None, revision=2, command=new_command(ACTOR))
    assert values(moved, "manual_override", "override_until", "gsistatuspk") == ("open", None, None)


def test_what_has_lapsed_does_not_come_back_with_a_later_opening(table: str) -> None:
    """Nobody has noticed yet that it ended, and its opening is moved: it stays ended."""
    with frozen(NINE):
        create_room()
        overrides.override("sala1", value="open", until="opening", revision=1, command=new_command(ACTOR))
    with frozen(TEN):
        moved = scheduling.set_schedule("sala1", open_at=NOON, zone=BOGOTA, revision=2, command=new_command(ACTOR))
        assert values(moved, "manual_override", "override_until") == (None, None)
        assert not stored_room().plan.state_at(TEN).is_open


@pytest.mark.parametrize(
    # The second of two in the night when the clocks are put back; and with seconds, as another service sets it.
    ("stands", "zone", "shown"),
    [
        ("2026-10-25T01:30:00Z", "Europe/Berlin", "2026-10-25T02:30"),
        ("2026-03-02T10:00:42Z", "UTC", "2026-03-02T10:00"),
    ],
)
def test_an_opening_that_is_left_as_it_was_stays(
    table: str, as_staff: Client, stands: str, zone: str, shown: str
) -> None:
    put_room("sala1", openAt=stands, openZone=zone, manualOverride=None)
    put_schedule(sala1=stands)
    form = form_to(as_staff.get(URL), f"{URL}schedule/", knew=stands)
    sent = form.data()
    assert (sent["open_at"], sent["zone"]) == (shown, zone)
    assert as_staff.post(form.action, sent).status_code == 303
    assert (to_wire(stored_room().open_at), stored_schedule()) == (stands, {"sala1": stands})
    # Where it is another time, or another clock, it is what the field says.
    as_staff.post(form.action, sent | {"zone": BOGOTA, "revision": stored_room().revision})
    assert to_wire(stored_room().open_at) == f"{shown[:11]}{int(shown[11:13]) + 5:02}{shown[13:]}:00Z"
    assert_schedule_matches()


@pytest.mark.parametrize("knew", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "x", "2026-13-01"])
def test_an_opening_that_nobody_was_shown_is_a_conflict(table: str, as_staff: Client, knew: str) -> None:
    create_room()
    assert set_opening(as_staff, "2026-03-02T12:00", knew=knew).status_code == 409


@pytest.mark.parametrize("zone", ["Mars/Base", "../../etc/passwd", "x" * 500])
def test_a_room_by_a_clock_that_nobody_knows_is_moved_and_moved_back(table: str, as_staff: Client, zone: str) -> None:
    put_room("sala1", openAt=to_wire(TEN), openZone=zone, manualOverride=None)
    put_schedule(sala1="2026-03-02T12:00:00Z")
    form = form_to(as_staff.get(URL), f"{URL}schedule/", entry="2026-03-02T12:00:00Z", open_at=NOON.isoformat())
    assert as_staff.post(form.action, form.data()).status_code == 303, "the schedule's time is taken"
    assert stored_room().open_at == NOON
    press_undo(as_staff)
    assert stored_room().open_at == TEN
    put_room("sala1", openAt=to_wire(TEN), openZone=zone, manualOverride=None)
    slider = parse(as_staff.get("/rooms/?day=2026-03-02")).one("input", id="opening-sala1").attrs
    given = {"open_at": to_wire(NINE), "zone": slider["data-room-zone"], "revision": 0}
    assert as_staff.post(slider["data-opening"], given).status_code == 303
    assert_schedule_matches()
