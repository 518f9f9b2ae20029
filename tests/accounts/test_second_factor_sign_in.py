"""Signing in with a code: a pending sign-in gives no access, a code works once, and guesses are limited."""

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
    enter_code,
    enter_password,
    error_texts,
    frozen_at_step_start,
    is_signed_in,
    reload,
    switch_on,
)
from tests.conftest import ACTOR, PASSWORD, add_person, every_engine, sign_in
from tests.ui.html import form_to, parse, toasts
from tests.ui.samples import samples
from tests.ui.walk import calls_of, new_browser, routes
from tests.ui.world import World


def test_password_and_code_sign_in(world: World) -> None:
    person, _codes = switch_on(world.add())
    before = person.last_sign_in_at
    with frozen_at_step_start() as moment:
        browser = enter_password(person, next="/account/?a=b")
        pending_cookie = browser.cookies[COOKIE].value
        (session,) = queries.sessions(person.email)
        assert (session.stage, session.expires_at) == (Session.CODE, moment + timedelta(minutes=10))
        assert reload(person).last_sign_in_at == before, "the sign-in is not complete yet"

        page = browser.get(LOGIN_CODE, {"next": "/account/?a=b"})
        response = form_to(page, LOGIN_CODE).send(browser, values={"code": code_of(person)})

    assert (response.status_code, response.headers["Location"]) == (303, "/account/?a=b")
    assert response.cookies[COOKIE].value != pending_cookie, "the session has a new key"
    (session,) = queries.sessions(person.email)
    assert not session.stage
    after = reload(person)
    assert (after.last_sign_in_at, after.revision) == (moment, person.revision), (
        "signing in does not change the revision"
    )
    assert int(after.totp_step or 0) == int(moment.timestamp()) // 30
    assert is_signed_in(browser)
    assert sessions.find(pending_cookie) is None
    assert (
        audit_entries.actions(person.email).count("person.second_factor_on")
        == len(audit_entries.actions(person.email)) - 1
    )


def test_the_code_field_supports_autofill_on_phones(world: World) -> None:
    person, _codes = switch_on(world.add())
    page = enter_password(person).get(LOGIN_CODE)
    assert page.status_code == 200 and "no-store" in page.headers["Cache-Control"]
    field = parse(page).one("input", name="code")
    assert (field.attrs["autocomplete"], field.attrs["inputmode"]) == ("one-time-code", "numeric")
    assert person.email not in parse(page).text
    assert calls_of(page).trips == 1


def test_a_pending_sign_in_gives_no_access(world: World) -> None:
    """Every URL that is not public redirects to the code, or is refused."""
    person, _codes = switch_on(world.add(Role.ADMIN))
    browser = enter_password(person)
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
    assert not is_signed_in(browser)


def test_a_pending_sign_in_is_not_in_the_list_of_browsers(world: World) -> None:
    person, _codes = switch_on(world.add())
    here = sign_in(person)
    enter_password(person)
    assert len(queries.sessions(person.email)) == 2
    assert len(parse(here.get("/account/")).all("tbody")[0].all("tr")) == 1


def test_during_a_pending_sign_in_language_and_sign_out_work(world: World) -> None:
    person, _codes = switch_on(world.add())
    browser = enter_password(person)
    changed = browser.post("/language/", {"language": "es", "next": LOGIN_CODE})
    assert changed.headers["Location"] == LOGIN_CODE
    assert parse(browser.get(LOGIN_CODE)).one("html").attrs["lang"] == "es"
    assert reload(person).language is None
    form_to(browser.get(LOGIN_CODE), "/logout/").send(browser)
    assert queries.sessions(person.email) == []
    assert browser.get(LOGIN_CODE).headers["Location"] == "/login/"


def test_a_pending_sign_in_ends_after_ten_minutes(world: World) -> None:
    person, _codes = switch_on(world.add())
    start = now()
    with frozen(start):
        browser = enter_password(person)
    with frozen(start + timedelta(minutes=9, seconds=59)):
        assert browser.get(LOGIN_CODE).status_code == 200
    with frozen(start + timedelta(minutes=10)):
        assert browser.get(LOGIN_CODE, {"next": "/account/"}).headers["Location"] == "/login/?next=%2Faccount%2F"
        late = browser.post(LOGIN_CODE, {"code": code_of(person)}, follow=True)
        assert late.redirect_chain == [("/login/", 303)]
        assert "Sign in again" in toasts(late)[0]
    assert queries.sessions(person.email) == [] or not is_signed_in(browser)


@pytest.mark.parametrize("act", ["disable", "reset", "end_sessions"])
def test_a_pending_sign_in_ends_with_the_other_sessions(world: World, act: str) -> None:
    person, _codes = switch_on(world.add())
    browser = enter_password(person)
    service: Any = second_factor.reset if act == "reset" else getattr(people, act)
    service(person.email, revision=person.revision, command=new_command(ACTOR))
    assert browser.get(LOGIN_CODE).status_code == 303
    with frozen_at_step_start():
        assert browser.post(LOGIN_CODE, {"code": code_of(person)}).headers["Location"] == "/login/"
    assert not is_signed_in(browser)


def test_without_a_second_factor_no_code_is_asked(world: World) -> None:
    person = world.add()
    browser = new_browser()
    sent = {"email": person.email, "password": PASSWORD}
    response = browser.post("/login/", sent, REMOTE_ADDR=next(addresses))
    assert response.headers["Location"] == "/"
    assert browser.get(LOGIN_CODE, {"next": "/account/"}).headers["Location"] == "/account/"
    assert Client().get(LOGIN_CODE).headers["Location"] == "/login/"
    assert Client().post(LOGIN_CODE, {"code": "123456"}).headers["Location"] == "/login/"


