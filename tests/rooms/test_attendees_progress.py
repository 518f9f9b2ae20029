"""Marking a room as completed or not completed: the stored list, the audit entries and the response."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from botocore.exceptions import ClientError
from django.test import Client

from dashboard.core.clock import now
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts import queries as accounts
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people
from dashboard.table import keys, write
from dashboard.table.commands import new_command
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import find_done
from rooms.queries import attendees as attendee_queries
from rooms.services import attendees as services
from tests.conftest import ACTOR, real_engines, sign_in
from tests.faults import bad_network, lose_reply
from tests.rooms.attendees import ANA, create_attendee, progress_entries, raw_list, stored_attendee, stored_progress
from tests.rooms.rooms import create_room
from tests.ui.html import Element, form_to, forms, parse, toasts, undo_form

URL = f"/rooms/people/{ANA}/"
MARK = f"{URL}progress/"
HTMX = {"HX-Request": "true"}


def mark(room: str, completed: bool = True, email: str = ANA) -> Person:
    return services.mark(email, room, completed=completed, command=new_command(ACTOR))


def steps(page: Element) -> list[tuple[str, str, str]]:
    """Name, state and button text of each room on the page."""
    items = [each for each in page.all("li") if "progress-step" in each.attrs.get("class", "")]
    return [(each.by_class("progress-name")[0].text, each.by_class("badge")[0].text, button(each)) for each in items]


def button(step: Element) -> str:
    return step.one("button").text.removesuffix(step.one("button").by_class("sr-only")[0].text).strip()


def test_mark_as_completed_and_undo(table: str, as_staff: Client) -> None:
    create_room("sala1", name="Auditorio")
    create_room("sala2")
    before = create_attendee(progress=["sala2"], nickname={"S": "Anita"})
    page = as_staff.get(URL)
    assert steps(parse(page)) == [
        ("Auditoriosala1", "Not completed", "Mark as completed"),
        ("sala2", "Completed", "Mark as not completed"),
    ]
    response = form_to(page, MARK, room="sala1").send(as_staff)
    assert (response.status_code, response.headers["Location"]) == (303, URL)
    assert stored_progress() == raw_list("sala2", "sala1")
    after = stored_attendee()
    assert after.keys() - before.keys() == {"updatedAt"} and after["updatedAt"]["S"] <= to_wire(now())
    assert {name: after[name] for name in before if name != "progress"} == {
        name: value for name, value in before.items() if name != "progress"
    }
    assert progress_entries() == [("progress.complete", "Auditorio", ["sala2"], ["sala2", "sala1"])]

    page_after = as_staff.get(URL)
    assert toasts(page_after) == ["Auditorio marked as completed."]
    assert "2 of 2 completed" in parse(page_after).text
    assert "Sofía Duarte marked Auditorio as completed for Ana Torres" in parse(page_after).text
    undo_form(page_after).send(as_staff)
    assert stored_progress() == raw_list("sala2")
    assert progress_entries()[0] == ("progress.reopen", "Auditorio", ["sala2", "sala1"], ["sala2"])
    assert toasts(as_staff.get(URL)) == ["Auditorio marked as not completed."]


def test_htmx_receives_the_row_and_the_count(as_staff: Client) -> None:
    create_room("sala1")
    create_attendee()
    form = form_to(as_staff.get(URL), MARK, room="sala1")
    response = form.send(as_staff, headers=HTMX)
    part = parse(response)
    assert response.status_code == 200 and not part.all("html")
    assert steps(part) == [("sala1", "Completed", "Mark as not completed")]
    assert part.one("span", id="completed").text == "1 of 1 completed"
    assert part.one("span", id="completed").attrs["hx-swap-oob"] == "innerHTML"
    assert toasts(part) == ["sala1 marked as completed."] and undo_form(part).data()["completed"] == "0"
    # The form of the old page sent again is the same command, and changes nothing more.
    again = parse(form.send(as_staff, headers=HTMX))
    assert toasts(again) == ["sala1 marked as completed."] and len(progress_entries()) == 1


@pytest.mark.parametrize("room_is_gone", [False, True])
def test_repeating_a_form_after_its_effect_was_undone_changes_nothing(as_staff: Client, room_is_gone: bool) -> None:
    room = create_room("sala1")
    create_attendee()
    form = form_to(as_staff.get(URL), MARK, room="sala1")
    form.send(as_staff)
    mark("sala1", completed=False)
    if room_is_gone:
        write.remove(room.key)  # A new command would fail now, but this one was already executed.
    assert form.send(as_staff).status_code == 303
    assert stored_progress() == raw_list()
    page = as_staff.get(URL)
    assert toasts(page) == ["sala1 marked as completed.", "This was already done, and has changed since."]


@pytest.mark.parametrize(("progress", "completed"), [(["sala1"], "1"), ([], "0"), (None, "0")])
def test_marking_the_current_state_changes_nothing(as_staff: Client, progress: Any, completed: str) -> None:
    create_room("sala1")
    before = create_attendee(progress=progress)
    as_staff.post(MARK, {"room": "sala1", "completed": completed})
    assert stored_attendee() == before and progress_entries() == []
    assert toasts(as_staff.get(URL)) == ["Nothing was changed."]


def test_only_an_existing_room_can_be_completed(as_staff: Client) -> None:
    before = create_attendee(progress=["sala9"])
    for room in ("sala1", "a#b", "x" * 900, "é" * 600):
        response = as_staff.post(MARK, {"room": room, "completed": "1"})
        assert response.status_code == 422 and "This room does not exist" in parse(response).text
    assert stored_attendee() == before and progress_entries() == []


@real_engines
def test_a_room_removed_meanwhile_is_not_completed(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    room = create_room("sala1")
    before = create_attendee()
    read = attendee_queries.load_attendee_and_room

    def load_then_remove(email: str, name: str) -> Any:
        loaded = read(email, name)
        write.remove(room.key)
        return loaded

    monkeypatch.setattr(attendee_queries, "load_attendee_and_room", load_then_remove)
    command = new_command(ACTOR)
    with pytest.raises(Refused, match="This room does not exist"):
        services.mark(ANA, "sala1", completed=True, command=command)
    assert stored_attendee() == before and progress_entries() == [] and find_done(command) is None


def test_a_former_room_is_shown_and_can_only_be_removed(as_staff: Client) -> None:
    create_room("sala1")
    create_attendee(progress=["sala9", "sala1", "sala9"])
    page = as_staff.get(URL)
    assert "1 of 1 completed" in parse(page).text
    assert steps(parse(page))[1] == ("sala9no longer a room", "Completed", "Remove")
    response = form_to(page, MARK, room="sala9").send(as_staff, headers=HTMX)
    assert "sala9 removed." in parse(response).one("li").text
    assert not [each for each in forms(parse(response)) if each.action == MARK], "a removed name has no undo"
    assert stored_progress() == raw_list("sala1")
    assert progress_entries() == [("progress.reopen", "sala9", ["sala9", "sala1"], ["sala1"])]


def test_marking_progress_does_not_change_the_revision_of_the_account(
    as_staff: Client, people_by_role: dict[str, Person]
) -> None:
    """Marking progress does not conflict with an admin's form for the account, in either order."""
    create_room("sala1")
    admin = sign_in(people_by_role["admin"])
    form = form_to(admin.get("/people/marco@example.com/"), "/people/marco@example.com/edit/")
    revision = accounts.load_person("marco@example.com").revision
    mark("sala1", email="marco@example.com")
    person = accounts.load_person("marco@example.com")
    assert (person.revision, person.updated_by, person.progress) == (revision, ACTOR.email, ["sala1"])
    assert form.send(admin, values={"name": "Marquitos"}).status_code == 303
    person = accounts.load_person("marco@example.com")
    assert (person.name, person.progress, person.may_sign_in) == ("Marquitos", ["sala1"], True)


