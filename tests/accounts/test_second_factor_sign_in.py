"""Signing in with a code: halfway in opens nothing, a code works once, and guessing is slowed down."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.platform.accounts import lockout, queries
from dashboard.platform.accounts.items import Session
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import people, second_factor, sessions
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.accounts.second_factors import (
    COOKIE,
    LOGIN_CODE,
    STEP,
    addresses,
    code_of,
    complaints,
    early_in_a_step,
    give_code,
    give_password,
    is_in,
    reloaded,
    switch_on,
)
from tests.conftest import ACTOR, PASSWORD, add_person, every_engine, sign_in
from tests.ui.html import form_to, parse, toasts
from tests.ui.samples import samples
from tests.ui.walk import calls_of, new_browser, routes
from tests.ui.world import World


def test_the_password_then_the_code(world: World) -> None:
    person, _codes = switch_on(world.add())
    before = person.last_sign_in_at
    with early_in_a_step() as moment:
        browser = give_password(person, next="/account/?a=b")
        half = browser.cookies[COOKIE].value
        (session,) = queries.sessions(person.email)
        assert (session.stage, session.expires_at) == (Session.CODE, moment + timedelta(minutes=10))
        assert reloaded(person).last_sign_in_at == before, "nobody is in yet"

        asked = browser.get(LOGIN_CODE, {"next": "/account/?a=b"})
        response = form_to(asked, LOGIN_CODE).send(browser, values={"code": code_of(person)})

    assert (response.status_code, response.headers["Location"]) == (303, "/account/?a=b")
    assert response.cookies[COOKIE].value != half, "another key"
    (session,) = queries.sessions(person.email)
    assert not session.stage
    after = reloaded(person)
    assert (after.last_sign_in_at, after.revision) == (moment, person.revision), "signing in is no edit"
    assert int(after.totp_step or 0) == int(moment.timestamp()) // 30
    assert is_in(browser)
    assert sessions.find(half) is None
    assert (
        audit_entries.actions(person.email).count("person.second_factor_on")
        == len(audit_entries.actions(person.email)) - 1
    )


def test_the_page_asks_for_a_code_as_phones_like_it(world: World) -> None:
    person, _codes = switch_on(world.add())
    page = give_password(person).get(LOGIN_CODE)
    assert page.status_code == 200 and "no-store" in page.headers["Cache-Control"]
    field = parse(page).one("input", name="code")
    assert (field.attrs["autocomplete"], field.attrs["inputmode"]) == ("one-time-code", "numeric")
    assert person.email not in parse(page).text
    assert calls_of(page).trips == 1


def test_halfway_in_opens_nothing(world: World) -> None:
    """Every address with every method: what is not public leads to the code, or is refused."""
    person, _codes = switch_on(world.add(Role.ADMIN))
    browser = give_password(person)
    parts = samples()
    for route in routes():
        if route.is_public or route.needs_api_key:
            continue
        url = route.url(parts)
        answered = browser.get(url)
        assert answered.status_code == 302, url
        assert answered.headers["Location"] == f"{LOGIN_CODE}?{urlencode({'next': url})}"
        assert answered.wsgi_request.person is None  # type: ignore[attr-defined]
        assert browser.post(url).status_code == 401, url
    part = browser.get("/people/", headers={"HX-Request": "true"})
    assert (part.status_code, part.headers["HX-Redirect"]) == (401, f"{LOGIN_CODE}?next=%2F")
    assert not is_in(browser)


def test_halfway_in_is_not_listed_among_the_browsers(world: World) -> None:
    person, _codes = switch_on(world.add())
    here = sign_in(person)
    give_password(person)
    assert len(queries.sessions(person.email)) == 2
    assert len(parse(here.get("/account/")).one("tbody").all("tr")) == 1


def test_halfway_in_the_language_can_be_changed_and_one_can_turn_back(world: World) -> None:
    person, _codes = switch_on(world.add())
    browser = give_password(person)
    changed = browser.post("/language/", {"language": "es", "next": LOGIN_CODE})
    assert changed.headers["Location"] == LOGIN_CODE
    assert parse(browser.get(LOGIN_CODE)).one("html").attrs["lang"] == "es"
    assert reloaded(person).language is None
    form_to(browser.get(LOGIN_CODE), "/logout/").send(browser)
    assert queries.sessions(person.email) == []
    assert browser.get(LOGIN_CODE).headers["Location"] == "/login/"


def test_halfway_in_lasts_ten_minutes_and_no_use_prolongs_it(world: World) -> None:
    person, _codes = switch_on(world.add())
    start = now()
    with frozen(start):
        browser = give_password(person)
    with frozen(start + timedelta(minutes=9, seconds=59)):
        assert browser.get(LOGIN_CODE).status_code == 200
    with frozen(start + timedelta(minutes=10)):
        assert browser.get(LOGIN_CODE, {"next": "/account/"}).headers["Location"] == "/login/?next=%2Faccount%2F"
        late = browser.post(LOGIN_CODE, {"code": code_of(person)}, follow=True)
        assert late.redirect_chain == [("/login/", 303)]
        assert "Sign in again" in toasts(late)[0]
    assert queries.sessions(person.email) == [] or not is_in(browser)


@pytest.mark.parametrize("act", ["disable", "reset", "end_sessions"])
def test_halfway_in_ends_with_the_other_sessions(world: World, act: str) -> None:
    person, _codes = switch_on(world.add())
    browser = give_password(person)
    service: Any = second_factor.reset if act == "reset" else getattr(people, act)
    service(person.email, revision=person.revision, command=new_command(ACTOR))
    assert browser.get(LOGIN_CODE).status_code == 303
    with early_in_a_step():
        assert browser.post(LOGIN_CODE, {"code": code_of(person)}).headers["Location"] == "/login/"
    assert not is_in(browser)


def test_without_a_second_factor_nobody_is_asked(world: World) -> None:
    person = world.add()
    browser = new_browser()
    sent = {"email": person.email, "password": PASSWORD}
    response = browser.post("/login/", sent, REMOTE_ADDR=next(addresses))
    assert response.headers["Location"] == "/"
    assert browser.get(LOGIN_CODE, {"next": "/account/"}).headers["Location"] == "/account/"
    assert Client().get(LOGIN_CODE).headers["Location"] == "/login/"
    assert Client().post(LOGIN_CODE, {"code": "123456"}).headers["Location"] == "/login/"


def test_a_halfway_key_of_one_person_opens_nothing_of_another(world: World) -> None:
    mine, _codes = switch_on(world.add())
    theirs, _codes = switch_on(world.add())
    with early_in_a_step():
        browser = give_password(mine)
        assert give_code(browser, code_of(theirs)).status_code == 422
    assert not is_in(browser)


@pytest.mark.parametrize(("steps", "status"), [(-2, 422), (-1, 303), (0, 303), (1, 303), (2, 422)])
def test_a_clock_may_be_a_step_off(world: World, steps: int, status: int) -> None:
    person, _codes = switch_on(world.add())
    with early_in_a_step():
        browser = give_password(person)
        assert give_code(browser, code_of(person, steps)).status_code == status
    assert is_in(browser) == (status == 303)


@every_engine
def test_a_code_works_once_and_no_older_one_after_it(table: str) -> None:
    person, _codes = switch_on(add_person("marco@example.com", Role.MODERATOR))
    with early_in_a_step() as moment:
        used = code_of(person)
        assert give_code(give_password(person), used).status_code == 303
        for old in (used, code_of(person, -1)):
            refused = give_code(give_password(person), old)
            assert refused.status_code == 422 and "already been used" in complaints(refused)
            assert COOKIE not in refused.cookies
    with frozen(moment + STEP):
        assert give_code(give_password(person), used).status_code == 422
        assert give_code(give_password(person), code_of(person)).status_code == 303


def test_the_code_that_switched_it_on_lets_nobody_in(world: World) -> None:
    person = world.add()
    with early_in_a_step():
        seed, command = "seed", new_command(person.actor)
        code = code_of(person, seed=seed)
        after = second_factor.switch_on(
            person.email, current=PASSWORD, session_id="", seed=seed, code=code, command=command
        )
        refused = give_code(give_password(after), code)
    assert refused.status_code == 422 and "already been used" in complaints(refused)


@pytest.mark.parametrize("typed", ["", "1", "12345", "1234567", "abcdef", "٣٤٥", "x" * 41, "12345678901", "a\x00b"])
def test_what_is_no_code_is_refused_and_not_counted(world: World, typed: str) -> None:
    person, _codes = switch_on(world.add())
    browser = give_password(person)
    response = browser.post(LOGIN_CODE, {"code": typed, "next": "/account/"})
    assert response.status_code == 422
    assert form_to(response, LOGIN_CODE).data()["next"] == "/account/"
    assert [call.operation for call in calls_of(response).calls] == ["BatchGetItem"]


def test_codes_are_read_as_people_type_them(world: World) -> None:
    person, _codes = switch_on(world.add())
    with early_in_a_step():
        code = code_of(person)
        wide = "".join(chr(ord(digit) + 0xFEE0) for digit in code[:3])
        assert give_code(give_password(person), f"{wide} {code[3:]} ").status_code == 303


def test_guessing_is_slowed_down_and_counted_before_the_code_is_looked_at(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lockout, "CODES", 3)
    person, recovery = switch_on(world.add())
    with early_in_a_step():
        browser = give_password(person)
        wrong = f"{(int(code_of(person)) + 1) % 10**6:06}"
        for _ in range(3):
            assert give_code(browser, wrong).status_code == 422
        for right in (code_of(person), recovery[0]):
            refused = give_code(give_password(person), right)
            assert refused.status_code == 429 and "Too many attempts" in complaints(refused)
            assert int(refused.headers["Retry-After"]) > 0
    assert reloaded(person).recovery_left == 10
    # A new password leaves the guesser, who had the old one, and the count behind.
    command = new_command(ACTOR)
    person = people.end_sessions(person.email, revision=reloaded(person).revision, command=command)
    with early_in_a_step():
        assert give_code(give_password(person), code_of(person)).status_code == 303


@pytest.mark.parametrize("limit", ["CODES", "CODES_A_DAY"])
def test_a_right_code_does_not_count_and_wrong_ones_stay_counted(
    world: World, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(lockout, limit, 3)
    person, recovery = switch_on(world.add())
    with early_in_a_step():
        wrong = f"{(int(code_of(person)) + 1) % 10**6:06}"
        for code in recovery[:3]:
            assert give_code(give_password(person), code).status_code == 303
        for code in recovery[3:5]:
            assert give_code(give_password(person), wrong).status_code == 422
            assert give_code(give_password(person), code).status_code == 303
        assert give_code(give_password(person), wrong).status_code == 422
        refused = give_code(give_password(person), recovery[5])
        assert refused.status_code == 429


@pytest.mark.parametrize("next_url", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:x"])
def test_the_code_never_leads_away(world: World, next_url: str) -> None:
    person, _codes = switch_on(world.add())
    with early_in_a_step():
        browser = give_password(person, next=next_url)
        assert form_to(browser.get(LOGIN_CODE, {"next": next_url}), LOGIN_CODE).data()["next"] == "/"
        sent = {"code": code_of(person), "next": next_url}
        assert browser.post(LOGIN_CODE, sent).headers["Location"] == "/"


def test_nothing_of_it_is_logged(world: World, capfd: pytest.CaptureFixture[str]) -> None:
    person, recovery = switch_on(world.add())
    with early_in_a_step():
        code = code_of(person)
        give_code(give_password(person), code)
        give_code(give_password(person), recovery[0])
    logged = "".join(capfd.readouterr())
    for secret in (code, recovery[0], person.totp_seed or "-", person.email):
        assert secret not in logged
