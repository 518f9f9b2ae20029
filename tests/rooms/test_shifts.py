"""Shifting many opening times: preview, steps, partial progress, undo and retry."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pynamodb.expressions.operand import Path

from dashboard.core.clock import frozen, now
from dashboard.core.errors import Refused
from dashboard.platform.jobs import queries as job_queries
from dashboard.platform.jobs import runner
from dashboard.platform.jobs import services as job_services
from dashboard.platform.jobs.items import Job, JobState
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


def shifted(before: dict[str, Any], by: timedelta, *only: str) -> dict[str, Any]:
    return {name: at + by if at and (not only or name in only) else at for name, at in before.items()}


def start_shift(minutes: int = 15, *only: str) -> Job:
    rooms = [room for room in queries.all_rooms() if not only or room.id in only]
    job = shifts.prepare(build_lines(rooms, minutes), minutes, command=new_command(ACTOR))
    job_services.confirm(job)
    return job


def job_of(answer: Any) -> Job:
    job = job_queries.find_job(answer.headers["Location"].rstrip("/").rpartition("/")[2])
    assert job is not None
    return job


@every_engine
def test_shift_all_rooms_of_a_day_and_undo(table: str, people_by_role: Any) -> None:
    client = sign_in(people_by_role["staff"])
    # All on the same day, whatever the current time is.
    create_rooms(11, (now() + timedelta(days=1)).replace(hour=10))
    create_room("never", None)
    before = openings()
    day = f"{now() + timedelta(days=1):%Y-%m-%d}"
    answer = client.post(SHIFT, {"minutes": "15", "way": "later", "which": "day", "day": day})
    assert answer.status_code == 303
    assert openings() == before, "the preview moves nothing"
    page = parse(client.get(answer.headers["Location"]))
    assert page.one("h1").text == "Open 11 rooms 15 minutes later"
    assert len(page.all("tr", data_row="")) == 11
    form = form_to(page, f"{answer.headers['Location']}begin/")
    job = job_of(answer)
    follow = client.post(form.action, form.data())
    assert follow.headers["Location"] == f"/operations/{job.id}/"
    done = finish(job)
    assert (done.state, done.done, done.failed) == (JobState.DONE, 11, 0)
    assert openings() == shifted(before, QUARTER)
    assert_schedule_matches()
    entry = audit_entries("sala11")[0]
    assert (entry.action, entry.actor and entry.actor["email"]) == ("room.shift", "sofia@example.com")
    assert parse(client.get("/rooms/")).by_class("notice") == [], "a complete shift has no notice"
    undo = form_to(client.get(f"/operations/{job.id}/"), f"{SHIFT}{job.id}/undo/")
    back = finish(job_of(client.post(undo.action, undo.data())))
    assert (back.state, back.done, back.failed) == (JobState.DONE, 11, 0)
    assert openings() == before
    assert_schedule_matches()


def test_shift_selected_rooms_or_the_rest_of_the_day(table: str, as_staff: Client) -> None:
    create_room("sala1", NINE)
    create_room("sala2", NOON)
    create_room("sala3", NOON)
    answer = as_staff.post(
        SHIFT, {"minutes": "10", "way": "earlier", "which": "chosen", "selected": ["sala1", "sala3"]}
    )
    assert [line["room"] for line in job_queries.all_lines(job_of(answer).id, 10)] == ["sala1", "sala3"]
    assert job_of(answer).title == "Open 2 rooms 10 minutes earlier"
    with frozen(TEN):
        form = form_to(as_staff.get("/rooms/"), SHIFT, day="2026-03-02")
        answer = as_staff.post(SHIFT, form.data(minutes="10"))
        job = job_of(answer)
        assert [line["room"] for line in job_queries.all_lines(job.id, 10)] == ["sala2", "sala3"]


def test_the_preview_shows_which_rooms_open_or_close(table: str, as_staff: Client) -> None:
    create_room("sala1", now() - timedelta(minutes=5))
    create_room("sala2", minutes_from_now(10))
    create_room("sala3", minutes_from_now(10))
    overrides.override("sala3", value="closed", revision=1, command=new_command(ACTOR))
    chosen = {"which": "chosen", "selected": ["sala1", "sala2", "sala3"], "minutes": "30"}
    effects = {way: preview_effects(as_staff, chosen | {"way": way}) for way in ("later", "earlier")}
    assert effects["later"] == ["closes now", "no change", "no change"]
    assert effects["earlier"] == ["no change", "opens now", "no change"]


def preview_effects(client: Client, sent: dict[str, Any]) -> list[str]:
    page = parse(client.get(client.post(SHIFT, sent).headers["Location"]))
    return [row.all("td")[3].text for row in page.all("tr", data_row="")]


@pytest.mark.parametrize(
    ("fields", "error"),
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
def test_an_invalid_form_is_refused_with_a_reason(
    table: str, as_staff: Client, fields: dict[str, str], error: str
) -> None:
    create_room()
    answer = as_staff.post(SHIFT, {"minutes": "15", "which": "chosen", "selected": "sala1"} | fields)
    assert answer.status_code == 422
    assert error in parse(answer).text


def test_an_unfinished_shift_is_shown_to_everyone(
    table: str, people_by_role: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_rooms(9, minutes_from_now())
    job = start_shift()
    half = runner.advance(job, seconds=0)
    assert (half.state, half.done) == (JobState.RUNNING, 4)
    assert_schedule_matches()
    for who, is_author in (("staff", False), ("admin", True)):
        (notice,) = parse(sign_in(people_by_role[who]).get("/rooms/")).by_class("notice")
        assert "Unfinished: Alma Ríos is shifting opening times 15 minutes later" in notice.text
        assert "4 of 9 rooms" in notice.text
        assert bool(notice.all("a")) == is_author, "only the person who started it can continue it"
    job_services.stop(half)
    page = parse(sign_in(people_by_role["admin"]).get(f"/operations/{job.id}/"))
    assert "Unfinished: 4 of 9 rooms" in page.text
    with frozen(now() + timedelta(days=2)):
        assert parse(sign_in(people_by_role["staff"]).get("/rooms/")).by_class("notice") == []
    job_services.resume(half)
    finish(job)
    assert parse(sign_in(people_by_role["staff"]).get("/rooms/")).by_class("notice") == []


def test_undoing_an_unfinished_shift_moves_the_rooms_back(table: str) -> None:
    create_rooms(9, minutes_from_now())
    before = openings()
    job = start_shift()
    half = runner.advance(job, seconds=0)
    back = finish(shifts.begin_undo(half, command=new_command(ACTOR)))
    assert (back.state, back.failed) == (JobState.DONE, 0)
    assert openings() == before
    assert_schedule_matches()
    stopped = job_queries.find_job(job.id)
    assert stopped is not None and stopped.state == JobState.STOPPED


def test_a_room_changed_meanwhile_fails_and_can_be_retried(table: str) -> None:
    rooms = create_rooms(5, minutes_from_now())
    before = openings()
    job = start_shift()
    theirs = minutes_from_now(500)
    schedule.set_schedule("sala2", open_at=theirs, zone=BOGOTA, revision=1, command=new_command(ACTOR))
    done = finish(job)
    assert (done.state, done.done, done.failed) == (JobState.DONE, 4, 1)
    (failure,) = job_queries.failures(job.id).items
    assert failure.target == "sala2" and "Changed by Alma Ríos" in failure.reason
    assert openings() == shifted(before, QUARTER, "sala1", "sala3", "sala4", "sala5") | {"sala2": theirs}
    assert_schedule_matches()
    # A retry shifts the room from its current time.
    job_services.retry_failed(done)
    again = finish(job_queries.load_own_job(job.id, ACTOR.email))
    assert (again.state, again.done, again.failed) == (JobState.DONE, 5, 0)
    assert stored_room("sala2").open_at == theirs + QUARTER
    assert_schedule_matches()
    assert len(rooms) == 5


def test_an_override_set_meanwhile_moves_with_the_opening(table: str) -> None:
    create_rooms(3, minutes_from_now())
    job = start_shift()
    overrides.override("sala2", value="closed", until="opening", revision=1, command=new_command(ACTOR))
    assert finish(job).failed == 0
    room = stored_room("sala2")
    assert (room.manual_override, room.override_until) == ("closed", room.open_at)
    assert room.gsistatussk == to_wire(room.open_at)


def test_a_room_with_a_different_time_in_the_schedule_fails(table: str) -> None:
    rooms = create_rooms(3, minutes_from_now())
    times = {room.id: to_wire(room.open_at) for room in rooms}
    put_schedule(**times | {"sala3": "2026-03-02T12:00:00Z"})
    job = start_shift()
    done = finish(job)
    assert (done.done, done.failed) == (2, 1)
    (failure,) = job_queries.failures(job.id).items
    assert "The event's schedule has a different time" in failure.reason
    assert stored_room("sala3").open_at == rooms[2].open_at


def test_a_shift_is_complete_even_if_the_last_room_failed(table: str, as_staff: Client) -> None:
    rooms = create_rooms(5, minutes_from_now())
    job = start_shift()
    schedule.set_schedule("sala5", open_at=None, zone=None, revision=1, command=new_command(ACTOR))
    done = finish(job)
    assert (done.done, done.failed) == (4, 1)
    assert parse(as_staff.get("/rooms/")).by_class("notice") == []
    assert len(rooms) == 5


def test_rooms_edited_later_are_not_reported_as_unfinished(table: str, as_staff: Client) -> None:
    rooms = create_rooms(5, minutes_from_now())
    half = runner.advance(start_shift(), seconds=0)
    job_services.stop(half)
    for number in range(1, 5):
        moved = stored_room(f"sala{number}")
        schedule.set_schedule(
            moved.id, open_at=rooms[0].open_at, zone=BOGOTA, revision=moved.revision, command=new_command(ACTOR)
        )
    assert parse(as_staff.get("/rooms/")).by_class("notice") == []


def test_a_complete_shift_stays_complete_if_its_rooms_change(table: str, as_staff: Client) -> None:
    rooms = create_rooms(5, minutes_from_now())
    assert finish(start_shift()).state == JobState.DONE
    assert finish(start_shift(10, "sala5")).state == JobState.DONE
    assert parse(as_staff.get("/rooms/")).by_class("notice") == [], (
        "another shift of the last room does not reopen the notice"
    )
    schedule.set_schedule(
        "sala5",
        open_at=rooms[0].open_at,
        zone=BOGOTA,
        revision=stored_room("sala5").revision,
        command=new_command(ACTOR),
    )
    assert parse(as_staff.get("/rooms/")).by_class("notice") == [], "nor does an edit of the last room"
    assert stored_room("sala1").revision == 2, "completing a shift does not change the revision of a room"


def test_only_its_author_sees_the_preview(table: str, people_by_role: Any) -> None:
    create_rooms(2, minutes_from_now())
    job = shifts.prepare(build_lines(queries.all_rooms(), 5), 5, command=new_command(ACTOR))
    assert sign_in(people_by_role["staff"]).get(f"{SHIFT}{job.id}/").status_code == 404
    assert sign_in(people_by_role["admin"]).get(f"{SHIFT}{job.id}/").status_code == 200
    assert sign_in(people_by_role["staff"]).post(f"{SHIFT}{job.id}/begin/").status_code == 404
    assert audit_actions() == ["room.create"]


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_day_at_the_limits_of_the_calendar_is_refused(table: str, people_by_role: Any, day: str) -> None:
    staff = people_by_role["staff"]
    write.update(staff.key, [Path(["timezone"]).set("Asia/Tokyo")])
    create_room("sala1", minutes_from_now())
    answer = sign_in(staff).post(SHIFT, {"minutes": "15", "which": "day", "day": day})
    assert answer.status_code == 422 and "Choose a day" in parse(answer).text


def test_two_shifts_of_the_same_rooms_move_them_once(table: str) -> None:
    create_rooms(5, minutes_from_now())
    before = openings()
    first = start_shift()
    rooms = build_lines(queries.all_rooms(), 15)
    second = shifts.prepare(rooms, 15, command=new_command(Actor("berta@example.com", "Berta")))
    job_services.confirm(second)
    first = finish(first)
    assert first.failed == 0
    late = finish(second)
    assert (late.state, late.done, late.failed) == (JobState.DONE, 0, 5)
    reasons = {each.reason for each in job_queries.failures(second.id).items}
    assert reasons == {"Already changed to this time by Alma Ríos."}
    assert openings() == shifted(before, QUARTER)
    with pytest.raises(Refused, match="nothing to undo"):
        shifts.begin_undo(late, command=new_command(ACTOR))
    assert openings() == shifted(before, QUARTER), "the refused undo changes nothing"
    for _again in range(2):
        back = finish(shifts.begin_undo(first, command=new_command(ACTOR)))
        assert (back.done, back.failed) == (5, 0), "undoing twice has the same result"
        assert openings() == before
    with pytest.raises(Refused, match="An undo can't be undone"):
        shifts.begin_undo(back, command=new_command(ACTOR))
    assert_schedule_matches()


def test_steps_executed_while_an_undo_starts_are_undone_too(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The job was read, and three more steps ran before it was stopped."""
    create_rooms(14, minutes_from_now())
    before = openings()
    job = job_queries.load_own_job(start_shift().id, ACTOR.email)
    stop = job_services.stop

    def advance_then_stop(stopped: Job) -> None:
        for _step in range(3):
            runner.advance(stopped, seconds=0)
        stop(stopped)

    monkeypatch.setattr(job_services, "stop", advance_then_stop)
    back = finish(shifts.begin_undo(job, command=new_command(ACTOR)))
    assert (back.state, back.failed) == (JobState.DONE, 0)
    assert openings() == before
    assert_schedule_matches()
