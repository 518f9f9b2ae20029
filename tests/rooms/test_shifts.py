"""Many openings at once: previewed, moved a few at a time, half done, undone, tried again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pynamodb.expressions.operand import Path

from dashboard.core.clock import frozen, now
from dashboard.core.errors import Refused
from dashboard.platform.jobs import queries as operations
from dashboard.platform.jobs import runner
from dashboard.platform.jobs import services as works
from dashboard.platform.jobs.items import Job, State
from dashboard.table import write
from dashboard.table.commands import Actor, new_command
from dashboard.table.timestamps import to_wire
from rooms.queries import rooms as queries
from rooms.services import overrides, schedule, shifts
from rooms.shifts import build_lines
from tests.conftest import ACTOR, every_engine, sign_in
from tests.jobs.execution import finish
from tests.rooms.rooms import (
    BOGOTA,
    NINE,
    NOON,
    TEN,
    assert_schedule_matches,
    audit_actions,
    audit_entries,
    create_room,
    create_rooms,
    minutes_from_now,
    put_schedule,
    stored_room,
)
from tests.ui.html import form_to, parse

SHIFT = "/rooms/shift/"
QUARTER = timedelta(minutes=15)


def openings() -> dict[str, Any]:
    return {room.id: room.plan.open_at for room in queries.all_rooms()}


def later(before: dict[str, Any], by: timedelta, *only: str) -> dict[str, Any]:
    return {name: at + by if at and (not only or name in only) else at for name, at in before.items()}


def begun(minutes: int = 15, *only: str) -> Job:
    rooms = [room for room in queries.all_rooms() if not only or room.id in only]
    work = shifts.prepare(build_lines(rooms, minutes), minutes, command=new_command(ACTOR))
    works.confirm(work)
    return work


def work_at(answer: Any) -> Job:
    found = operations.find_job(answer.headers["Location"].rstrip("/").rpartition("/")[2])
    assert found is not None
    return found


@every_engine
def test_all_of_a_day_with_a_preview_and_its_undo(table: str, people_by_role: Any) -> None:
    client = sign_in(people_by_role["staff"])
    # On one day, whatever time it is.
    create_rooms(11, (now() + timedelta(days=1)).replace(hour=10))
    create_room("never", None)
    before = openings()
    day = f"{now() + timedelta(days=1):%Y-%m-%d}"
    answer = client.post(SHIFT, {"minutes": "15", "way": "later", "which": "day", "day": day})
    assert answer.status_code == 303
    assert openings() == before, "nothing is moved by looking"
    page = parse(client.get(answer.headers["Location"]))
    assert page.one("h1").text == "Open 11 rooms 15 minutes later"
    assert len(page.all("tr", data_row="")) == 11
    form = form_to(page, f"{answer.headers['Location']}begin/")
    work = work_at(answer)
    follow = client.post(form.action, form.data())
    assert follow.headers["Location"] == f"/operations/{work.id}/"
    done = finish(work)
    assert (done.state, done.done, done.failed) == (State.DONE, 11, 0)
    assert openings() == later(before, QUARTER)
    assert_schedule_matches()
    entry = audit_entries("sala11")[0]
    assert (entry.action, entry.actor and entry.actor["email"]) == ("room.shift", "sofia@example.com")
    assert parse(client.get("/rooms/")).by_class("notice") == [], "it is through"
    undo = form_to(client.get(f"/operations/{work.id}/"), f"{SHIFT}{work.id}/undo/")
    back = finish(work_at(client.post(undo.action, undo.data())))
    assert (back.state, back.done, back.failed) == (State.DONE, 11, 0)
    assert openings() == before
    assert_schedule_matches()


def test_a_selection_and_the_rest_of_the_day(table: str, as_staff: Client) -> None:
    create_room("sala1", NINE)
    create_room("sala2", NOON)
    create_room("sala3", NOON)
    answer = as_staff.post(
        SHIFT, {"minutes": "10", "way": "earlier", "which": "chosen", "selected": ["sala1", "sala3"]}
    )
    assert [line["room"] for line in operations.all_lines(work_at(answer).id, 10)] == ["sala1", "sala3"]
    assert work_at(answer).title == "Open 2 rooms 10 minutes earlier"
    with frozen(TEN):
        form = form_to(as_staff.get("/rooms/"), SHIFT, day="2026-03-02")
        answer = as_staff.post(SHIFT, form.data(minutes="10"))
        work = work_at(answer)
        assert [line["room"] for line in operations.all_lines(work.id, 10)] == ["sala2", "sala3"]


def test_the_preview_says_what_closes_and_what_opens(table: str, as_staff: Client) -> None:
    create_room("sala1", now() - timedelta(minutes=5))
    create_room("sala2", minutes_from_now(10))
    create_room("sala3", minutes_from_now(10))
    overrides.override("sala3", value="closed", revision=1, command=new_command(ACTOR))
    chosen = {"which": "chosen", "selected": ["sala1", "sala2", "sala3"], "minutes": "30"}
    said = {way: _means(as_staff, chosen | {"way": way}) for way in ("later", "earlier")}
    assert said["later"] == ["closes now", "no change", "no change"]
    assert said["earlier"] == ["no change", "opens now", "no change"]


def _means(client: Client, sent: dict[str, Any]) -> list[str]:
    page = parse(client.get(client.post(SHIFT, sent).headers["Location"]))
    return [row.all("td")[3].text for row in page.all("tr", data_row="")]


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"minutes": ""}, "Enter the number of minutes"),
        ({"minutes": "0"}, "Enter a number other than 0"),
        ({"minutes": "1.5"}, "Enter whole minutes"),
        ({"minutes": "99999999999"}, "less than or equal to"),
        ({"which": "day"}, "Choose a day"),
        ({"which": "day", "day": "someday"}, "Enter a valid date"),
        ({"which": "everything"}, "Select a valid choice"),
        ({"selected": "nothing"}, "None of these rooms has an opening time"),
    ],
)
def test_what_cannot_be_moved_is_said(table: str, as_staff: Client, fields: dict[str, str], says: str) -> None:
    create_room()
    answer = as_staff.post(SHIFT, {"minutes": "15", "which": "chosen", "selected": "sala1"} | fields)
    assert answer.status_code == 422
    assert says in parse(answer).text


def test_half_done_is_shown_as_such_to_everybody(
    table: str, people_by_role: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_rooms(9, minutes_from_now())
    work = begun()
    half = runner.advance(work, seconds=0)
    assert (half.state, half.done) == (State.RUNNING, 4)
    assert_schedule_matches()
    for who, may in (("staff", False), ("admin", True)):
        (notice,) = parse(sign_in(people_by_role[who]).get("/rooms/")).by_class("notice")
        assert "Unfinished: Alma Ríos is shifting opening times 15 minutes later" in notice.text
        assert "4 of 9 rooms" in notice.text
        assert bool(notice.all("a")) == may, "only its own person can go on with it"
    works.stop(half)
    page = parse(sign_in(people_by_role["admin"]).get(f"/operations/{work.id}/"))
    assert "Unfinished: 4 of 9 rooms" in page.text
    with frozen(now() + timedelta(days=2)):
        assert parse(sign_in(people_by_role["staff"]).get("/rooms/")).by_class("notice") == []
    works.resume(half)
    finish(work)
    assert parse(sign_in(people_by_role["staff"]).get("/rooms/")).by_class("notice") == []


def test_undo_half_way_moves_back_what_was_moved(table: str) -> None:
    create_rooms(9, minutes_from_now())
    before = openings()
    work = begun()
    half = runner.advance(work, seconds=0)
    back = finish(shifts.begin_undo(half, command=new_command(ACTOR)))
    assert (back.state, back.failed) == (State.DONE, 0)
    assert openings() == before
    assert_schedule_matches()
    stopped = operations.find_job(work.id)
    assert stopped is not None and stopped.state == State.STOPPED


def test_what_a_colleague_moved_meanwhile_stays_and_is_named(table: str) -> None:
    rooms = create_rooms(5, minutes_from_now())
    before = openings()
    work = begun()
    theirs = minutes_from_now(500)
    schedule.set_schedule("sala2", open_at=theirs, zone=BOGOTA, revision=1, command=new_command(ACTOR))
    done = finish(work)
    assert (done.state, done.done, done.failed) == (State.DONE, 4, 1)
    (failure,) = operations.failures(work.id).items
    assert failure.target == "sala2" and "Changed by Alma Ríos" in failure.reason
    assert openings() == later(before, QUARTER, "sala1", "sala3", "sala4", "sala5") | {"sala2": theirs}
    assert_schedule_matches()
    # Trying it again moves it from where it stands now.
    works.retry_failed(done)
    again = finish(operations.load_own_job(work.id, ACTOR.email))
    assert (again.state, again.done, again.failed) == (State.DONE, 5, 0)
    assert stored_room("sala2").open_at == theirs + QUARTER
    assert_schedule_matches()
    assert len(rooms) == 5


def test_an_override_meanwhile_is_no_conflict_and_goes_along(table: str) -> None:
    create_rooms(3, minutes_from_now())
    work = begun()
    overrides.override("sala2", value="closed", until="opening", revision=1, command=new_command(ACTOR))
    assert finish(work).failed == 0
    room = stored_room("sala2")
    assert (room.manual_override, room.override_until) == ("closed", room.open_at)
    assert room.gsistatussk == to_wire(room.open_at)


def test_a_schedule_that_says_something_else_is_named_not_overwritten(table: str) -> None:
    rooms = create_rooms(3, minutes_from_now())
    times = {room.id: to_wire(room.open_at) for room in rooms}
    put_schedule(**times | {"sala3": "2026-03-02T12:00:00Z"})
    work = begun()
    done = finish(work)
    assert (done.done, done.failed) == (2, 1)
    (failure,) = operations.failures(work.id).items
    assert "The event's schedule has a different time" in failure.reason
    assert stored_room("sala3").open_at == rooms[2].open_at


def test_the_last_rooms_could_not_be_moved_and_yet_it_is_through(table: str, as_staff: Client) -> None:
    rooms = create_rooms(5, minutes_from_now())
    work = begun()
    schedule.set_schedule("sala5", open_at=None, zone=None, revision=1, command=new_command(ACTOR))
    done = finish(work)
    assert (done.done, done.failed) == (4, 1)
    assert parse(as_staff.get("/rooms/")).by_class("notice") == []
    assert len(rooms) == 5


def test_a_room_edited_later_does_not_say_that_a_shift_is_half_done(table: str, as_staff: Client) -> None:
    rooms = create_rooms(5, minutes_from_now())
    half = runner.advance(begun(), seconds=0)
    works.stop(half)
    for number in range(1, 5):
        moved = stored_room(f"sala{number}")
        schedule.set_schedule(
            moved.id, open_at=rooms[0].open_at, zone=BOGOTA, revision=moved.revision, command=new_command(ACTOR)
        )
    assert parse(as_staff.get("/rooms/")).by_class("notice") == []


def test_one_that_is_through_stays_so_whatever_becomes_of_its_last_rooms(table: str, as_staff: Client) -> None:
    rooms = create_rooms(5, minutes_from_now())
    assert finish(begun()).state == State.DONE
    assert finish(begun(10, "sala5")).state == State.DONE
    assert parse(as_staff.get("/rooms/")).by_class("notice") == [], "moved once more, with another shift"
    schedule.set_schedule(
        "sala5",
        open_at=rooms[0].open_at,
        zone=BOGOTA,
        revision=stored_room("sala5").revision,
        command=new_command(ACTOR),
    )
    assert parse(as_staff.get("/rooms/")).by_class("notice") == [], "and by hand"
    assert stored_room("sala1").revision == 2, "that a shift is through is no edit of a room"


def test_only_its_own_person_sees_the_preview(table: str, people_by_role: Any) -> None:
    create_rooms(2, minutes_from_now())
    work = shifts.prepare(build_lines(queries.all_rooms(), 5), 5, command=new_command(ACTOR))
    assert sign_in(people_by_role["staff"]).get(f"{SHIFT}{work.id}/").status_code == 404
    assert sign_in(people_by_role["admin"]).get(f"{SHIFT}{work.id}/").status_code == 200
    assert sign_in(people_by_role["staff"]).post(f"{SHIFT}{work.id}/begin/").status_code == 404
    assert audit_actions() == ["room.create"]


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_day_at_the_end_of_the_calendar_is_no_day(table: str, people_by_role: Any, day: str) -> None:
    staff = people_by_role["staff"]
    write.update(staff.key, [Path(["timezone"]).set("Asia/Tokyo")])
    create_room("sala1", minutes_from_now())
    answer = sign_in(staff).post(SHIFT, {"minutes": "15", "which": "day", "day": day})
    assert answer.status_code == 422 and "Choose a day" in parse(answer).text


def test_two_who_shift_the_same_rooms_move_them_once_and_neither_undoes_the_others(table: str) -> None:
    create_rooms(5, minutes_from_now())
    before = openings()
    first = begun()
    rooms = build_lines(queries.all_rooms(), 15)
    second = shifts.prepare(rooms, 15, command=new_command(Actor("berta@example.com", "Berta")))
    works.confirm(second)
    first = finish(first)
    assert first.failed == 0
    late = finish(second)
    assert (late.state, late.done, late.failed) == (State.DONE, 0, 5)
    reasons = {each.reason for each in operations.failures(second.id).items}
    assert reasons == {"Already changed to this time by Alma Ríos."}
    assert openings() == later(before, QUARTER)
    with pytest.raises(Refused, match="nothing to undo"):
        shifts.begin_undo(late, command=new_command(ACTOR))
    assert openings() == later(before, QUARTER), "what a colleague has moved stays"
    for _again in range(2):
        back = finish(shifts.begin_undo(first, command=new_command(ACTOR)))
        assert (back.done, back.failed) == (5, 0), "undone twice is undone"
        assert openings() == before
    with pytest.raises(Refused, match="An undo can't be undone"):
        shifts.begin_undo(back, command=new_command(ACTOR))
    assert_schedule_matches()


def test_what_a_shift_moves_while_its_undo_is_on_its_way_is_undone_too(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work was read, and got on by some steps before it was stopped."""
    create_rooms(14, minutes_from_now())
    before = openings()
    work = operations.load_own_job(begun().id, ACTOR.email)
    stop = works.stop

    def slowly(asked: Job) -> None:
        for _step in range(3):
            runner.advance(asked, seconds=0)
        stop(asked)

    monkeypatch.setattr(works, "stop", slowly)
    back = finish(shifts.begin_undo(work, command=new_command(ACTOR)))
    assert (back.state, back.failed) == (State.DONE, 0)
    assert openings() == before
    assert_schedule_matches()
