"""Holding a room open or closed: by hand, until an end, let go, lapsed by the clock and for other readers."""

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
from tests.rooms.rooms import NINE, NOON, TEN, a_room, actions, entries_of, press_undo, put_room, soon, stored_room
from tests.table.test_races import run_at_once
from tests.ui.html import form_to, parse
from tests.ui.walk import values

URL = "/rooms/sala1/"


def hold(client: Client, value: str, until: str = "", revision: int = 1, **more: Any) -> Any:
    return client.post(f"{URL}override/", {"value": value, "until": until, "revision": revision, **more})


def run(_number: int = 0) -> None:
    """A run, which may break off where the table falls silent: the next one goes on."""
    with suppress(Unavailable):
        for _told in runner.run():
            pass


def on_the_wire() -> dict[str, Any]:
    found: dict[str, Any] = connected().get_item(*keys.ROOM.key(room="sala1"))["Item"]
    return found


def test_held_closed_until_it_opens_and_let_go(table: str, people_by_role: Any) -> None:
    client = sign_in(people_by_role["staff"])
    opening = soon()
    a_room(open_at=opening)
    assert on_the_wire()["manualOverride"] == {"NULL": True}, "as the seed has it"
    assert hold(client, "closed", OPENING).status_code == 303
    room = stored_room()
    assert (room.manual_override, room.override_until, room.override_by) == ("closed", opening, "sofia@example.com")
    assert (room.gsistatuspk, room.gsistatussk) == ("DUE", to_wire(opening))
    entry = entries_of()[0]
    assert (entry.action, entry.before, entry.after) == (
        "room.override",
        {},
        {"override": "closed", "heldUntil": to_wire(opening)},
    )
    press_undo(client)
    let_go_of = ("manual_override", "override_until", "override_by", "gsistatuspk")
    assert values(stored_room(), *let_go_of) == (None, None, None, None)
    assert on_the_wire()["manualOverride"] == {"NULL": True}
    assert actions() == ["room.create", "room.override", "room.release"]


def test_the_form_holds_what_stands_and_changes_only_what_is_changed(table: str, as_staff: Client) -> None:
    a_room(open_at=soon())
    end = soon(90).replace(second=0)
    override("sala1", value="open", until=end, revision=1, command=new_command(ACTOR))
    form = form_to(as_staff.get(URL), f"{URL}override/")
    assert as_staff.post(form.action, form.data(value="closed")).status_code == 303
    assert (stored_room().manual_override, stored_room().override_until) == ("closed", end)
    # What was chosen stays chosen where it is refused.
    with frozen(soon(60)):
        answer = hold(as_staff, "open", OPENING, revision=3)
    assert answer.status_code == 422
    ends = parse(answer).all("input", name="until")
    assert [each.attrs["value"] for each in ends if "checked" in each.attrs] == [OPENING]


def test_undo_brings_back_what_was_held_before(table: str, as_staff: Client) -> None:
    a_room(open_at=soon())
    until = soon(10)
    hold(as_staff, "open", to_wire(until))
    as_staff.get("/rooms/")
    hold(as_staff, "closed", revision=2)
    assert stored_room().plan.override_end is None
    press_undo(as_staff)
    assert (stored_room().manual_override, stored_room().override_until) == ("open", until)


def test_until_a_time_on_a_clock(table: str, as_staff: Client) -> None:
    with frozen(NINE):
        a_room()
        assert hold(as_staff, "open", "time", until_at="2026-03-02T10:30", zone="Europe/Berlin").status_code == 303
    assert stored_room().override_until == NINE + timedelta(minutes=30)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"value": "ajar"}, "Select a valid choice"),
        ({"value": "closed", "until": "time"}, "Enter an end time"),
        ({"value": "closed", "until": "time", "until_at": "2026-03-29T02:30", "zone": "Europe/Berlin"}, "03:00"),
        ({"value": "closed", "until": "2020-01-01T00:00:00Z"}, "Choose a time in the future"),
        ({"value": "closed", "until": "never"}, "for example 2026-03-29T18:30"),
        ({"value": "closed", "until": "opening"}, "This room has no upcoming opening time. Choose another end"),
    ],
)
def test_what_cannot_be_held_is_said(table: str, as_staff: Client, fields: dict[str, str], says: str) -> None:
    a_room(open_at=now() - timedelta(hours=1))
    answer = as_staff.post(f"{URL}override/", {"revision": 1} | fields)
    assert answer.status_code == 422
    assert says in parse(answer).text
    assert stored_room().revision == 1


