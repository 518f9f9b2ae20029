"""Overrides: a room forced open or closed, with or without an end, released by a person or when it expires."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pynamodb.expressions.operand import Path

from dashboard.core.clock import frozen, now, shifted
from dashboard.core.errors import Conflict, Unavailable
from dashboard.platform.due import runner
from dashboard.table import keys, write
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import new_command
from dashboard.table.connection import table as connected
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction
from rooms.due import end_override
from rooms.queries import rooms as queries
from rooms.queries.rooms import RoomAndSchedule
from rooms.services import schedule
from rooms.services.overrides import OPENING, override
from tests.conftest import ACTOR, real_engines, sign_in
from tests.faults import act_then_break, bad_network, lose_reply
from tests.rooms.rooms import (
    NINE,
    NOON,
    TEN,
    audit_actions,
    audit_entries,
    create_room,
    minutes_from_now,
    press_undo,
    put_room,
    stored_room,
)
from tests.table.test_races import run_at_once
from tests.ui.html import form_to, parse
from tests.ui.walk import values

URL = "/rooms/sala1/"


def send_override(client: Client, value: str, until: str = "", revision: int = 1, **more: Any) -> Any:
    return client.post(f"{URL}override/", {"value": value, "until": until, "revision": revision, **more})


def run_due(_number: int = 0) -> None:
    """Run the due tasks; a run may stop if the table is unavailable, and the next run continues."""
    with suppress(Unavailable):
        for _result in runner.run():
            pass


def raw_room() -> dict[str, Any]:
    raw: dict[str, Any] = connected().get_item(*keys.ROOM.key(room="sala1"))["Item"]
    return raw


def test_force_closed_until_the_opening_and_undo(table: str, people_by_role: Any) -> None:
    client = sign_in(people_by_role["staff"])
    opening = minutes_from_now()
    create_room(open_at=opening)
    assert raw_room()["manualOverride"] == {"NULL": True}, "the attribute is NULL, as in the seed"
    assert send_override(client, "closed", OPENING).status_code == 303
    room = stored_room()
    assert (room.manual_override, room.override_until, room.override_by) == ("closed", opening, "sofia@example.com")
    assert (room.gsistatuspk, room.gsistatussk) == ("DUE", to_wire(opening))
    entry = audit_entries()[0]
    assert (entry.action, entry.before, entry.after) == (
        "room.override",
        {},
        {"override": "closed", "heldUntil": to_wire(opening)},
    )
    press_undo(client)
    override_attributes = ("manual_override", "override_until", "override_by", "gsistatuspk")
    assert values(stored_room(), *override_attributes) == (None, None, None, None)
    assert raw_room()["manualOverride"] == {"NULL": True}
    assert audit_actions() == ["room.create", "room.override", "room.release"]


def test_the_form_shows_the_current_override_and_keeps_its_end(table: str, as_staff: Client) -> None:
    create_room(open_at=minutes_from_now())
    end = minutes_from_now(90).replace(second=0)
    override("sala1", value="open", until=end, revision=1, command=new_command(ACTOR))
    form = form_to(as_staff.get(URL), f"{URL}override/")
    assert as_staff.post(form.action, form.data(value="closed")).status_code == 303
    assert (stored_room().manual_override, stored_room().override_until) == ("closed", end)
    # A refused form keeps the chosen end.
    with frozen(minutes_from_now(60)):
        answer = send_override(as_staff, "open", OPENING, revision=3)
    assert answer.status_code == 422
    ends = parse(answer).all("input", name="until")
    assert [each.attrs["value"] for each in ends if "checked" in each.attrs] == [OPENING]


def test_undo_restores_the_previous_override(table: str, as_staff: Client) -> None:
    create_room(open_at=minutes_from_now())
    until = minutes_from_now(10)
    send_override(as_staff, "open", to_wire(until))
    as_staff.get("/rooms/")
    send_override(as_staff, "closed", revision=2)
    assert stored_room().plan.override_end is None
    press_undo(as_staff)
    assert (stored_room().manual_override, stored_room().override_until) == ("open", until)


def test_an_end_is_read_in_the_chosen_time_zone(table: str, as_staff: Client) -> None:
    with frozen(NINE):
        create_room()
        assert (
            send_override(as_staff, "open", "time", until_at="2026-03-02T10:30", zone="Europe/Berlin").status_code
            == 303
        )
    assert stored_room().override_until == NINE + timedelta(minutes=30)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"value": "ajar"}, "Select a valid choice"),
        ({"value": "closed", "until": "time"}, "Enter an end time"),
        ({"value": "closed", "until": "time", "until_at": "2026-03-29T02:30", "zone": "Europe/Berlin"}, "03:00"),
        ({"value": "closed", "until": "2020-01-01T00:00:00Z"}, "Choose a time in the future"),
        ({"value": "closed", "until": "never"}, "for example 2026-03-29T18:30"),
        ({"value": "closed", "until": "opening"}, "This room has no upcoming opening time. Choose another end"),
    ],
)
def test_an_invalid_override_is_refused_with_a_reason(
    table: str, as_staff: Client, fields: dict[str, str], error: str
) -> None:
    create_room(open_at=now() - timedelta(hours=1))
    answer = as_staff.post(f"{URL}override/", {"revision": 1} | fields)
    assert answer.status_code == 422
    assert error in parse(answer).text
    assert stored_room().revision == 1


def test_an_outdated_revision_is_a_conflict_that_can_be_confirmed(table: str, people_by_role: Any) -> None:
    create_room(open_at=minutes_from_now())
    mine, theirs = sign_in(people_by_role["staff"]), sign_in(people_by_role["admin"])
    send_override(theirs, "open")
    answer = send_override(mine, "closed")
    assert answer.status_code == 409
    assert "Alma Ríos changed sala1 while you had it open" in parse(answer).text
    assert stored_room().manual_override == "open"
    again = form_to(answer, f"{URL}override/")
    assert mine.post(again.action, again.data()).status_code == 303
    assert stored_room().manual_override == "closed"


def test_the_same_override_again_changes_nothing(table: str, as_staff: Client) -> None:
    create_room(open_at=minutes_from_now())
    send_override(as_staff, "closed", OPENING)
    assert send_override(as_staff, "closed", OPENING, revision=2).status_code == 303
    assert stored_room().revision == 2 and len(audit_entries()) == 2


def test_an_expired_override_no_longer_counts_before_it_is_removed(table: str, as_staff: Client) -> None:
    create_room(open_at=minutes_from_now(60))
    send_override(as_staff, "open", to_wire(minutes_from_now(10)))
    assert "Open overridden by Sofía Duarte, until" in parse(as_staff.get("/rooms/")).one("tr", id="room-sala1").text
    with shifted(timedelta(minutes=11)):
        text = parse(as_staff.get("/rooms/")).one("tr", id="room-sala1").text
        assert "Closed by schedule" in text and "Opens" in text
        assert stored_room().manual_override == "open", "the stored override is unchanged until the due task runs"


def test_the_due_task_removes_an_expired_override(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "BEFORE_EACH_RUN", [])
    create_room(open_at=minutes_from_now(60))
    override("sala1", value="open", until=minutes_from_now(10), revision=1, command=new_command(ACTOR))
    assert list(runner.run()) == []
    with shifted(timedelta(minutes=11)):
        (result,) = runner.run()
        assert not result.failed and result.text == "no longer overridden (open)"
        assert list(runner.run()) == []
    assert raw_room()["manualOverride"] == {"NULL": True}
    assert {"overrideUntil", "overrideBy", "dueAt", "GSIStatusPK"} & raw_room().keys() == set()
    entry = audit_entries()[0]
    assert (entry.action, entry.actor and entry.actor["email"]) == ("room.lapse", "system")


@real_engines
def test_concurrent_runs_remove_an_expired_override_once(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "BEFORE_EACH_RUN", [])
    for number in range(6):
        create_room(f"sala{number}", open_at=minutes_from_now(60))
        command = new_command(ACTOR)
        override(f"sala{number}", value="closed", until=OPENING, revision=1, command=command)
    with bad_network() as network:
        network.add_random_fault(0.1, lose_reply)
        network.add_random_fault(0.1, act_then_break)
        with shifted(timedelta(minutes=61)):
            run_at_once(run_due, 4)
            network.stop_faults()
            with shifted(timedelta(hours=2)):
                list(runner.run())
    for number in range(6):
        assert stored_room(f"sala{number}").manual_override is None
        assert audit_actions(f"sala{number}") == ["room.create", "room.override", "room.lapse"]


def test_the_due_task_keeps_a_newer_override(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The handler has the room as it was before a person set a new override."""
    create_room(open_at=minutes_from_now(60))
    old = override("sala1", value="open", until=minutes_from_now(10), revision=1, command=new_command(ACTOR))
    with shifted(timedelta(minutes=11)):
        override("sala1", value="closed", revision=2, command=new_command(ACTOR))
        assert end_override(old) == "it was changed meanwhile"
    assert stored_room().manual_override == "closed"


