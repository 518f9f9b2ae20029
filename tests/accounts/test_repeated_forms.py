"""A form that is sent several times is executed once."""

from __future__ import annotations

from datetime import timedelta
from unittest import mock

import pytest

from dashboard.core.clock import now
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.accounts.person_page import ALDO, form_of, reload, toast_text
from tests.conftest import PASSWORD
from tests.ui.html import form_to, parse, undo_form
from tests.ui.world import World


def test_a_form_sent_twice_acts_once_and_is_answered_as_done(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Old"), world.browser("admin")
    form = form_of(browser, person, "edit")
    twice = [form.send(browser, values={"name": "New", "role": "owner"}, follow=True) for _ in range(2)]
    assert [response.redirect_chain for response in twice] == [[(f"/people/{person.email}/", 303)]] * 2
    assert toast_text(twice[0]) == toast_text(twice[1])
    assert reload(person).revision == person.revision + 1
    assert audit_entries.actions(person.email) == ["person.edit", "person.create"]
    # A later change by someone else does not make the form act again.
    after = reload(person)
    people.edit(person.email, name="Other", role=Role.STAFF, revision=after.revision, command=new_command(ALDO))
    assert form.send(browser, values={"name": "New", "role": "owner"}).status_code == 303
    assert reload(person).name == "Other"


def test_undo_after_a_form_was_sent_twice_restores_the_original_values(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Old"), world.browser("admin")
    form = form_of(browser, person, "edit")
    twice = [form.send(browser, values={"name": "New", "role": "owner"}, follow=True) for _ in range(2)]
    undo_form(twice[1]).send(browser)
    assert (reload(person).name, reload(person).state) == ("Old", "staff")


def test_the_same_form_with_other_content_is_a_new_command(world: World) -> None:
    """The person goes back, changes the form and sends it again. It must not be answered as done."""
    person, browser = world.add(Role.STAFF, "Old"), world.browser("admin")
    form = form_of(browser, person, "edit")
    form.send(browser, values={"name": "New"}, follow=True)
    changed = form.send(browser, values={"name": "Newer still"})
    assert changed.status_code == 409
    assert reload(person).name == "New"
    (conflict,) = parse(changed).by_class("conflict")
    assert form_to(conflict, form.action).send(browser).status_code == 303
    assert reload(person).name == "Newer still"


def test_a_token_of_one_form_does_not_block_the_same_action_at_another_url(world: World) -> None:
    one, other, browser = world.add(), world.add(), world.browser("admin")
    form = form_of(browser, one, "disable")
    form.send(browser)
    assert browser.post(f"/people/{other.email}/disable/", form.data()).status_code == 303
    assert (reload(one).state, reload(other).state) == ("disabled", "disabled")


@pytest.mark.parametrize(
    ("name", "action"), [("disable", "person.disable"), ("sign-out", "person.end_sessions"), ("link", "person.reset")]
)
def test_an_action_sent_twice_acts_once(world: World, name: str, action: str) -> None:
    person, browser = world.add(), world.browser("admin")
    form = form_of(browser, person, name)
    sent = {"current": PASSWORD} if name == "sign-out" else {}
    statuses = [form.send(browser, values=sent).status_code for _ in range(2)]
    assert statuses in ([303, 303], [200, 200])
    assert audit_entries.actions(person.email) == [action, "person.create"]
    assert reload(person).revision == person.revision + 1


def test_a_token_of_another_person_is_a_new_command(world: World) -> None:
    """Another person who sends the same token executes a new command."""
    person = world.add()
    form = form_of(world.browser("admin"), person, "edit")
    form.send(world.browser("admin"), values={"name": "By Alma"})
    other = form.data(name="By Aldo", revision=str(person.revision + 1))
    assert world.browser("admin2").post(form.action, other).status_code == 303
    assert reload(person).name == "By Aldo"


def test_a_form_that_was_open_for_too_long_is_refused(world: World) -> None:
    person, browser = world.add(), world.browser("admin")
    form = form_of(browser, person, "edit")
    with mock.patch("django.core.signing.time.time", lambda: (now() + timedelta(days=15)).timestamp()):
        response = form.send(browser, values={"name": "Late"})
    assert response.status_code == 422
    assert "This form was open for too long" in parse(response).text
    assert reload(person).revision == person.revision


@pytest.mark.parametrize("token", ["", "garbage", "a:b:c", "\x00", "x" * 10_000])
def test_an_invalid_token_is_a_new_command(world: World, token: str) -> None:
    person = world.add()
    sent = {"name": "New", "role": "staff", "revision": str(person.revision), "operation": token}
    assert world.browser("admin").post(f"/people/{person.email}/edit/", sent).status_code == 303
    assert reload(person).revision == person.revision + 1
