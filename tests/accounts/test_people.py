"""The actions of admins on one person, and their undo."""

from __future__ import annotations

import pytest

from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people
from dashboard.table.commands import Command
from tests.accounts import audit_entries
from tests.accounts.person_page import reload, submit_form, toast_text
from tests.conftest import ACTOR, PASSWORD, sign_in
from tests.ui.html import form_to, parse, toasts, undo_form
from tests.ui.world import World


def test_the_page_shows_a_person_and_their_history(world: World) -> None:
    page = parse(world.browser("admin").get("/people/dora@example.com/"))
    assert page.one("h1").text == "Dora Luz"
    details = page.one("dl", class_="details").text
    assert "dora@example.com" in details and "Disabled" in details and "Event staff" in details
    assert [entry.one("strong").text for entry in page.by_class("history")[0].all("li")] == ["Alma Ríos"] * 2


@pytest.mark.parametrize("email", ["nobody@example.com", "a%23b@example.com", "%00%00%00", "ñ@é", "x" * 254])
def test_a_person_who_does_not_exist_is_not_found(world: World, email: str) -> None:
    browser = world.browser("admin")
    assert browser.get(f"/people/{email}/").status_code == 404
    for name in ("edit", "disable", "enable", "link", "withdraw", "sign-out"):
        assert browser.post(f"/people/{email}/{name}/", {"role": "staff"}).status_code == 404, name


def test_the_address_in_a_url_ignores_case(world: World) -> None:
    assert world.browser("admin").get("/people/DORA@Example.com/").status_code == 200


def test_name_and_role_are_edited_and_undone(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Old Name"), world.browser("admin")
    response = submit_form(browser, person, "edit", name="New Name", role="moderator")

    assert response.redirect_chain == [(f"/people/{person.email}/", 303)]
    assert "New Name" in toast_text(response)
    after = reload(person)
    assert (after.name, after.state, after.revision) == ("New Name", "moderator", person.revision + 1)
    assert after.updated_by == "alma@example.com" and after.epoch > person.epoch
    changed = audit_entries.last_entry(person.email)
    assert changed[:2] == ("alma@example.com", "person.edit")
    assert changed[2:] == ({"name": "Old Name", "role": "staff"}, {"name": "New Name", "role": "moderator"})

    undone = undo_form(response).send(browser, follow=True)
    assert "Old Name" in toast_text(undone)
    back = reload(person)
    assert (back.name, back.state, back.revision) == ("Old Name", "staff", person.revision + 2)
    assert audit_entries.actions(person.email)[:2] == ["person.edit", "person.edit"]
    # An undo can be undone.
    again = undo_form(undone).send(browser, follow=True)
    assert "New Name" in toast_text(again)
    assert reload(person).state == "moderator"


def test_an_invalid_form_shows_errors_and_keeps_the_input(world: World) -> None:
    person = world.add(Role.STAFF, "Old Name")
    response = submit_form(world.browser("admin"), person, "edit", name="x" * 101, role="king")
    assert response.status_code == 422
    form = form_to(response, f"/people/{person.email}/edit/")
    assert form.data()["name"] == "x" * 101
    assert len(parse(response).by_class("error")) == 2
    assert reload(person).revision == person.revision
    # The corrected form is saved.
    assert form.send(world.browser("admin"), values={"name": "Good", "role": "owner"}).status_code == 303


def test_a_name_can_be_removed(world: World) -> None:
    person = world.add(Role.STAFF, "Old Name")
    submit_form(world.browser("admin"), person, "edit", name="  ")
    assert reload(person).name is None
    assert reload(person).title == person.email


def test_saving_without_a_change_writes_nothing(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Same"), world.browser("admin")
    response = submit_form(browser, person, "edit")
    assert response.redirect_chain == [(f"/people/{person.email}/", 303)]
    assert len(toasts(response)) == 1
    assert reload(person).revision == person.revision
    assert audit_entries.actions(person.email) == ["person.create"]


def test_disabling_signs_out_and_can_be_undone_and_enabled(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Sam"), world.browser("admin")
    theirs = sign_in(person)

    response = submit_form(browser, person, "disable")
    assert "Sam disabled" in toast_text(response)
    assert reload(person).state == "disabled"
    assert theirs.get("/").status_code == 302
    assert audit_entries.last_entry(person.email) == (
        "alma@example.com",
        "person.disable",
        {"state": "active"},
        {"state": "disabled"},
    )

    undone = undo_form(response).send(browser, follow=True)
    assert "Sam enabled" in toast_text(undone)
    assert reload(person).state == "staff"
    assert audit_entries.last_entry(person.email)[1] == "person.enable"
    assert theirs.get("/").status_code == 302, "the old session stays invalid"

    disabled_again = undo_form(undone).send(browser, follow=True)
    assert reload(person).state == "disabled"
    enabled = submit_form(browser, person, "enable")
    assert "Sam enabled" in toast_text(enabled)
    assert "Sam disabled" in toast_text(disabled_again)


def test_an_admin_signs_a_person_out_everywhere(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Sam"), world.browser("admin")
    theirs = sign_in(person)
    response = submit_form(browser, person, "sign-out", current=PASSWORD)
    assert "Sam signed out everywhere" in toast_text(response)
    assert theirs.get("/").status_code == 302
    assert audit_entries.last_entry(person.email)[:2] == ("alma@example.com", "person.end_sessions")
    assert sign_in(reload(person)).get("/").status_code == 200, "they may sign in again"


def test_each_state_offers_only_the_possible_actions(world: World) -> None:
    browser = world.browser("admin")
    offered = {}
    for who in ("staff", "disabled", "invited", "admin"):
        page = parse(browser.get(f"/people/{world.people[who].email}/"))
        acts = page.by_class("acts")[0].all("form")
        offered[who] = [form.attrs["action"].split("/")[-2] for form in acts]
        assert ("This is your own account." in page.text) == (who == "admin")
    assert offered["disabled"] == ["enable"]
    assert offered["invited"] == ["link", "withdraw", "disable"]
    assert offered["staff"] == offered["admin"] == ["link", "sign-out", "disable"]


def test_an_audit_entry_contains_the_id_of_its_command(world: World) -> None:
    person = world.add()
    command = Command("one-operation", ACTOR)
    people.edit(person.email, name="New", role=Role.STAFF, revision=person.revision, command=command)
    assert audit_entries.entries(person.email)[0].operation == "one-operation"


def test_the_history_shows_sentences_with_the_changes(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Sam"), world.browser("admin")
    submit_form(browser, person, "edit", name="Sam Two", role="owner")
    submit_form(browser, person, "disable")
    history = parse(browser.get(f"/people/{person.email}/")).by_class("history")[0]
    sentences = [item.one("p").text for item in history.all("li")]
    for sentence, words in zip(
        sentences, (("disabled", "Sam Two"), ("edited", "Sam Two"), ("created", "Sam")), strict=True
    ):
        assert sentence.startswith("Alma Ríos ") and all(word in sentence for word in words)
    notes = [item.one("blockquote").text for item in history.all("li") if item.all("blockquote")]
    assert "Sam → Sam Two" in notes[1] and "Event staff → Business member" in notes[1]
