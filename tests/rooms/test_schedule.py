"""The opening time of a room: form, event schedule, undo, conflicts with colleagues and outside writers."""

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
def test_set_the_opening_time_and_undo(table: str, people_by_role: Any) -> None:
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


def test_removing_the_opening_time_removes_the_schedule_entry(table: str, as_staff: Client) -> None:
    create_room()
    assert set_opening(as_staff, "").status_code == 303
    assert stored_room().plan.open_at is None
    assert stored_schedule() == {}
    assert not stored_room().plan.state_at(NOON).is_open
    # The time can be set again.
    assert set_opening(as_staff, "2026-03-02T05:00", revision=2).status_code == 303
    assert_schedule_matches()


def test_a_time_with_an_offset_is_converted(table: str, as_staff: Client) -> None:
    create_room()
    set_opening(as_staff, "2026-03-02T12:00:00+01:00", zone="Europe/Berlin")
    assert (stored_room().open_at, stored_room().open_zone) == (datetime(2026, 3, 2, 11, tzinfo=UTC), "Europe/Berlin")


@pytest.mark.parametrize(
    ("open_at", "zone", "error"),
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
def test_an_invalid_time_shows_an_error_and_keeps_the_input(
    table: str, as_staff: Client, open_at: str, zone: str, error: str
) -> None:
    create_room()
    answer = set_opening(as_staff, open_at, zone)
    assert answer.status_code == 422
    page = parse(answer)
    assert error in page.text
    assert page.one("input", name="open_at").attrs["value"] == open_at
    assert stored_room().revision == 1 and audit_actions() == ["room.create"]


def test_an_ambiguous_time_is_the_first_one(table: str, as_staff: Client) -> None:
    create_room()
    set_opening(as_staff, "2026-10-25T02:30", "Europe/Berlin")
    assert stored_room().open_at == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert "That time occurs twice" in parse(as_staff.get("/rooms/")).text


def test_an_outdated_revision_is_a_conflict_that_can_be_confirmed(table: str, people_by_role: Any) -> None:
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
    # The form on the conflict page saves anyway.
    again = form_to(answer, f"{URL}schedule/")
    assert mine.post(again.action, again.data()).status_code == 303
    assert stored_schedule() == {"sala1": "2026-03-02T14:00:00Z"}
    assert_schedule_matches()


def test_an_unknown_time_zone_is_replaced_by_the_zone_of_the_reader(table: str, as_staff: Client) -> None:
    put_room("sala1", openAt="2026-03-02T10:00:00Z", openZone="Mars/Olympus")
    form = form_to(as_staff.get(URL), f"{URL}schedule/")
    overrides.override("sala1", value="open", revision=0, command=new_command(ACTOR))
    answer = as_staff.post(form.action, form.data(open_at="2026-03-02T09:00"))
    assert answer.status_code == 409
    again = form_to(answer, f"{URL}schedule/")
    assert as_staff.post(again.action, again.data()).status_code == 303
    assert (stored_room().open_at, stored_room().open_zone) == (NINE, "UTC")


def test_a_time_changed_meanwhile_by_an_outside_writer_is_a_conflict(table: str, as_staff: Client) -> None:
    """The outside writer does not change the revision, so the form contains the time that the person saw."""
    put_room("sala1", openAt="2026-03-02T10:00:00Z", manualOverride=None)
    form = form_to(as_staff.get(URL), f"{URL}schedule/")
    put_room("sala1", openAt="2026-03-02T11:00:00Z", manualOverride=None)
    answer = as_staff.post(form.action, form.data(open_at="2026-03-02T09:00"))
    assert answer.status_code == 409
    assert stored_room().open_at == TEN + timedelta(hours=1)
    again = form_to(answer, f"{URL}schedule/")
    assert as_staff.post(again.action, again.data()).status_code == 303
    assert_schedule_matches()


def test_a_different_time_in_the_schedule_is_shown_and_can_be_resolved(table: str, as_staff: Client) -> None:
    create_room()
    put_schedule(sala1="2026-03-02T12:00:00Z", sala9="2026-03-02T15:00:00Z")
    page = parse(as_staff.get(URL))
    assert "The event's schedule has a different time" in page.text
    # A request from the list is a conflict, because the list does not show the other time.
    assert set_opening(as_staff, "2026-03-02T08:00").status_code == 409
    assert stored_schedule()["sala1"] == "2026-03-02T12:00:00Z"
    form = form_to(as_staff.get(URL), f"{URL}schedule/", open_at=NOON.isoformat())
    assert as_staff.post(form.action, form.data()).status_code == 303
    assert stored_room().open_at == NOON
    assert stored_schedule() == {"sala1": to_wire(NOON), "sala9": "2026-03-02T15:00:00Z"}


@pytest.mark.parametrize("odd", [17, "soon", ["2026"], {"openAt": "2026-03-02T10:00:00Z"}, None, True])
def test_a_schedule_entry_of_any_type_can_be_resolved(table: str, as_staff: Client, odd: Any) -> None:
    create_room()
    put_schedule(sala1=odd)
    form = form_to(as_staff.get(URL), f"{URL}schedule/")
    assert as_staff.post(form.action, form.data(open_at="2026-03-02T08:00")).status_code == 303
    assert_schedule_matches()


@pytest.mark.parametrize("stored", ["text", ["a"], 3])
def test_a_schedule_that_is_not_a_map_becomes_one(table: str, as_staff: Client, stored: Any) -> None:
    put_room("sala1", openAt="2026-03-02T10:00:00Z")
    put_item("CONFIG#schedule", "CONFIG#schedule", salaOpenTimes=stored, other="kept")
    assert set_opening(as_staff, "2026-03-02T08:00", revision=0).status_code == 303
    assert_schedule_matches()


def test_a_repeated_form_saves_once(table: str, people_by_role: Any) -> None:
    client = sign_in(people_by_role["staff"])
    create_room()
    form = form_to(client.get(URL), f"{URL}schedule/")
    sent = form.data(open_at="2026-03-02T08:00")
    answers = [client.post(form.action, sent) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [303] * 3
    assert stored_room().revision == 2 and audit_actions() == ["room.create", "room.schedule"]


def test_saving_without_changes_changes_nothing(table: str, as_staff: Client) -> None:
    create_room()
    form = form_to(as_staff.get(URL), f"{URL}schedule/")
    assert as_staff.post(form.action, form.data()).status_code == 303
    assert "Nothing was changed" in parse(as_staff.get(URL)).text
    assert stored_room().revision == 1


def test_an_override_until_the_opening_moves_with_it(table: str) -> None:
    with frozen(NINE):
        create_room()
        overrides.override("sala1", value="closed", until="opening", revision=1, command=new_command(ACTOR))
        moved = scheduling.set_schedule("sala1", open_at=NOON, zone=BOGOTA, revision=2, command=new_command(ACTOR))
        assert (moved.override_until, moved.gsistatussk) == (NOON, to_wire(NOON))
    assert [stored_room().plan.state_at(moment).is_open for moment in (TEN, NOON)] == [False, True]


def test_an_opening_moved_to_the_past_ends_the_override(table: str) -> None:
    with frozen(NINE):
        create_room()
        overrides.override("sala1", value="closed", until="opening", revision=1, command=new_command(ACTOR))
        early = NINE - timedelta(minutes=5)
        moved = scheduling.set_schedule("sala1", open_at=early, zone=BOGOTA, revision=2, command=new_command(ACTOR))
        assert moved.outcome.result["let_go"] == "closed"
        assert moved.plan.state_at(NINE).is_open
    assert values(stored_room(), "manual_override", "gsistatuspk") == (None, None)


def test_without_an_opening_its_override_has_no_end(table: str) -> None:
    with frozen(NINE):
        create_room()
        overrides.override("sala1", value="open", until="opening", revision=1, command=new_command(ACTOR))
        moved = scheduling.set_schedule("sala1", open_at=None, zone=None, revision=2, command=new_command(ACTOR))
    assert values(moved, "manual_override", "override_until", "gsistatuspk") == ("open", None, None)


def test_an_expired_override_stays_expired_if_the_opening_moves(table: str) -> None:
    """An expired override that was not yet removed stays expired when the opening is moved."""
    with frozen(NINE):
        create_room()
        overrides.override("sala1", value="open", until="opening", revision=1, command=new_command(ACTOR))
    with frozen(TEN):
        moved = scheduling.set_schedule("sala1", open_at=NOON, zone=BOGOTA, revision=2, command=new_command(ACTOR))
        assert values(moved, "manual_override", "override_until") == (None, None)
        assert not stored_room().plan.state_at(TEN).is_open


@pytest.mark.parametrize(
    # The second 02:30 in the night when clocks go back; and a time with seconds of an outside writer.
    ("stored", "zone", "shown"),
    [
        ("2026-10-25T01:30:00Z", "Europe/Berlin", "2026-10-25T02:30"),
        ("2026-03-02T10:00:42Z", "UTC", "2026-03-02T10:00"),
    ],
)
def test_an_unchanged_opening_time_keeps_its_exact_value(
    table: str, as_staff: Client, stored: str, zone: str, shown: str
) -> None:
    put_room("sala1", openAt=stored, openZone=zone, manualOverride=None)
    put_schedule(sala1=stored)
    form = form_to(as_staff.get(URL), f"{URL}schedule/", shown_opening=stored)
    sent = form.data()
    assert (sent["open_at"], sent["zone"]) == (shown, zone)
    assert as_staff.post(form.action, sent).status_code == 303
    assert (to_wire(stored_room().open_at), stored_schedule()) == (stored, {"sala1": stored})
    # With another time or time zone, the field counts.
    as_staff.post(form.action, sent | {"zone": BOGOTA, "revision": stored_room().revision})
    assert to_wire(stored_room().open_at) == f"{shown[:11]}{int(shown[11:13]) + 5:02}{shown[13:]}:00Z"
    assert_schedule_matches()


@pytest.mark.parametrize("shown", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "x", "2026-13-01"])
def test_a_form_with_another_shown_time_is_a_conflict(table: str, as_staff: Client, shown: str) -> None:
    create_room()
    assert set_opening(as_staff, "2026-03-02T12:00", shown_opening=shown).status_code == 409


@pytest.mark.parametrize("zone", ["Mars/Base", "../../etc/passwd", "x" * 500])
def test_a_room_with_an_unknown_time_zone_can_be_rescheduled_and_undone(
    table: str, as_staff: Client, zone: str
) -> None:
    put_room("sala1", openAt=to_wire(TEN), openZone=zone, manualOverride=None)
    put_schedule(sala1="2026-03-02T12:00:00Z")
    form = form_to(as_staff.get(URL), f"{URL}schedule/", entry="2026-03-02T12:00:00Z", open_at=NOON.isoformat())
    assert as_staff.post(form.action, form.data()).status_code == 303, "the time of the schedule is used"
    assert stored_room().open_at == NOON
    press_undo(as_staff)
    assert stored_room().open_at == TEN
    put_room("sala1", openAt=to_wire(TEN), openZone=zone, manualOverride=None)
    slider = parse(as_staff.get("/rooms/?day=2026-03-02")).one("input", id="opening-sala1").attrs
    fields = {"open_at": to_wire(NINE), "zone": slider["data-room-zone"], "revision": 0}
    assert as_staff.post(slider["data-opening"], fields).status_code == 303
    assert_schedule_matches()