@pytest.mark.parametrize(
    ("changes", "due"),
    [
        # A new end, an unreadable end, no end; and an override that was released.
        ({"overrideUntil": "2026-03-02T12:00:00Z"}, "2026-03-02T12:00:00Z"),
        ({"overrideUntil": "tonight"}, None),
        ({"overrideUntil": None}, None),
        ({"manualOverride": None}, None),
    ],
)
def test_the_due_task_keeps_an_override_changed_by_an_outside_writer(
    table: str, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], due: str | None
) -> None:
    """The outside writer changes the item but not our index, where the old end is due."""
    monkeypatch.setattr(runner, "BEFORE_EACH_RUN", [])
    with frozen(NINE):
        create_room(open_at=NOON)
        override("sala1", value="open", until=TEN, revision=1, command=new_command(ACTOR))
        write.update(
            keys.ROOM.key(room="sala1"), [Path([name]).set(to_attribute(each)) for name, each in changes.items()]
        )
    before = raw_room()
    with frozen(TEN):
        (result,) = runner.run()
        assert not result.failed and result.text == "it has not ended"
        assert list(runner.run()) == []
    after = raw_room()
    assert {name: after[name] for name in ("manualOverride", "overrideUntil", "revision")} == {
        name: before[name] for name in ("manualOverride", "overrideUntil", "revision")
    }
    assert [after.get(name) for name in ("dueAt", "GSIStatusSK")] == 2 * [{"S": due} if due else None]
    assert audit_actions() == ["room.create", "room.override"]