def test_a_colleague_was_faster(table: str, people_by_role: Any) -> None:
    a_room(open_at=soon())
    mine, theirs = sign_in(people_by_role["staff"]), sign_in(people_by_role["admin"])
    hold(theirs, "open")
    answer = hold(mine, "closed")
    assert answer.status_code == 409
    assert "Alma Ríos changed sala1 while you had it open" in parse(answer).text
    assert stored_room().manual_override == "open"
    again = form_to(answer, f"{URL}override/")
    assert mine.post(again.action, again.data()).status_code == 303
    assert stored_room().manual_override == "closed"


def test_holding_it_so_again_changes_nothing(table: str, as_staff: Client) -> None:
    a_room(open_at=soon())
    hold(as_staff, "closed", OPENING)
    assert hold(as_staff, "closed", OPENING, revision=2).status_code == 303
    assert stored_room().revision == 2 and len(entries_of()) == 2


def test_it_has_lapsed_though_nobody_has_written_that_down(table: str, as_staff: Client) -> None:
    a_room(open_at=soon(60))
    hold(as_staff, "open", to_wire(soon(10)))
    assert "Open overridden by Sofía Duarte, until" in parse(as_staff.get("/rooms/")).one("tr", id="room-sala1").text
    with shifted(timedelta(minutes=11)):
        text = parse(as_staff.get("/rooms/")).one("tr", id="room-sala1").text
        assert "Closed by schedule" in text and "Opens" in text
        assert stored_room().manual_override == "open", "other readers do not know yet"


def test_run_due_lets_go_for_other_readers(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "BEFORE_EACH_RUN", [])
    a_room(open_at=soon(60))
    override("sala1", value="open", until=soon(10), revision=1, command=new_command(ACTOR))
    assert list(runner.run()) == []
    with shifted(timedelta(minutes=11)):
        (told,) = runner.run()
        assert not told.failed and told.text == "not held open any more"
        assert list(runner.run()) == []
    assert on_the_wire()["manualOverride"] == {"NULL": True}
    assert {"overrideUntil", "overrideBy", "dueAt", "GSIStatusPK"} & on_the_wire().keys() == set()
    entry = entries_of()[0]
    assert (entry.action, entry.actor and entry.actor["email"]) == ("room.lapse", "system")


@real_engines
def test_many_runs_at_once_and_lost_replies_let_go_once(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "BEFORE_EACH_RUN", [])
    for number in range(6):
        a_room(f"sala{number}", open_at=soon(60))
        command = new_command(ACTOR)
        override(f"sala{number}", value="closed", until=OPENING, revision=1, command=command)
    with bad_network() as network:
        network.add_random_fault(0.1, lose_reply)
        network.add_random_fault(0.1, act_then_break)
        with shifted(timedelta(minutes=61)):
            run_at_once(run, 4)
            network.stop_faults()
            with shifted(timedelta(hours=2)):
                list(runner.run())
    for number in range(6):
        assert stored_room(f"sala{number}").manual_override is None
        assert actions(f"sala{number}") == ["room.create", "room.override", "room.lapse"]