def test_the_code_of_another_person_is_refused(world: World) -> None:
    mine, _codes = switch_on(world.add())
    theirs, _codes = switch_on(world.add())
    with frozen_at_step_start():
        browser = enter_password(mine)
        assert enter_code(browser, code_of(theirs)).status_code == 422
    assert not is_signed_in(browser)


@pytest.mark.parametrize(("steps", "status"), [(-2, 422), (-1, 303), (0, 303), (1, 303), (2, 422)])
def test_a_code_may_be_one_step_early_or_late(world: World, steps: int, status: int) -> None:
    person, _codes = switch_on(world.add())
    with frozen_at_step_start():
        browser = enter_password(person)
        assert enter_code(browser, code_of(person, steps)).status_code == status
    assert is_signed_in(browser) == (status == 303)


@every_engine
def test_a_code_works_once_and_older_codes_are_refused(table: str) -> None:
    person, _codes = switch_on(add_person("marco@example.com", Role.MODERATOR))
    with frozen_at_step_start() as moment:
        used = code_of(person)
        assert enter_code(enter_password(person), used).status_code == 303
        for old in (used, code_of(person, -1)):
            refused = enter_code(enter_password(person), old)
            assert refused.status_code == 422 and "already been used" in error_texts(refused)
            assert COOKIE not in refused.cookies
    with frozen(moment + STEP):
        assert enter_code(enter_password(person), used).status_code == 422
        assert enter_code(enter_password(person), code_of(person)).status_code == 303


def test_the_code_of_the_set_up_cannot_sign_in(world: World) -> None:
    person = world.add()
    with frozen_at_step_start():
        seed, command = "seed", new_command(person.actor)
        code = code_of(person, seed=seed)
        after = second_factor.switch_on(
            person.email, current=PASSWORD, session_id="", seed=seed, code=code, command=command
        )
        refused = enter_code(enter_password(after), code)
    assert refused.status_code == 422 and "already been used" in error_texts(refused)


@pytest.mark.parametrize("code", ["", "1", "12345", "1234567", "abcdef", "٣٤٥", "x" * 41, "12345678901", "a\x00b"])
def test_a_malformed_code_is_refused_and_not_counted(world: World, code: str) -> None:
    person, _codes = switch_on(world.add())
    browser = enter_password(person)
    response = browser.post(LOGIN_CODE, {"code": code, "next": "/account/"})
    assert response.status_code == 422
    assert form_to(response, LOGIN_CODE).data()["next"] == "/account/"
    assert [call.operation for call in calls_of(response).calls] == ["BatchGetItem"]


def test_full_width_digits_and_spaces_in_a_code_are_accepted(world: World) -> None:
    person, _codes = switch_on(world.add())
    with frozen_at_step_start():
        code = code_of(person)
        wide = "".join(chr(ord(digit) + 0xFEE0) for digit in code[:3])
        assert enter_code(enter_password(person), f"{wide} {code[3:]} ").status_code == 303


def test_too_many_wrong_codes_also_block_correct_codes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockout, "CODES", 3)
    person, recovery = switch_on(world.add())
    with frozen_at_step_start():
        browser = enter_password(person)
        wrong = f"{(int(code_of(person)) + 1) % 10**6:06}"
        for _ in range(3):
            assert enter_code(browser, wrong).status_code == 422
        for correct_code in (code_of(person), recovery[0]):
            refused = enter_code(enter_password(person), correct_code)
            assert refused.status_code == 429 and "Too many attempts" in error_texts(refused)
            assert int(refused.headers["Retry-After"]) > 0
    assert reload(person).recovery_left == 10
    # Ending all sessions resets the count.
    command = new_command(ACTOR)
    person = people.end_sessions(person.email, revision=reload(person).revision, command=command)
    with frozen_at_step_start():
        assert enter_code(enter_password(person), code_of(person)).status_code == 303


@pytest.mark.parametrize("limit", ["CODES", "CODES_A_DAY"])
def test_a_correct_code_does_not_count_and_wrong_ones_stay_counted(
    world: World, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(lockout, limit, 3)
    person, recovery = switch_on(world.add())
    with frozen_at_step_start():
        wrong = f"{(int(code_of(person)) + 1) % 10**6:06}"
        for code in recovery[:3]:
            assert enter_code(enter_password(person), code).status_code == 303
        for code in recovery[3:5]:
            assert enter_code(enter_password(person), wrong).status_code == 422
            assert enter_code(enter_password(person), code).status_code == 303
        assert enter_code(enter_password(person), wrong).status_code == 422
        refused = enter_code(enter_password(person), recovery[5])
        assert refused.status_code == 429


@pytest.mark.parametrize("next_url", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:x"])
def test_the_redirect_after_the_code_stays_on_this_site(world: World, next_url: str) -> None:
    person, _codes = switch_on(world.add())
    with frozen_at_step_start():
        browser = enter_password(person, next=next_url)
        assert form_to(browser.get(LOGIN_CODE, {"next": next_url}), LOGIN_CODE).data()["next"] == "/"
        sent = {"code": code_of(person), "next": next_url}
        assert browser.post(LOGIN_CODE, sent).headers["Location"] == "/"


def test_codes_seed_and_address_are_not_logged(world: World, capfd: pytest.CaptureFixture[str]) -> None:
    person, recovery = switch_on(world.add())
    with frozen_at_step_start():
        code = code_of(person)
        enter_code(enter_password(person), code)
        enter_code(enter_password(person), recovery[0])
    logged = "".join(capfd.readouterr())
    for secret in (code, recovery[0], person.totp_seed or "-", person.email):
        assert secret not in logged