def test_the_due_task_keeps_a_newer_override_of_an_outside_writer(table: str) -> None:
    """The outside writer does not change the revision."""
    create_room(open_at=minutes_from_now(60))
    override("sala1", value="open", until=minutes_from_now(10), revision=1, command=new_command(ACTOR))
    with shifted(timedelta(minutes=11)):
        old = stored_room()
        end = Path(["overrideUntil"]).set(to_wire(minutes_from_now(30)))
        write.update(old.key, [Path(["manualOverride"]).set("closed"), end])
        assert end_override(old) == "it was changed meanwhile"
        assert stored_room().plan.active_override(now()) == "closed"


def test_an_override_set_meanwhile_by_an_outside_writer_stays(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The outside writer does not change the revision, and we have read the room before its change."""
    opening = minutes_from_now(60)
    create_room(open_at=opening)
    override("sala1", value="open", until=minutes_from_now(10), revision=1, command=new_command(ACTOR))
    room_to_expire, room_to_release, room_to_move = (stored_room() for _ in range(3))
    write.update(room_to_release.key, [Path(["manualOverride"]).set("closed"), Path(["overrideUntil"]).remove()])
    with monkeypatch.context() as patch:
        patch.setattr(queries, "load_room", lambda _: RoomAndSchedule(room_to_release, None))
        with pytest.raises(Conflict):
            override("sala1", value=None, revision=2, command=new_command(ACTOR))
    with shifted(timedelta(minutes=11)):
        assert end_override(room_to_expire) == "it was changed meanwhile"
        # Moving the opening also removes an expired override.
        transaction = Transaction(new_command(ACTOR))
        schedule.set_opening(transaction, room_to_move, opening, None)
        with pytest.raises(Conflict):
            transaction.commit(None)
    assert stored_room().manual_override == "closed"


@pytest.mark.parametrize("odd", ["OPEN", "", 1, True, ["open"], {"S": "open"}])
def test_an_unknown_override_value_is_ignored(table: str, as_staff: Client, odd: Any) -> None:
    put_room("sala1", openAt=to_wire(TEN), manualOverride=odd)
    assert as_staff.get("/rooms/").status_code == as_staff.get(URL).status_code == 200
    assert stored_room().plan.state_at(TEN).is_open
    assert send_override(as_staff, "closed", revision=0).status_code == 303
    assert stored_room().manual_override == "closed"


def test_an_override_of_an_outside_writer_is_shown(table: str, as_staff: Client) -> None:
    put_room("sala1", openAt=to_wire(TEN), manualOverride="closed")
    row = parse(as_staff.get("/rooms/")).one("tr", id="room-sala1")
    assert "Closed overridden by an outside service, no end time" in row.text