def test_a_new_one_is_not_let_go_of_with_the_old(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The handler was given the room as it was a moment before someone held it anew."""
    a_room(open_at=soon(60))
    old = override("sala1", value="open", until=soon(10), revision=1, command=new_command(ACTOR))
    with shifted(timedelta(minutes=11)):
        override("sala1", value="closed", revision=2, command=new_command(ACTOR))
        assert end_override(old) == "it was changed meanwhile"
    assert stored_room().manual_override == "closed"


@pytest.mark.parametrize(
    ("later", "due"),
    [
        # Another end, none that can be read, none at all; and somebody let go.
        ({"overrideUntil": "2026-03-02T12:00:00Z"}, "2026-03-02T12:00:00Z"),
        ({"overrideUntil": "tonight"}, None),
        ({"overrideUntil": None}, None),
        ({"manualOverride": None}, None),
    ],
)
def test_what_another_service_has_changed_since_is_not_let_go_of(
    table: str, monkeypatch: pytest.MonkeyPatch, later: dict[str, Any], due: str | None
) -> None:
    """It writes the item and knows nothing of our index: by that, the old end has come."""
    monkeypatch.setattr(runner, "BEFORE_EACH_RUN", [])
    with frozen(NINE):
        a_room(open_at=NOON)
        override("sala1", value="open", until=TEN, revision=1, command=new_command(ACTOR))
        write.update(
            keys.ROOM.key(room="sala1"), [Path([name]).set(to_attribute(each)) for name, each in later.items()]
        )
    before = on_the_wire()
    with frozen(TEN):
        (told,) = runner.run()
        assert not told.failed and told.text == "it has not ended"
        assert list(runner.run()) == []
    after = on_the_wire()
    assert {name: after[name] for name in ("manualOverride", "overrideUntil", "revision")} == {
        name: before[name] for name in ("manualOverride", "overrideUntil", "revision")
    }
    assert [after.get(name) for name in ("dueAt", "GSIStatusSK")] == 2 * [{"S": due} if due else None]
    assert actions() == ["room.create", "room.override"]


def test_what_another_service_holds_anew_is_not_let_go_of_with_the_old(table: str) -> None:
    """It counts no revisions."""
    a_room(open_at=soon(60))
    override("sala1", value="open", until=soon(10), revision=1, command=new_command(ACTOR))
    with shifted(timedelta(minutes=11)):
        old = stored_room()
        end = Path(["overrideUntil"]).set(to_wire(soon(30)))
        write.update(old.key, [Path(["manualOverride"]).set("closed"), end])
        assert end_override(old) == "it was changed meanwhile"
        assert stored_room().plan.active_override(now()) == "closed"


def test_what_another_service_holds_meanwhile_stays(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts no revisions, and we have read the room as it was before."""
    opening = soon(60)
    a_room(open_at=opening)
    override("sala1", value="open", until=soon(10), revision=1, command=new_command(ACTOR))
    lapsing, held, moving = (stored_room() for _ in range(3))
    write.update(held.key, [Path(["manualOverride"]).set("closed"), Path(["overrideUntil"]).remove()])
    with monkeypatch.context() as patched:
        patched.setattr(queries, "load_room", lambda _: RoomAndSchedule(held, None))
        with pytest.raises(Conflict):
            override("sala1", value=None, revision=2, command=new_command(ACTOR))
    with shifted(timedelta(minutes=11)):
        assert end_override(lapsing) == "it was changed meanwhile"
        # An opening that is moved takes along what has lapsed.
        transaction = Transaction(new_command(ACTOR))
        schedule.set_opening(transaction, moving, opening, None)
        with pytest.raises(Conflict):
            transaction.commit(None)
    assert stored_room().manual_override == "closed"


@pytest.mark.parametrize("odd", ["OPEN", "", 1, True, ["open"], {"S": "open"}])
def test_what_another_service_writes_there_holds_nothing_and_breaks_nothing(
    table: str, as_staff: Client, odd: Any
) -> None:
    put_room("sala1", openAt=to_wire(TEN), manualOverride=odd)
    assert as_staff.get("/rooms/").status_code == as_staff.get(URL).status_code == 200
    assert stored_room().plan.state_at(TEN).is_open
    assert hold(as_staff, "closed", revision=0).status_code == 303
    assert stored_room().manual_override == "closed"


def test_the_seeds_own_override_is_held_by_another_service(table: str, as_staff: Client) -> None:
    put_room("sala1", openAt=to_wire(TEN), manualOverride="closed")
    row = parse(as_staff.get("/rooms/")).one("tr", id="room-sala1")
    assert "Closed overridden by an outside service, no end time" in row.text
