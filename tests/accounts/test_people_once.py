"""One wish is carried out once, however often its form is sent."""

from __future__ import annotations

from datetime import timedelta
from unittest import mock

import pytest

from dashboard.core.clock import now
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.accounts.person_page import ALDO, form_of, reloaded, said
from tests.ui.html import form_to, parse, undo_form
from tests.ui.world import World


def test_the_same_form_sent_twice_acts_once_and_is_answered_as_done(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Old"), world.browser("admin")
    form = form_of(browser, person, "edit")
    twice = [form.send(browser, values={"name": "New", "role": "owner"}, follow=True) for _ in range(2)]
    assert [response.redirect_chain for response in twice] == [[(f"/people/{person.email}/", 303)]] * 2
    assert said(twice[0]) == said(twice[1])
    assert reloaded(person).revision == person.revision + 1
    assert audit_entries.actions(person.email) == ["person.edit", "person.create"]
    # Even after someone else has changed it since: it was done, and it is not done again.
    after = reloaded(person)
    people.edit(person.email, name="Other", role=Role.STAFF, revision=after.revision, command=new_command(ALDO))
    assert form.send(browser, values={"name": "New", "role": "owner"}).status_code == 303
    assert reloaded(person).name == "Other"


def test_undo_after_a_form_was_sent_twice_leads_back_to_what_was_before(world: World) -> None:
    person, browser = world.add(Role.STAFF, "Old"), world.browser("admin")
    form = form_of(browser, person, "edit")
    twice = [form.send(browser, values={"name": "New", "role": "owner"}, follow=True) for _ in range(2)]
    undo_form(twice[1]).send(browser)
    assert (reloaded(person).name, reloaded(person).state) == ("Old", "staff")


def test_the_same_form_with_another_content_is_another_wish(world: World) -> None:
    """Sent, gone back to, changed and sent again: it must not be answered as done."""
    person, browser = world.add(Role.STAFF, "Old"), world.browser("admin")
    form = form_of(browser, person, "edit")
    form.send(browser, values={"name": "New"}, follow=True)
    changed = form.send(browser, values={"name": "Newer still"})
    assert changed.status_code == 409
    assert reloaded(person).name == "New"
    (conflict,) = parse(changed).by_class("conflict")
    assert form_to(conflict, form.action).send(browser).status_code == 303
    assert reloaded(person).name == "Newer still"


def test_a_forms_token_is_for_one_address(world: World) -> None:
    one, other, browser = world.add(), world.add(), world.browser("admin")
    form = form_of(browser, one, "disable")
    form.send(browser)
    assert browser.post(f"/people/{other.email}/disable/", form.data()).status_code == 303
    assert (reloaded(one).state, reloaded(other).state) == ("disabled", "disabled")


@pytest.mark.parametrize(
    ("name", "action"), [("disable", "person.disable"), ("sign-out", "person.end_sessions"), ("link", "person.reset")]
)
def test_a_button_pressed_twice_acts_once(world: World, name: str, action: str) -> None:
    person, browser = world.add(), world.browser("admin")
    form = form_of(browser, person, name)
    statuses = [form.send(browser).status_code for _ in range(2)]
    assert statuses in ([303, 303], [200, 200])
    assert audit_entries.actions(person.email) == [action, "person.create"]
    assert reloaded(person).revision == person.revision + 1


def test_an_operation_of_another_person_is_ones_own_new_wish(world: World) -> None:
    """A form's token is worth nothing in another's hands: it cannot make their act look done."""
    person = world.add()
    form = form_of(world.browser("admin"), person, "edit")
    form.send(world.browser("admin"), values={"name": "By Alma"})
    other = form.data(name="By Aldo", revision=str(person.revision + 1))
    assert world.browser("admin2").post(form.action, other).status_code == 303
    assert reloaded(person).name == "By Aldo"


def test_a_form_that_was_open_for_too_long_asks_to_be_loaded_again(world: World) -> None:
    person, browser = world.add(), world.browser("admin")
    form = form_of(browser, person, "edit")
    with mock.patch("django.core.signing.time.time", lambda: (now() + timedelta(days=15)).timestamp()):
        response = form.send(browser, values={"name": "Late"})
    assert response.status_code == 422
    assert "This form was open for too long" in parse(response).text
    assert reloaded(person).revision == person.revision


@pytest.mark.parametrize("token", ["", "garbage", "a:b:c", "\x00", "x" * 10_000])
def test_a_token_that_is_none_is_a_wish_of_its_own(world: World, token: str) -> None:
    person = world.add()
    sent = {"name": "New", "role": "staff", "revision": str(person.revision), "operation": token}
    assert world.browser("admin").post(f"/people/{person.email}/edit/", sent).status_code == 303
    assert reloaded(person).revision == person.revision + 1
