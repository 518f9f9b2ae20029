"""Turning the second factor off: by the person, or reset by an admin or a command. A password link does not."""

from __future__ import annotations

import io
from typing import Any

import pytest
from django.core.management import call_command

from dashboard.platform.accounts import demo, queries
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import links, people
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.accounts.person_page import form_of, submit_form, toast_text
from tests.accounts.second_factors import (
    LOGIN_CODE,
    SET_UP,
    addresses,
    code_of,
    enter_code,
    enter_password,
    frozen_at_step_start,
    is_signed_in,
    reload,
    switch_on,
)
from tests.conftest import ACTOR, PASSWORD, add_person, sign_in
from tests.ui.html import form_to, parse, toasts
from tests.ui.walk import new_browser, values
from tests.ui.world import World

OFF = "/account/second-factor/off/"
RESET = "second-factor/reset"
SECOND_FACTOR = ("totp_seed", "totp_since", "totp_step", "recovery_hashes")
NEW_PASSWORD = "correct-horse-battery"


def switch_off(browser: Any, password: str) -> Any:
    return form_to(browser.get(SET_UP), OFF).send(browser, values={"current": password}, follow=True)


def can_sign_in_with_password_only(person: Person, password: str = PASSWORD) -> bool:
    browser = new_browser()
    sent = {"email": person.email, "password": password}
    response = browser.post("/login/", sent, REMOTE_ADDR=next(addresses))
    return response.headers.get("Location") == "/" and is_signed_in(browser)


def test_a_person_turns_the_second_factor_off_with_the_password(world: World) -> None:
    person, _codes = switch_on(world.add())
    here, there = sign_in(person), sign_in(person)
    response = switch_off(here, PASSWORD)
    assert response.redirect_chain == [("/account/", 303)]
    assert toasts(response) == ["Second factor turned off. All other browsers were signed out."]
    assert values(reload(person), *SECOND_FACTOR) == (None, None, None, None)
    assert audit_entries.last_entry(person.email) == (person.email, "person.second_factor_off", {}, {})
    assert [is_signed_in(here), is_signed_in(there)] == [True, False]
    assert can_sign_in_with_password_only(person)


@pytest.mark.parametrize("password", ["", "not-the-password", "000 000", "x" * 129])
def test_a_wrong_password_does_not_turn_the_second_factor_off(world: World, password: str) -> None:
    person, _codes = switch_on(world.add())
    response = switch_off(sign_in(person), password)
    assert response.status_code == 422
    assert [error.attrs["id"] for error in parse(response).by_class("error")] == ["off_form_current_error"]
    assert reload(person).totp_seed == person.totp_seed


def test_turning_the_second_factor_off_twice_is_a_conflict(world: World) -> None:
    person, _codes = switch_on(world.add())
    first, second = sign_in(person), sign_in(person)
    form = form_to(second.get(SET_UP), OFF)
    switch_off(first, PASSWORD)
    late = form.send(sign_in(reload(person)), values={"current": PASSWORD})
    assert late.status_code == 409 and "is off" in parse(late).text


def test_a_form_sent_twice_is_answered_as_done(world: World) -> None:
    person, _codes = switch_on(world.add())
    browser = sign_in(person)
    form = form_to(browser.get(SET_UP), OFF)
    twice = [form.send(browser, values={"current": PASSWORD}) for _ in range(2)]
    assert [response.status_code for response in twice] == [303, 303]
    assert audit_entries.actions(person.email).count("person.second_factor_off") == 1


def test_an_admin_resets_the_second_factor_of_another_person(world: World) -> None:
    person, recovery = switch_on(world.add(Role.STAFF, "Sofía"))
    theirs = sign_in(person)
    admin = world.browser("admin")
    page = parse(admin.get(f"/people/{person.email}/"))
    assert "10 recovery codes left" in page.text

    response = submit_form(admin, person, RESET, current=PASSWORD)

    assert toast_text(response) == "Second factor of Sofía reset. They were signed out everywhere."
    assert values(reload(person), *SECOND_FACTOR) == (None, None, None, None)
    assert audit_entries.last_entry(person.email) == ("alma@example.com", "person.second_factor_reset", {}, {})
    assert "reset the second factor of Sofía" in parse(response).text
    assert not is_signed_in(theirs)
    assert can_sign_in_with_password_only(person)
    assert not [form for form in parse(response).all("form") if RESET in form.attrs.get("action", "")]
    assert recovery


def test_a_reset_with_an_old_revision_is_a_conflict(world: World) -> None:
    person, _codes = switch_on(world.add(Role.STAFF, "Sofía"))
    admin = world.browser("admin")
    form = form_of(admin, person, RESET)
    people.edit(person.email, name="Sofi", role=Role.STAFF, revision=person.revision, command=new_command(ACTOR))
    assert form.send(admin, values={"current": PASSWORD}).status_code == 409
    assert reload(person).has_second_factor


