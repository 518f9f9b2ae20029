"""How long a session lasts, and the actions that end it at once."""

from __future__ import annotations

import base64
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.core.errors import Unavailable
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person, Session
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import links, people, profile, sessions
from dashboard.table import read, write
from dashboard.table.commands import new_command
from tests.conftest import ACTOR, PASSWORD, sign_in
from tests.ui.world import World

COOKIE = settings.SESSION_COOKIE_NAME


def is_signed_in(browser: Client) -> bool:
    return browser.get("/").status_code == 200


def is_signed_in_at(moment: datetime, browser: Client) -> bool:
    with frozen(moment):
        return is_signed_in(browser)


def encode(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def test_a_session_ends_after_twelve_idle_hours(world: World) -> None:
    person, start = world.add(), now()
    with frozen(start):
        browser = sign_in(person)
    assert is_signed_in_at(start + timedelta(hours=12, seconds=-1), browser)
    # That was a use, so the session lasts twelve more hours.
    assert is_signed_in_at(start + timedelta(hours=23), browser)
    assert not is_signed_in_at(start + timedelta(hours=35), browser)


def test_a_session_in_constant_use_ends_after_fourteen_days(world: World) -> None:
    person, start = world.add(), now()
    with frozen(start):
        browser = sign_in(person)
    for hours in range(11, 14 * 24, 11):
        assert is_signed_in_at(start + timedelta(hours=hours), browser), f"after {hours} hours"
    assert is_signed_in_at(start + timedelta(days=14, seconds=-1), browser)
    assert not is_signed_in_at(start + timedelta(days=14), browser)


def test_the_last_use_is_recorded_every_five_minutes(world: World) -> None:
    person, start = world.add(), now()

    def recorded_use() -> datetime:
        (session,) = queries.sessions(person.email)
        return session.last_seen_at

    with frozen(start):
        browser = sign_in(person)
    assert is_signed_in_at(start + timedelta(minutes=4, seconds=59), browser) and recorded_use() == start
    assert is_signed_in_at(start + timedelta(minutes=5), browser) and recorded_use() == start + timedelta(minutes=5)


def test_recording_a_use_does_not_restore_an_ended_session(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """One tab signs out after another tab read the session and before it records the use."""
    person, start = world.add(), now()
    with frozen(start):
        browser = sign_in(person)
    (session,) = queries.sessions(person.email)
    touched = []
    touch = write.update

    def update_after_sign_out(*args: Any) -> Any:
        sessions.sign_out(session)
        touched.append(touch(*args))
        return touched[-1]

    monkeypatch.setattr(write, "update", update_after_sign_out)
    is_signed_in_at(start + timedelta(minutes=10), browser)
    assert touched == [None], "recording the use was tried and found no session"
    assert read.get(Session, session.key) is None
    assert not is_signed_in_at(start + timedelta(minutes=10), browser)


def test_a_request_succeeds_although_its_use_cannot_be_recorded(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    person, start = world.add(), now()
    with frozen(start):
        browser = sign_in(person)

    def fail_update(*args: object) -> None:
        raise Unavailable

    monkeypatch.setattr(write, "update", fail_update)
    assert is_signed_in_at(start + timedelta(minutes=10), browser)


def disable(person: Person) -> None:
    people.disable(person.email, revision=person.revision, command=new_command(ACTOR))


def change_role(person: Person) -> None:
    people.edit(person.email, name="", role=Role.OWNER, revision=person.revision, command=new_command(ACTOR))


def change_password(person: Person) -> None:
    profile.change_password(
        person.email, current=PASSWORD, new="another-long-one", session_id="", command=new_command(ACTOR)
    )


def sign_out_everywhere(person: Person) -> None:
    people.end_sessions(person.email, revision=person.revision, command=new_command(ACTOR))


def use_a_reset_link(person: Person) -> None:
    command = new_command(ACTOR)
    linked = links.create_link(person.email, revision=person.revision, command=command)
    token = links.token_of(linked, command)
    assert token is not None
    links.open_account(token, password="another-long-one", command=new_command(ACTOR))


@pytest.mark.parametrize("act", [disable, change_role, change_password, sign_out_everywhere, use_a_reset_link])
def test_every_session_ends_with_the_next_request(world: World, act: Any) -> None:
    person = world.add()
    browsers = [sign_in(person), sign_in(person)]
    colleague = world.browser("moderator")
    assert all(map(is_signed_in, browsers))
    act(person)
    assert not any(map(is_signed_in, browsers))
    assert browsers[0].post("/account/theme/", {"theme": "dark"}).status_code == 401
    assert is_signed_in(colleague)


def test_a_new_name_ends_no_session(world: World) -> None:
    person = world.add()
    browser = sign_in(person)
    people.edit(person.email, name="S. Duarte", role=Role.STAFF, revision=person.revision, command=new_command(ACTOR))
    assert is_signed_in(browser)


def test_a_cookie_with_the_address_of_another_person_is_invalid(world: World) -> None:
    browser = sign_in(world.people["staff"])
    key = browser.cookies[COOKIE].value.partition(".")[2]
    for email in ("alma@example.com", "SOFIA@example.com", "sofia@example.com ", "nobody@example.com"):
        browser.cookies[COOKIE] = f"{encode(email)}.{key}"
        assert not is_signed_in(browser), email
    browser.cookies[COOKIE] = f"{encode('sofia@example.com')}.{key}"
    assert is_signed_in(browser)


FORGED = [
    "garbage",
    ".",
    "..",
    ".key",
    "!!!.key",
    "====.key",
    "a.key",
    f"{encode('sofia@example.com')}.",
    f"{encode('sofia@example.com')}.wrong",
    encode("sofia@example.com"),
    f"{encode('sofia@example.com#x')}.key",
    f"{encode('#')}.key",
    f"{encode('sofia@example.com')}.#",
    f"{encode(chr(0))}.key",
    f"{encode('ñandú@example.com')}.clé-😀",
    base64.urlsafe_b64encode(b"\xff\xfe\xed\xa0\x80").decode() + ".key",
    "ñ.key",
    "%00.%0a",
    "a" * 590 + ".key",
    f"{encode('x' * 3000)}.key",
    "x" * 100_000,
    f"{encode('sofia@example.com')}." + "k" * 100_000,
    "' OR 1=1 --.key",
    '{"$gt": ""}.key',
]


@pytest.mark.parametrize("forged", FORGED, ids=[f"{number}-{each[:12]}" for number, each in enumerate(FORGED)])
def test_a_forged_cookie_is_invalid(world: World, forged: str) -> None:
    browser = world.browser("anonymous")
    # A server passes the bytes of headers on without decoding them.
    headers = {"Cookie": f"{COOKIE}={forged}".encode().decode("latin-1")}
    responses = [browser.get("/", headers=headers), browser.get("/login/", headers=headers)]
    responses.append(browser.post("/account/theme/", headers=headers))
    assert [response.status_code for response in responses] == [302, 200, 401]
    assert sessions.find(forged) is None
