"""Closing times: the schedule closes a room, also for readers that know only the opening and the override."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.core.clock import frozen
from dashboard.platform.due import runner
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from rooms.services import overrides, schedule, shift_job
from rooms.shifts import ShiftEffect, build_lines, build_step
from rooms.state import RoomPlan
from tests import outside_writes
from tests.conftest import ACTOR, every_engine, real_engines
from tests.faults import bad_network, lose_reply
from tests.outside_writes import follow
from tests.rooms.rooms import (
    BOGOTA,
    DAY,
    NINE,
    NOON,
    TEN,
    audit_actions,
    create_room,
    press_undo,
    stored_room,
)
from tests.ui.html import form_to, parse, toasts

URL = "/rooms/"


def set_times(opening: Any, closing: Any, room_id: str = "sala1") -> None:
    options: dict[str, Any] = {
        "open_at": opening,
        "zone": BOGOTA,
        "close_at": closing,
        "revision": stored_room(room_id).revision,
    }
    schedule.set_schedule(room_id, command=new_command(ACTOR), **options)


def is_open_for_old_readers(moment: Any) -> bool:
    """The rule of readers that know only the seed's attributes."""
    room = stored_room()
    if room.manual_override:
        return bool(room.manual_override == "open")
    return bool(room.open_at is not None and moment >= room.open_at)


def test_a_room_is_open_from_its_opening_to_its_closing() -> None:
    plan = RoomPlan(NINE, close_at=NOON)
    assert [plan.state_at(each).is_open for each in (NINE - timedelta(seconds=1), NINE, TEN, NOON)] == [
        False,
        True,
        True,
        False,
    ]
    change = plan.state_at(TEN).next
    assert change is not None and (change.at, change.is_open) == (NOON, False)
    # An override applies after the closing too, and a closing before the opening does not count.
    assert RoomPlan(NINE, "open", None, NOON).state_at(NOON).is_open
    assert RoomPlan(TEN, close_at=NINE).state_at(NOON).is_open


@every_engine
def test_a_due_task_closes_the_room_and_the_next_opening_clears_it(table: str) -> None:
    with frozen(TEN):
        create_room("sala1", NINE)
        set_times(NINE, NOON)
        list(runner.run())
        assert stored_room().manual_override is None and is_open_for_old_readers(TEN)
    with frozen(NOON):
        assert not stored_room().plan.state_at(NOON).is_open, "also before the task has run"
        list(runner.run())
        list(runner.run())
        room = stored_room()
        assert room.manual_override == "closed" and not room.override and not room.due_at
        assert audit_actions()[-1] == "room.close" and audit_actions().count("room.close") == 1
    # An outside writer sets the next opening: it clears the override when it comes.
    next_day = NINE + timedelta(days=1)
    assert follow(outside_writes.update(stored_room().key, openAt={"S": to_wire(next_day)}))
    assert stored_room().manual_override == "closed"
    with frozen(next_day):
        list(runner.run())
        assert stored_room().manual_override is None and is_open_for_old_readers(next_day)


def test_a_new_opening_of_a_person_clears_the_closing_and_back_to_schedule_keeps_it(table: str) -> None:
    create_room("sala1", NINE)
    with frozen(TEN):
        set_times(NINE, NOON)
    with frozen(NOON):
        list(runner.run())
        # A person forces it open; back to schedule it is closed again.
        revision = stored_room().revision
        overrides.override("sala1", value="open", revision=revision, command=new_command(ACTOR))
        assert stored_room().manual_override == "open" and not stored_room().closed_at
        revision = stored_room().revision
        overrides.override("sala1", value=None, revision=revision, command=new_command(ACTOR))
        assert (stored_room().manual_override, stored_room().override) == ("closed", None)
        set_times(NOON + timedelta(hours=2), NOON + timedelta(hours=3))
        assert stored_room().manual_override is None and not is_open_for_old_readers(NOON)
    with frozen(NOON + timedelta(hours=3)):
        list(runner.run())
        assert stored_room().manual_override == "closed"


def test_an_override_of_a_person_stays_after_the_closing(table: str) -> None:
    create_room("sala1", NINE)
    with frozen(TEN):
        set_times(NINE, NOON)
        overrides.override("sala1", value="open", revision=stored_room().revision, command=new_command(ACTOR))
    with frozen(NOON + timedelta(hours=1)):
        list(runner.run())
        assert stored_room().manual_override == "open"
        # A closing that is already over changes nothing either.
        set_times(NINE, NOON + timedelta(minutes=30))
        assert stored_room().manual_override == "open" and not stored_room().closed_at


