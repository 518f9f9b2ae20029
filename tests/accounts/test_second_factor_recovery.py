"""Recovery codes: each works once, new ones replace them, and their use is in the audit trail."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.platform.accounts import codes, lockout, recovery_codes
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.accounts.second_factors import (
    COOKIE,
    SET_UP,
    code_of,
    enter_code,
    enter_password,
    error_texts,
    frozen_at_step_start,
    is_signed_in,
    reload,
    switch_on,
)
from tests.conftest import ACTOR, PASSWORD, sign_in
from tests.ui.html import form_to, parse, toasts
from tests.ui.world import World

NEW = "/account/second-factor/recovery/"


def request_new_codes(browser: Any, password: str) -> Any:
    return form_to(browser.get(SET_UP), NEW).send(browser, values={"current": password})


def codes_shown(page: Any) -> list[str]:
    return [each.text for box in parse(page).by_class("codes") for each in box.all("li")]


def test_a_recovery_code_works_once_and_its_use_is_in_the_audit_trail(world: World) -> None:
    person, recovery = switch_on(world.add())
    browser = enter_password(person)
    response = enter_code(browser, codes.in_groups(recovery[3]), follow=True)
    assert response.redirect_chain == [("/", 303)]
    assert toasts(response) == ["Recovery code used. 9 left."]
    after = reload(person)
    assert (after.recovery_left, after.revision, after.totp_step) == (9, person.revision, person.totp_step)
    assert audit_entries.last_entry(person.email)[:2] == (person.email, "person.recovery_code")
    assert is_signed_in(browser)

    again = enter_code(enter_password(person), recovery[3])
    assert again.status_code == 422 and "already been used" in error_texts(again)
    assert audit_entries.actions(person.email).count("person.recovery_code") == 1
    assert enter_code(enter_password(person), recovery[4]).status_code == 303


def test_after_all_recovery_codes_are_used_the_app_still_works(world: World) -> None:
    person, recovery = switch_on(world.add())
    for code in recovery:
        assert enter_code(enter_password(person), code).status_code == 303
    assert reload(person).recovery_left == 0
    refused = enter_code(enter_password(person), recovery[0])
    assert refused.status_code == 422
    with frozen_at_step_start():
        assert enter_code(enter_password(person), code_of(person)).status_code == 303


def test_a_recovery_code_of_another_person_is_refused(world: World) -> None:
    person, _mine = switch_on(world.add())
    _other, theirs = switch_on(world.add())
    refused = enter_code(enter_password(person), theirs[0])
    assert refused.status_code == 422 and "recovery code is wrong" in error_texts(refused)


def test_new_recovery_codes_replace_the_old_ones(world: World) -> None:
    person, recovery = switch_on(world.add())
    here, there = sign_in(person), sign_in(person)
    with frozen_at_step_start():
        response = request_new_codes(here, PASSWORD)
        assert response.status_code == 200
        new_recovery_codes = codes_shown(response)
        assert len(new_recovery_codes) == 10
        after = reload(person)
        assert (after.recovery_left, after.totp_seed, after.revision) == (10, person.totp_seed, person.revision + 1)
        assert audit_entries.last_entry(person.email) == (person.email, "person.recovery_codes", {}, {})
        assert [is_signed_in(here), is_signed_in(there)] == [True, False]
        assert enter_code(enter_password(after), recovery[0]).status_code == 422
        assert enter_code(enter_password(after), new_recovery_codes[0]).status_code == 303


def test_a_form_sent_twice_shows_the_same_codes(world: World) -> None:
    person, _codes = switch_on(world.add())
    browser = sign_in(person)
    with frozen_at_step_start():
        form, fields = form_to(browser.get(SET_UP), NEW), {"current": PASSWORD}
        first, again = form.send(browser, values=fields), form.send(browser, values=fields)
    assert codes_shown(first) == codes_shown(again) != []
    assert audit_entries.actions(person.email).count("person.recovery_codes") == 1


def test_a_form_sent_again_after_newer_codes_shows_no_codes(world: World) -> None:
    person, _codes = switch_on(world.add())
    browser = sign_in(person)
    form, fields = form_to(browser.get(SET_UP), NEW), {"current": PASSWORD}
    form.send(browser, values=fields)
    request_new_codes(browser, PASSWORD)
    again = form.send(browser, values=fields)
    assert again.status_code == 200 and codes_shown(again) == []
    assert "used or replaced" in parse(again).text


@pytest.mark.parametrize("password", ["", "not-the-password", "x" * 129])
def test_a_wrong_password_changes_nothing(world: World, password: str) -> None:
    person, _codes = switch_on(world.add())
    response = request_new_codes(sign_in(person), password)
    assert response.status_code == 422 and COOKIE not in response.cookies
    assert [error.attrs["id"] for error in parse(response).by_class("error")] == ["codes_form_current_error"]
    assert reload(person).recovery_hashes == person.recovery_hashes
    assert password == "" or password not in response.content.decode()


def test_guessing_the_password_is_slowed_down(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockout, "TRIES_PER_ACCOUNT", 2)
    person, _codes = switch_on(world.add())
    browser = sign_in(person)
    with frozen_at_step_start():
        for _ in range(2):
            assert request_new_codes(browser, "not-the-password").status_code == 422
        refused = request_new_codes(browser, PASSWORD)
    assert refused.status_code == 429 and int(refused.headers["Retry-After"]) > 0
    assert reload(person).revision == person.revision


def test_each_command_has_its_own_recovery_codes() -> None:
    one, other = new_command(ACTOR), new_command(ACTOR)
    assert recovery_codes.codes_of(one) == recovery_codes.codes_of(one)
    assert set(recovery_codes.codes_of(one)).isdisjoint(recovery_codes.codes_of(other))
    assert all(recovery_codes.is_recovery_code(code) for code in recovery_codes.codes_of(one))
