"""A disabled person cannot get a session in any way, and nothing from before works again when they are enabled."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.conf import settings

from dashboard.core.clock import frozen, now
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import links, people, second_factor, sessions
from dashboard.table import write
from dashboard.table.commands import new_command
from tests.accounts.invitations import NEW_PASSWORD, assert_link_is_refused, create_invitation, join
from tests.accounts.second_factors import code_of, enter_password, frozen_at_step_start, is_signed_in, switch_on
from tests.conftest import ACTOR, PASSWORD, add_person, real_engines, sign_in
from tests.ui.html import form_to, parse
from tests.ui.walk import new_browser
from tests.ui.world import World, world

__all__ = ["world"]

COOKIE = settings.SESSION_COOKIE_NAME
BROWSER = {"address": "10.0.0.1", "agent": "Firefox"}


def disable(email: str) -> Person:
    person = queries.load_person(email)
    return people.disable(email, revision=person.revision, command=new_command(ACTOR))


def enable(email: str) -> Person:
    person = queries.load_person(email)
    return people.enable(email, revision=person.revision, command=new_command(ACTOR))


def password_link(person: Person) -> str:
    command = new_command(ACTOR)
    linked = links.create_link(person.email, revision=person.revision, command=command)
    return f"/join/{links.token_of(linked, command)}/"


# --- Links -----------------------------------------------------------------------------------------------
def test_an_invitation_does_not_work_again_after_disabling_and_enabling(world: World) -> None:
    person, link = create_invitation()
    disable(person.email)
    assert_link_is_refused(link)
    after = enable(person.email)
    assert_link_is_refused(link)
    assert after.state == "invited" and queries.sessions(person.email) == []


def test_an_invited_person_who_was_disabled_joins_with_a_new_link(world: World) -> None:
    person, _link = create_invitation()
    disable(person.email)
    after = enable(person.email)
    page = parse(world.browser("admin").get(f"/people/{person.email}/"))
    assert "No valid link" in page.text
    assert join(password_link(after)).status_code == 303


def test_a_password_link_does_not_work_again_after_disabling_and_enabling(world: World) -> None:
    person = world.add()
    link = password_link(person)
    disable(person.email)
    assert_link_is_refused(link)
    enable(person.email)
    assert_link_is_refused(link)


def test_the_link_of_a_person_disabled_by_an_earlier_version_ends_with_enabling(world: World) -> None:
    """Earlier versions left the link of an invitation on the item."""
    person, link = create_invitation()
    write.update(person.key, [Person.disabled_at.set(now())])
    assert_link_is_refused(link)
    enable(person.email)
    assert_link_is_refused(link)


def test_a_join_form_sent_again_after_disabling_gives_no_session(world: World) -> None:
    """The repeated form is answered like the first time, so it must look at the person as they are now."""
    person, link = create_invitation()
    form = form_to(new_browser().get(link), link)
    assert form.send(new_browser(), values={"password": NEW_PASSWORD}).status_code == 303
    disable(person.email)
    browser = new_browser()
    again = form.send(browser, values={"password": NEW_PASSWORD})
    assert (again.status_code, COOKIE in again.cookies) == (404, False)
    enable(person.email)
    assert not is_signed_in(browser)


# --- Sessions --------------------------------------------------------------------------------------------
def test_no_earlier_session_is_valid_again_after_enabling(world: World) -> None:
    person, _codes = switch_on(world.add())
    full, waiting_for_code = sign_in(person), enter_password(person)
    disable(person.email)
    assert not is_signed_in(full)
    enable(person.email)
    assert not is_signed_in(full)
    assert waiting_for_code.get("/login/code/").status_code == 303, "it asks for the password again"


def test_no_earlier_session_is_valid_again_after_another_program_deleted_the_account(world: World) -> None:
    """The new account knows nothing of the earlier one, whose sessions are still in the table."""
    earlier, later = new_browser(), new_browser()
    person, link = create_invitation()
    join(link, browser=earlier)
    assert is_signed_in(earlier)
    write.remove(person.key)
    with frozen(now() + timedelta(minutes=1)):
        _again, link = create_invitation(person.email)
        join(link, browser=later)
        assert is_signed_in(later) and not is_signed_in(earlier)


def test_no_earlier_session_is_valid_again_after_another_program_removed_the_role(world: World) -> None:
    """The password stays, so the person can sign in again at once."""
    person = world.add()
    earlier = sign_in(person)
    write.update(person.key, [Person.back_office_role.remove()])
    people.invite(person.email, name="", role=Role.STAFF, command=new_command(ACTOR))
    assert not is_signed_in(earlier)
    assert is_signed_in(sign_in(queries.load_person(person.email)))


def test_enabling_ends_what_was_created_while_the_person_was_disabled(world: World) -> None:
    """Whatever wrote a session meanwhile, it belongs to an earlier epoch."""
    person = world.add()
    during = disable(person.email)
    assert enable(person.email).epoch > during.epoch > person.epoch


def test_a_disabled_person_signs_in_with_neither_password_nor_code(world: World) -> None:
    person, recovery = switch_on(world.add())
    browser = enter_password(person)
    disable(person.email)
    with frozen_at_step_start():
        for code in (code_of(person), recovery[0]):
            refused = browser.post("/login/code/", {"code": code})
            assert refused.headers["Location"] == "/login/" and COOKIE not in refused.cookies
    refused = new_browser().post("/login/", {"email": person.email, "password": PASSWORD})
    assert refused.status_code == 422 and "Wrong e-mail or password" in parse(refused).text
    enable(person.email)
    with frozen_at_step_start():
        again = browser.post("/login/code/", {"code": code_of(person)})
    assert again.headers["Location"] == "/login/" and not is_signed_in(browser)
    assert [each for each in queries.sessions(person.email) if not each.stage] == []


def test_a_password_changed_while_being_disabled_is_reported_as_changed_but_opens_no_session(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = world.add()
    browser = sign_in(person)
    form = form_to(browser.get("/account/"), "/account/password/")
    open_session = sessions.open_session

    def after_disabling(*args: Any, **options: Any) -> str:
        disable(person.email)
        return open_session(*args, **options)

    monkeypatch.setattr(sessions, "open_session", after_disabling)
    response = form.send(browser, values={"current": PASSWORD, "password": NEW_PASSWORD})
    assert response.status_code == 303 and COOKIE not in response.cookies
    assert not is_signed_in(browser)


# --- At the same moment ----------------------------------------------------------------------------------
WAYS: dict[str, Callable[[Person], str]] = {
    "session": lambda person: sessions.open_session(person, **BROWSER),
    "password": lambda person: sessions.admit(person, **BROWSER),
}


@real_engines
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("has_second_factor", [False, True])
def test_no_session_is_written_for_a_person_disabled_since_they_were_read(
    table: str, way: str, has_second_factor: bool
) -> None:
    person = add_person("marco@example.com", Role.MODERATOR)
    if has_second_factor:
        person, _codes = switch_on(person)
    disable(person.email)
    with pytest.raises(sessions.SignInExpired):
        WAYS[way](person)
    assert queries.sessions(person.email) == []


@real_engines
def test_no_session_is_written_for_a_disabled_person_whatever_their_epoch(table: str) -> None:
    """An outside writer may set `disabledAt` alone."""
    person = add_person("marco@example.com", Role.MODERATOR)
    write.update(person.key, [Person.disabled_at.set(now())])
    with pytest.raises(sessions.SignInExpired):
        sessions.open_session(person, **BROWSER)
    with pytest.raises(sessions.SignInExpired):
        sessions.open_session(queries.load_person(person.email), **BROWSER)
    assert queries.sessions(person.email) == []


@real_engines
def test_disabling_between_the_password_and_the_session_leaves_no_session(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = add_person("marco@example.com", Role.MODERATOR)

    def check(*_args: object) -> bool:
        disable(person.email)
        return True

    monkeypatch.setattr(sessions, "check_password", check)
    response = new_browser().post("/login/", {"email": person.email, "password": PASSWORD})
    assert (response.status_code, COOKIE in response.cookies) == (422, False)
    assert queries.sessions(person.email) == []


@real_engines
def test_disabling_between_the_code_and_the_session_leaves_no_session(table: str) -> None:
    person, recovery = switch_on(add_person("marco@example.com", Role.MODERATOR))
    pending = sessions.find(sessions.admit(person, **BROWSER))
    assert pending is not None
    disable(person.email)
    with frozen_at_step_start():
        for code in (code_of(person), recovery[0]):
            with pytest.raises(sessions.SignInExpired):
                second_factor.sign_in(pending, code, **BROWSER)
    assert [each for each in queries.sessions(person.email) if not each.stage] == []
    assert queries.load_person(person.email).recovery_left == 10, "no recovery code was used up"


@real_engines
def test_sessions_opened_while_the_person_is_disabled_are_valid_neither_now_nor_after_enabling(table: str) -> None:
    person = add_person("marco@example.com", Role.MODERATOR)
    at_once = 12
    start = Barrier(at_once + 1)

    def open_session() -> str:
        start.wait()
        try:
            return sessions.open_session(person, **BROWSER)
        except sessions.SignInExpired:
            return ""

    def disable_meanwhile() -> str:
        start.wait()
        disable(person.email)
        return ""

    with ThreadPoolExecutor(at_once + 1) as threads:
        work = [open_session] * at_once + [disable_meanwhile]
        cookies = [future.result() for future in [threads.submit(copy_context().run, each) for each in work]]
    opened = [cookie for cookie in cookies if cookie]
    assert all(sessions.find(cookie) is None for cookie in opened)
    assert len(queries.sessions(person.email)) == len(opened), "who was refused left nothing behind"
    enable(person.email)
    assert all(sessions.find(cookie) is None for cookie in opened)