@real_engines
def test_a_lost_reply_closes_the_room_once(table: str) -> None:
    create_room("sala1", NINE)
    with frozen(TEN):
        set_times(NINE, NOON)
    with frozen(NOON), bad_network() as network:
        network.next("TransactWriteItems", lose_reply)
        list(runner.run())
        network.stop_faults()
        list(runner.run())
        assert network.faults == 1
    assert stored_room().manual_override == "closed" and audit_actions().count("room.close") == 1


def test_times_are_set_shown_and_undone_without_javascript(table: str, as_staff: Client) -> None:
    with frozen(TEN):
        create_room("sala1", NOON)
        form = form_to(as_staff.get(f"{URL}sala1/"), f"{URL}sala1/schedule/")
        answer = as_staff.post(form.action, form.data(close_at="2026-03-02T06:00"))
        assert answer.status_code == 422 and "A room closes after it opens" in parse(answer).one("main").text
        as_staff.post(form.action, form.data(close_at="2026-03-02T09:00") | {"next": URL})
        listed = as_staff.get(URL)
        assert toasts(listed) == ["sala1 opens 2 Mar 2026, 07:00 GMT-5 and closes 2 Mar 2026, 09:00 GMT-5."]
        row = parse(listed).one("tr", id="room-sala1")
        assert row.by_class("day-time")[0].text.strip() == "07:00–09:00"
        assert row.one("input", id="closing-sala1").attrs["value"] == str(9 * 60)
        # A form without the field, such as that of the opening on the timeline, leaves it as it is.
        sent = {"open_at": "2026-03-02T13:00:00Z", "zone": BOGOTA, "revision": 2}
        as_staff.post(f"{URL}sala1/schedule/", sent)
        as_staff.get(URL)
        assert stored_room().close_at == DAY + timedelta(hours=14)
        as_staff.post(f"{URL}sala1/schedule/", sent | {"close_at": "", "revision": 3, "next": URL})
        assert stored_room().close_at is None
        press_undo(as_staff)
        assert stored_room().close_at == DAY + timedelta(hours=14)
        # It closes on another day, which has a tab of its own.
        set_times(NOON, NOON + timedelta(days=1))
        page = parse(as_staff.get(f"{URL}?day=2026-03-03"))
        assert [tab.text for tab in page.by_class("tabs")[0].all("a")] == ["Today 1", "Tue 3 Mar 1"]
        row = page.one("tr", id="room-sala1")
        assert row.by_class("day-time")[0].text.strip() == "closes 07:00" and row.one("input", id="closing-sala1")


def test_every_day_shows_both_times_and_whether_they_have_come(table: str, as_staff: Client) -> None:
    def shown(day: str, moment: Any) -> str:
        with frozen(moment):
            row = parse(as_staff.get(f"{URL}?day={day}")).one("tr", id="room-sala1")
        return " ".join(row.by_class("day-time")[0].text.split())

    with frozen(TEN):
        create_room("sala1", NOON)
        set_times(NOON, NOON + timedelta(days=2))
    opening, closing = "2 Mar 2026, 07:00", "4 Mar 2026, 07:00"
    # The day between: the room opens in two hours, has opened, and has closed.
    assert shown("2026-03-03", TEN) == f"opens {opening} · closes {closing}"
    assert shown("2026-03-03", NOON) == f"opened {opening} · closes {closing}"
    later = NOON + timedelta(days=2)
    assert shown("2026-03-03", later) == f"opened {opening} · closed {closing}"
    assert shown("2026-03-01", later) == f"opened {opening} · closed {closing}"
    assert shown("2026-03-02", later) == f"07:00 · closed {closing}"
    assert shown("2026-03-04", later) == "closed 07:00"


@pytest.mark.parametrize("minutes", [30, -30])
def test_a_shift_moves_the_closing_along(table: str, minutes: int) -> None:
    create_room("sala1", NINE)
    by = timedelta(minutes=minutes)
    with frozen(NINE - timedelta(hours=3)):
        set_times(NINE, NOON)
        (line,) = build_lines([stored_room()], minutes)
        assert shift_job.shift([line], shift_job.ShiftMark("s", minutes, 1, 1), command=new_command(ACTOR)) == []
        assert (stored_room().open_at, stored_room().close_at) == (NINE + by, NOON + by)
    # The preview knows when the room would be closed again.
    line = build_lines([stored_room()], 4 * 60)[0]
    assert build_step(line, NOON + 2 * by + timedelta(hours=2)).effect == ShiftEffect.OPENS
