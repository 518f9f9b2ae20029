"""A session alone is not enough: a change of the second factor and *Sign out everywhere* need the password.

Whoever finds an unlocked computer or steals a session cannot lock the person out with a second factor of their own.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import timedelta
from typing import Any

import pyotp
import pytest
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.core.errors import DomainError
from dashboard.platform.accounts import lockout
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import profile
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.accounts.second_factors import SET_UP, code_of, frozen_at_step_start, is_signed_in, reload, switch_on
from tests.conftest import PASSWORD, add_person, real_engines, sign_in
from tests.ui.html import form_to, parse
from tests.ui.world import World, world

__all__ = ["world"]

OFF, NEW_CODES, END = "/account/second-factor/off/", "/account/second-factor/recovery/", "/account/sessions/end/"
# The page with the form, its action, and the id of the field for the password.
CHANGES = {
    "set up": (SET_UP, SET_UP, "id_current"),
    "switch off": (SET_UP, OFF, "off_form_current"),
    "new recovery codes": (SET_UP, NEW_CODES, "codes_form_current"),
    "sign out everywhere": ("/account/", END, "end_sessions_form_current"),
}
every_change = pytest.mark.parametrize("change", CHANGES)


def person_for(change: str, world: World) -> Person:
    person = world.add()
    return switch_on(person)[0] if change in {"switch off", "new recovery codes"} else person


def send(browser: Client, change: str, **typed: str) -> Any:
    """Send the form as a person does, for the set-up with the code of the QR code on the page."""
    url, action, _field = CHANGES[change]
    page = browser.get(url)
    values = dict(typed)
    if change == "set up":
        (key,) = parse(page).by_class("key")
        values["code"] = pyotp.TOTP(key.text.replace(" ", "")).at(int(now().timestamp()))
    return form_to(page, action).send(browser, values=values)


def error_ids(response: Any) -> list[str]:
    return [error.attrs["id"] for error in parse(response).by_class("error")]


def state(person: Person) -> tuple[Any, ...]:
    after = reload(person)
    return after.revision, after.epoch, after.totp_seed, after.recovery_hashes


@every_change
@pytest.mark.parametrize("typed", [{}, {"current": ""}, {"current": "not-the-password"}])
def test_without_the_password_nothing_changes(world: World, change: str, typed: dict[str, str]) -> None:
    person = person_for(change, world)
    here, there = sign_in(person), sign_in(person)
    before = state(person)
    with frozen_at_step_start():
        response = send(here, change, **typed)
    assert response.status_code == 422
    assert error_ids(response) == [f"{CHANGES[change][2]}_error"], "the error is next to the field"
    assert state(person) == before
    assert is_signed_in(here) and is_signed_in(there)


@every_change
def test_with_the_password_the_change_is_made_and_other_browsers_are_signed_out(world: World, change: str) -> None:
    person = person_for(change, world)
    here, there = sign_in(person), sign_in(person)
    before = state(person)
    with frozen_at_step_start():
        assert send(here, change, current=PASSWORD).status_code in {200, 303}
    assert state(person) != before
    assert [is_signed_in(here), is_signed_in(there)] == [True, False]


@pytest.mark.parametrize("change", ["switch off", "new recovery codes"])
def test_a_code_does_not_replace_the_password(world: World, change: str) -> None:
    """Whoever holds the phone and the unlocked computer does not have the password."""
    person, recovery = switch_on(world.add())
    before = state(person)
    with frozen_at_step_start():
        for code in (code_of(person), recovery[0]):
            assert send(sign_in(person), change, current=code).status_code == 422
    assert state(person) == before


def test_a_wrong_password_loses_nothing_of_the_set_up(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    with frozen_at_step_start():
        refused = send(browser, "set up", current="not-the-password")
        form = form_to(refused, SET_UP)
        assert len(form.data()["code"]) == 6, "the code is still typed in"
        assert form.data().get("current", "") == ""
        assert form.send(browser, values={"current": PASSWORD}).status_code == 200
    assert reload(person).has_second_factor


@every_change
def test_guessing_the_password_is_limited_and_a_correct_one_does_not_count(
    world: World, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lockout, "TRIES_PER_ACCOUNT", 3)
    person = person_for(change, world)
    browser = sign_in(person)
    before = state(person)
    with frozen_at_step_start():
        assert [send(browser, change, current="not-the-password").status_code for _ in range(3)] == [422] * 3
        refused = send(browser, change, current=PASSWORD)
        assert refused.status_code == 429 and int(refused.headers["Retry-After"]) > 0
        assert error_ids(refused) == [f"{CHANGES[change][2]}_error"]
        assert state(person) == before
        # Whoever guesses in one session does not keep the person from acting in another.
        assert send(sign_in(person), change, current=PASSWORD).status_code in {200, 303}


def test_correct_passwords_do_not_use_the_guesses_up(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockout, "TRIES_PER_ACCOUNT", 2)
    person = world.add()
    with frozen(now()):
        for _ in range(4):
            command = new_command(person.actor)
            profile.end_sessions(person.email, current=PASSWORD, session_id="one", command=command)
    assert audit_entries.actions(person.email).count("person.end_sessions") == 4


def test_an_admin_needs_their_own_password_to_reset_the_second_factor_of_a_person(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lockout, "TRIES_PER_ACCOUNT", 2)
    person, _codes = switch_on(world.add())
    admin, url = sign_in(world.add(Role.ADMIN)), f"/people/{person.email}/"
    form = form_to(admin.get(url), f"{url}second-factor/reset/")
    with frozen(now()):
        for typed in ({}, {"current": "not-the-password"}, {"current": "not-the-password"}):
            refused = form.send(admin, values=typed)
            assert (refused.status_code, error_ids(refused)) == (422, ["reset_form_current_error"])
        refused = form.send(admin, values={"current": PASSWORD})
        assert (refused.status_code, error_ids(refused)) == (429, ["reset_form_current_error"])
    assert state(person)[1:] == (person.epoch, person.totp_seed, person.recovery_hashes)
    again = sign_in(world.people["admin"])
    assert (
        form_to(again.get(url), f"{url}second-factor/reset/").send(again, values={"current": PASSWORD}).status_code
        == 303
    )
    assert not reload(person).has_second_factor


@real_engines
def test_parallel_guesses_in_one_session_do_not_exceed_the_limit(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    person = add_person("marco@example.com", Role.MODERATOR)

    def guess(_number: int) -> str:
        command = new_command(person.actor)
        try:
            profile.end_sessions(person.email, current="not-the-password", session_id="one", command=command)
        except DomainError as refusal:
            return type(refusal).__name__
        return "done"

    with frozen(now()), ThreadPoolExecutor(24) as threads:
        futures = [threads.submit(copy_context().run, guess, number) for number in range(24)]
        outcomes = Counter(future.result() for future in futures)
    assert outcomes == {"Refused": lockout.TRIES_PER_ACCOUNT, "TooMany": 24 - lockout.TRIES_PER_ACCOUNT}


@every_change
def test_the_form_is_complete_in_spanish_and_without_javascript(world: World, change: str) -> None:
    person = person_for(change, world)
    browser = sign_in(person)
    browser.post("/language/", {"language": "es"})
    url, action, field = CHANGES[change]
    page = parse(browser.get(url))
    (label,) = [each for each in page.all("label") if each.attrs.get("for") == field]
    assert "Tu contraseña" in label.text
    refused = form_to(browser.get(url), action).send(browser, values={"current": "x", "code": "000000"})
    assert "La contraseña actual no es correcta." in parse(refused).text


def test_a_form_of_one_day_ago_still_works_with_the_password(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    form = form_to(browser.get("/account/"), END)
    with frozen(now() + timedelta(hours=11)):
        assert form.send(browser, values={"current": PASSWORD}).status_code == 303
