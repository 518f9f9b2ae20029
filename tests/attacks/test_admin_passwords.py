"""An admin's session alone changes no sign-in rules and signs nobody out: both need the admin's password."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from dashboard.platform.accounts import lockout
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.queries import find_security
from dashboard.platform.security_log.kinds import EventKind
from tests.accounts.person_page import form_of, reload
from tests.attacks.causes import stored
from tests.conftest import PASSWORD, sign_in
from tests.ui.html import form_to, parse, toasts
from tests.ui.world import World

RULES, PEOPLE, BULK = "/people/security/", "/people/", "/people/bulk/"
ACTIONS = ("sign-in rules", "sign out", "sign out several")
every_action = pytest.mark.parametrize("action", ACTIONS)


def send(browser: Client, person: Person, action: str, **typed: str) -> Any:
    """Send the form as an admin does."""
    if action == "sign-in rules":
        return form_to(browser.get(RULES), RULES).send(browser, values={"moderator": "on", **typed})
    if action == "sign out":
        return form_of(browser, person, "sign-out").send(browser, values=typed)
    asked = browser.post(BULK, {"action": "end_sessions", "selected": person.selection_value})
    assert asked.status_code == 200 and "1 person has to sign in again in every browser." in parse(asked).text
    return form_to(asked, BULK).send(browser, values=typed)


def state(person: Person) -> tuple[Any, ...]:
    rules = find_security()
    return reload(person).revision, reload(person).epoch, rules.roles if rules else []


@every_action
@pytest.mark.parametrize("typed", [{}, {"current": ""}, {"current": "not-the-password"}])
def test_without_the_password_nothing_changes(world: World, action: str, typed: dict[str, str]) -> None:
    person, browser = world.add(), world.browser("admin")
    theirs, before = sign_in(person), state(person)
    response = send(browser, person, action, **typed)
    assert response.status_code == 422
    assert [error.attrs["id"].endswith("current_error") for error in parse(response).by_class("error")] == [True]
    assert state(person) == before and theirs.get("/").status_code == 200
    assert len(stored(EventKind.WRONG_PASSWORD)) == bool(typed.get("current"))


@every_action
def test_a_form_that_does_not_come_from_the_page_needs_the_password_too(world: World, action: str) -> None:
    person, browser = world.add(), world.browser("admin")
    before = state(person)
    sent: dict[str, Any] = {"revision": person.revision, "selected": person.selection_value, "action": "end_sessions"}
    url = {"sign-in rules": RULES, "sign out": f"/people/{person.email}/sign-out/", "sign out several": BULK}[action]
    for current in ({}, {"current": ""}, {"current": "x" * 500}, {"password": PASSWORD}):
        browser.post(url, {**sent, "moderator": "on", **current})
    assert state(person) == before


@every_action
def test_with_the_password_it_is_done_once(world: World, action: str) -> None:
    person, browser = world.add(), world.browser("admin")
    theirs, before = sign_in(person), state(person)
    response = send(browser, person, action, current=PASSWORD)
    assert response.status_code == 303
    assert state(person) != before
    assert (theirs.get("/").status_code == 200) is (action == "sign-in rules")
    assert len(toasts(browser.get("/"))) == 1


@every_action
def test_guessing_the_password_is_limited(world: World, action: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockout, "TRIES_PER_ACCOUNT", 3)
    person, browser = world.add(), world.browser("admin", fresh=True)
    before = state(person)
    assert [send(browser, person, action, current="not-the-password").status_code for _ in range(3)] == [422] * 3
    refused = send(browser, person, action, current=PASSWORD)
    assert refused.status_code == 429 and int(refused.headers["Retry-After"]) > 0
    assert state(person) == before


@every_action
def test_the_password_is_in_no_answer(world: World, action: str) -> None:
    person, browser = world.add(), world.browser("admin")
    for typed in ("not-the-password-4711", PASSWORD):
        response = send(browser, person, action, current=typed)
        assert typed not in response.content.decode() + str(response.headers)
