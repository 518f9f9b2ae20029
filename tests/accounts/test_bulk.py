"""Bulk actions on people: each person for whom the action fails is named with the reason."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dashboard.core.ids import new_id
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people
from dashboard.platform.accounts.views.people_bulk import MAX_BULK
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.accounts.many_people import add_many_people
from tests.conftest import ACTOR, PASSWORD, add_person, sign_in
from tests.ui.html import Form, form_to, forms, parse, toasts, undo_form
from tests.ui.world import World


def bulk(world: World, action: str, *chosen: Person | str, **more: Any) -> Any:
    values = [each if isinstance(each, str) else each.selection_value for each in chosen]
    sent = {"action": action, "selected": values, **more}
    return world.browser("admin").post("/people/bulk/", sent, follow=True)


def count_in_toast(response: Any) -> int:
    """The number in the toast about the result, or 0."""
    number = re.match(r"\d+", toasts(response)[-1])
    return int(number[0]) if number else 0


def states(*people_: Person) -> list[str | None]:
    return [queries.load_person(person.email).state for person in people_]


def test_several_people_are_disabled_and_the_undo_enables_them(world: World) -> None:
    selected = [world.add(Role.STAFF, f"Person {n}") for n in range(3)]
    browsers = [sign_in(person) for person in selected]

    response = bulk(world, "disable", *selected)

    assert response.redirect_chain == [("/people/", 303)]
    assert count_in_toast(response) == 3
    assert states(*selected) == ["disabled"] * 3
    assert [browser.get("/").status_code for browser in browsers] == [302] * 3
    for person in selected:
        assert audit_entries.last_entry(person.email)[:2] == ("alma@example.com", "person.disable")

    undone = undo_form(response).send(world.browser("admin"), follow=True)
    assert count_in_toast(undone) == 3
    assert states(*selected) == ["staff"] * 3
    undo_form(undone).send(world.browser("admin"))
    assert states(*selected) == ["disabled"] * 3


def test_the_form_of_the_list_sends_the_selected_rows(world: World) -> None:
    browser, person = world.browser("admin"), world.add(Role.STAFF, "Pick Me")
    page = parse(browser.get("/people/", {"q": person.email}))
    form = form_to(page, "/people/bulk/")
    (box,) = page.all("input", name="selected")
    assert box.attrs["form"] == form.element.attrs["id"]
    labels = {button.text: button for button in form.buttons}
    assert set(labels) == {"Disable", "Enable", "Sign out everywhere"}
    response = form.send(browser, labels["Disable"], {"selected": box.attrs["value"]}, follow=True)
    assert count_in_toast(response) == 1
    assert states(person) == ["disabled"]


def test_each_person_for_whom_the_action_fails_is_named_with_the_reason(world: World) -> None:
    good, stale, already = world.add(), world.add(), world.add()
    people.edit(stale.email, name="Newer", role=Role.STAFF, revision=stale.revision, command=new_command(ACTOR))
    already = people.disable(already.email, revision=already.revision, command=new_command(ACTOR))

    response = bulk(world, "disable", good, stale, already, "1:nobody@example.com")

    messages = toasts(response)
    assert count_in_toast(response) == 1
    failures = " ".join(messages[:-1])
    for email, reason in {
        stale.email: "Someone changed this while you had it open.",
        already.email: "This person is already disabled.",
        "nobody@example.com": "There is nothing here.",
    }.items():
        assert any(email in each and reason in each for each in messages[:-1]), failures
    assert states(good, stale, already) == ["disabled", "staff", "disabled"]
    # Undo changes only the person for whom the action succeeded.
    undo_form(response).send(world.browser("admin"))
    assert states(good, stale, already) == ["staff", "staff", "disabled"]


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_in_parallel_each_person_is_changed_completely_or_not_at_all(table: str) -> None:
    admin = add_person("alma@example.com", Role.ADMIN)
    many = [add_person(f"p{number:02}@example.com", Role.STAFF) for number in range(20)]
    for person in many[::5]:
        people.edit(person.email, name="Newer", role=Role.STAFF, revision=person.revision, command=new_command(ACTOR))
    sent = {"action": "disable", "selected": [person.selection_value for person in many]}
    assert count_in_toast(sign_in(admin).post("/people/bulk/", sent, follow=True)) == 16
    for number, person in enumerate(many):
        state, last = ("staff", "person.edit") if number % 5 == 0 else ("disabled", "person.disable")
        assert queries.load_person(person.email).state == state
        assert audit_entries.last_entry(person.email)[1] == last
    assert len(queries.accounts("disabled").items) == 16


def test_when_the_action_fails_for_everyone_there_is_no_undo(world: World) -> None:
    response = bulk(world, "enable", world.add(), world.add())
    assert len(toasts(response)) >= 1 and not forms_in_toasts(response)
    assert "This person is not disabled." in toasts(response)[0]


def forms_in_toasts(response: Any) -> list[Form]:
    return [form for toast in parse(response).by_class("toast") for form in forms(toast)]


def test_signing_out_several_people_has_no_undo(world: World) -> None:
    selected = [world.add(), world.add()]
    browsers = [sign_in(person) for person in selected]
    response = bulk(world, "end_sessions", *selected, current=PASSWORD)
    assert count_in_toast(response) == 2
    assert forms_in_toasts(response) == []
    assert [browser.get("/").status_code for browser in browsers] == [302, 302]


def test_a_selection_sent_twice_acts_once(world: World) -> None:
    selected = [world.add(), world.add()]
    token = form_to(world.browser("admin").get("/people/"), "/people/bulk/").data()["operation"]
    twice = [bulk(world, "disable", *selected, operation=token) for _ in range(2)]
    assert [count_in_toast(response) for response in twice] == [2, 2]
    for person in selected:
        assert audit_entries.actions(person.email) == ["person.disable", "person.create"]


def test_at_most_fifty_people_can_be_selected(world: World) -> None:
    name, house = "first-name.{:02}.last-name-{}", "department-of-something.example.com"
    emails = [f"{name.format(number, new_id()[-6:])}@{house}" for number in range(MAX_BULK + 1)]
    add_many_people((email, "staff") for email in emails)
    many = [queries.load_person(email) for email in emails]
    refused = bulk(world, "disable", *many)
    assert refused.status_code == 422
    assert "Select 1 to 50 people" in parse(refused).text
    assert set(states(*many)) == {"staff"}

    response = bulk(world, "disable", *many[:MAX_BULK])
    assert count_in_toast(response) == 50
    assert states(*many) == ["disabled"] * MAX_BULK + ["staff"]
    undo_form(response).send(world.browser("admin"))
    assert set(states(*many)) == {"staff"}


def test_of_fifty_failures_the_toast_names_the_first_eight(world: World) -> None:
    """A toast is stored in a cookie, so its length is limited."""
    nobody = [f"1:nobody-with-a-long-name-{new_id()}@department.example.com" for _ in range(MAX_BULK)]
    (toast,) = toasts(bulk(world, "disable", *nobody))
    assert all(each.partition(":")[2] in toast for each in nobody[:8])
    assert toast.endswith("…")


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"action": "disable"},
        {"action": "disable", "selected": ""},
        {"action": "delete", "selected": "1:x@example.com"},
        {"action": "__class__", "selected": "1:x@example.com"},
        {"selected": "1:x@example.com"},
    ],
)
def test_a_missing_selection_or_unknown_action_is_refused(world: World, sent: dict[str, str]) -> None:
    assert world.browser("admin").post("/people/bulk/", sent).status_code == 422


@pytest.mark.parametrize(
    "selected",
    [
        ":",
        "1:",
        ":x",
        "x",
        "1:#",
        "1:" + "x" * 5000,
        "-1:alma@example.com",
        "9" * 40 + ":{}",
        "9" * 5000 + ":{}",
        "٣:{}",
        "²:{}",
    ],
)
def test_an_invalid_selection_changes_nothing(world: World, selected: str) -> None:
    person = world.add()
    response = bulk(world, "disable", selected.format(person.email))
    assert response.status_code == 200
    assert states(person) == ["staff"]
    assert queries.load_person("alma@example.com").state == "admin"


def test_with_htmx_the_answer_redirects_to_the_list(world: World) -> None:
    person = world.add()
    sent = {"action": "disable", "selected": person.selection_value}
    response = world.browser("admin").post("/people/bulk/", sent, headers={"HX-Request": "true"})
    assert (response.status_code, response.headers["HX-Redirect"]) == (204, "/people/")
    assert states(person) == ["disabled"]