def test_a_reset_sent_twice_is_answered_as_done(world: World) -> None:
    person, _codes = switch_on(world.add())
    admin = world.browser("admin")
    form = form_of(admin, person, RESET)
    assert [form.send(admin, values={"current": PASSWORD}).status_code for _ in range(2)] == [303, 303]
    assert audit_entries.actions(person.email).count("person.second_factor_reset") == 1
    sent = {"revision": reload(person).revision, "current": PASSWORD}
    none = admin.post(f"/people/{person.email}/{RESET}/", sent)
    assert none.status_code == 409 and "no second factor" in parse(none).text


def test_an_admin_cannot_reset_their_own_second_factor(world: World) -> None:
    """Otherwise anyone at the unlocked browser of an admin could turn it off without a proof."""
    person, _codes = switch_on(world.add(Role.ADMIN))
    browser = sign_in(person)
    page = parse(browser.get(f"/people/{person.email}/"))
    assert not [form for form in page.all("form") if RESET in form.attrs.get("action", "")]
    refused = browser.post(f"/people/{person.email}/{RESET}/", {"revision": person.revision})
    assert refused.status_code == 422 and "your own" in parse(refused).text
    assert reload(person).has_second_factor


def test_a_password_link_still_requires_the_code(world: World) -> None:
    person, _codes = switch_on(world.add())
    command = new_command(ACTOR)
    reset = links.create_link(person.email, revision=person.revision, command=command)
    link = f"/join/{links.token_of(reset, command)}/"
    browser = new_browser()
    with frozen_at_step_start():
        form = form_to(browser.get(link), link)
        response = form.send(browser, values={"password": NEW_PASSWORD})
        assert (response.status_code, response.headers["Location"]) == (303, LOGIN_CODE)
        after = reload(person)
        assert (after.totp_seed, after.recovery_left) == (person.totp_seed, 10)
        assert not is_signed_in(browser)
        # The same form sent again does not sign in either.
        other = new_browser()
        assert form.send(other, values={"password": NEW_PASSWORD}).headers["Location"] == LOGIN_CODE
        assert not is_signed_in(other)
        assert enter_code(browser, code_of(person)).status_code == 303
    assert is_signed_in(browser)


def test_changing_the_password_keeps_the_second_factor(world: World) -> None:
    person, _codes = switch_on(world.add())
    browser = sign_in(person)
    form = form_to(browser.get("/account/"), "/account/password/")
    form.send(browser, values={"current": PASSWORD, "password": NEW_PASSWORD})
    assert reload(person).totp_seed == person.totp_seed
    assert not can_sign_in_with_password_only(person, NEW_PASSWORD)


def test_disabling_and_enabling_a_person_keeps_the_second_factor(world: World) -> None:
    person, _codes = switch_on(world.add())
    disabled = people.disable(person.email, revision=person.revision, command=new_command(ACTOR))
    people.enable(person.email, revision=disabled.revision, command=new_command(ACTOR))
    enter_password(reload(person))


def create_admin(monkeypatch: pytest.MonkeyPatch, email: str, **options: Any) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(NEW_PASSWORD + "\n"))
    out = io.StringIO()
    call_command("create_admin", email, stdin=True, stdout=out, **options)
    return out.getvalue()


def test_create_admin_keeps_the_second_factor_unless_the_reset_option_is_set(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, _codes = switch_on(add_person("alma@example.com", Role.ADMIN))
    create_admin(monkeypatch, person.email)
    assert reload(person).totp_seed == person.totp_seed
    assert not can_sign_in_with_password_only(person, NEW_PASSWORD)

    output = create_admin(monkeypatch, person.email, reset_second_factor=True)

    assert output == "The second factor is reset.\nalma@example.com is an admin and can sign in.\n"
    assert values(reload(person), *SECOND_FACTOR) == (None, None, None, None)
    assert ("system", "person.second_factor_reset") in [
        (entry.actor["email"], entry.action) for entry in audit_entries.entries(person.email)
    ]
    assert can_sign_in_with_password_only(person, NEW_PASSWORD)
    # Without a second factor there is nothing to reset.
    assert create_admin(monkeypatch, person.email, reset_second_factor=True).startswith("alma@example.com is")


def test_nobody_in_the_demo_has_a_second_factor(table: str) -> None:
    demo.seed()
    everyone = [queries.load_person(each.email) for each in queries.everyone(limit=100).items]
    assert len(everyone) > 20
    assert not any(person.has_second_factor for person in everyone)
    assert queries.find_security() is None