def test_a_list_changed_meanwhile_by_an_outside_writer_is_read_again(
    as_staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    create_room("sala1")
    create_attendee()
    read, meanwhile = attendee_queries.load_attendee_and_room, ["sala2", "sala3"]

    def load_then_change(email: str, name: str) -> Any:
        loaded = read(email, name)
        if meanwhile:
            progress = [*(accounts.load_person(ANA).progress or []), meanwhile.pop(0)]
            write.update(keys.PERSON.key(email=ANA), [Person.progress.set(progress)])
        return loaded

    monkeypatch.setattr(attendee_queries, "load_attendee_and_room", load_then_change)
    assert as_staff.post(MARK, {"room": "sala1", "completed": "1"}).status_code == 303
    assert stored_progress() == raw_list("sala2", "sala3", "sala1")
    assert [each[2:] for each in progress_entries()] == [(["sala2", "sala3"], ["sala2", "sala3", "sala1"])]


def test_a_list_that_keeps_changing_is_a_conflict(as_staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    create_room("sala1")
    create_attendee()
    read, count = attendee_queries.load_attendee_and_room, iter(range(1000))

    def load_then_change(email: str, name: str) -> Any:
        loaded = read(email, name)
        write.update(keys.PERSON.key(email=ANA), [Person.progress.set([f"other{next(count)}"])])
        return loaded

    monkeypatch.setattr(attendee_queries, "load_attendee_and_room", load_then_change)
    monkeypatch.setattr("dashboard.table.retries.time.sleep", lambda _seconds: None)
    response = as_staff.post(MARK, {"room": "sala1", "completed": "1"})
    assert response.status_code == 409 and "Someone else is changing this progress right now" in parse(response).text
    assert next(count) == 24 and progress_entries() == []


@pytest.mark.parametrize(
    "data", [{}, {"room": "sala1"}, {"completed": "1"}, {"room": "sala1", "completed": "x"}, {"room": "a\0b"}]
)
def test_invalid_input_changes_nothing(as_staff: Client, data: dict[str, str]) -> None:
    create_room("sala1")
    before = create_attendee()
    for headers in ({}, HTMX):
        assert as_staff.post(MARK, data, headers=headers).status_code == 422
    assert stored_attendee() == before
    assert as_staff.get(MARK).status_code == 405


def test_an_unknown_attendee_is_404(as_staff: Client) -> None:
    create_room("sala1")
    for email in ("nobody@example.org", "a%23b", "x" * 1500, "%E2%82%AC" * 400, ".%2E."):
        assert as_staff.get(f"/rooms/people/{email}/").status_code == 404
        sent = as_staff.post(f"/rooms/people/{email}/progress/", {"room": "sala1", "completed": "1"})
        assert sent.status_code == 404
    with pytest.raises(NotFound):
        mark("sala1", email="nobody@example.org")


@real_engines
def test_a_lost_reply_reports_the_success(table: str) -> None:
    create_room("sala1")
    create_attendee()
    with bad_network() as network:
        network.next("TransactWriteItems", lose_reply, lose_reply, lose_reply)
        person = mark("sala1")
    assert not person.outcome.is_no_change and not person.outcome.has_changed_since
    assert stored_progress() == raw_list("sala1") and len(progress_entries()) == 1


def test_creating_an_account_keeps_the_progress(as_staff: Client) -> None:
    """An attendee who later gets an account keeps the completed rooms."""
    create_room("sala1")
    create_attendee(progress=["sala1"])
    people.invite(ANA, name="", role=Role.STAFF, command=new_command(ACTOR))
    assert stored_progress() == raw_list("sala1")
    assert "Has an account" in parse(as_staff.get(URL)).text


@real_engines
def test_a_very_long_list_is_shortened_on_the_page(table: str, as_staff: Client) -> None:
    create_room("sala1")
    former_rooms = [f"left{number:05}" for number in range(30_000)]
    create_attendee(progress=[*former_rooms, "sala1"])
    answer = as_staff.get(URL)
    assert len(answer.content) < 400_000
    page = parse(answer)
    assert len(steps(page)) == 201 and "29800 more former rooms are not shown." in page.text
    assert "1 of 1 completed" in page.text
    # Names that are not shown are kept.
    assert as_staff.post(f"{URL}progress/", {"room": former_rooms[0], "completed": "0"}).status_code == 303
    assert stored_progress() == raw_list(*former_rooms[1:], "sala1")


@real_engines
def test_a_list_that_exceeds_the_item_size_is_refused(table: str, as_staff: Client) -> None:
    create_room("sala1" * 40)
    for length in range(8_000, 0, -100):
        # The largest item that the engine accepts.
        with suppress(ClientError):
            create_attendee(progress=["x" * 1_000] * 404 + ["y" * length])
            break
    before = stored_progress()
    answer = as_staff.post(MARK, {"room": "sala1" * 40, "completed": "1"})
    assert answer.status_code == 422 and "This would exceed 400 KB" in parse(answer).text
    assert stored_progress() == before
