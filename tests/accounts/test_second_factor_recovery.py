"""Recovery codes: each lets in once, new ones replace them, and it stands in the trail."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.platform.accounts import codes, lockout
from dashboard.table.commands import new_command
from tests.accounts import audit_entries
from tests.accounts.second_factors import (
    COOKIE,
    SET_UP,
    code_of,
    complaints,
    early_in_a_step,
    give_code,
    give_password,
    is_in,
    reloaded,
    switch_on,
)
from tests.conftest import ACTOR, PASSWORD, sign_in
from tests.ui.html import form_to, parse, toasts
from tests.ui.world import World

NEW = "/account/second-factor/recovery/"


def new_codes(browser: Any, password: str) -> Any:
    return form_to(browser.get(SET_UP), NEW).send(browser, values={"current": password})


def shown(page: Any) -> list[str]:
    return [each.text for box in parse(page).by_class("codes") for each in box.all("li")]


def test_a_recovery_code_lets_in_once_and_is_in_the_trail(world: World) -> None:
    person, recovery = switch_on(world.add())
    browser = give_password(person)
    response = give_code(browser, codes.in_groups(recovery[3]), follow=True)
    assert response.redirect_chain == [("/", 303)]
    assert toasts(response) == ["Recovery code used. 9 left."]
    after = reloaded(person)
    assert (after.recovery_left, after.revision, after.totp_step) == (9, person.revision, person.totp_step)
    assert audit_entries.last(person.email)[:2] == (person.email, "person.recovery_code")
    assert is_in(browser)

    again = give_code(give_password(person), recovery[3])
    assert again.status_code == 422 and "already been used" in complaints(again)
    assert audit_entries.actions(person.email).count("person.recovery_code") == 1
    assert give_code(give_password(person), recovery[4]).status_code == 303


def test_all_of_them_can_be_used_up_and_the_app_still_works(world: World) -> None:
    person, recovery = switch_on(world.add())
    for code in recovery:
        assert give_code(give_password(person), code).status_code == 303
    assert reloaded(person).recovery_left == 0
    refused = give_code(give_password(person), recovery[0])
    assert refused.status_code == 422
    with early_in_a_step():
        assert give_code(give_password(person), code_of(person)).status_code == 303


def test_a_code_of_someone_else_is_worth_nothing(world: World) -> None:
    person, _mine = switch_on(world.add())
    _other, theirs = switch_on(world.add())
    refused = give_code(give_password(person), theirs[0])
    assert refused.status_code == 422 and "recovery code is wrong" in complaints(refused)


def test_new_ones_replace_them_and_are_shown_once(world: World) -> None:
    person, recovery = switch_on(world.add())
    here, there = sign_in(person), sign_in(person)
    with early_in_a_step():
        response = new_codes(here, PASSWORD)
        assert response.status_code == 200
        fresh = shown(response)
        assert len(fresh) == 10
        after = reloaded(person)
        assert (after.recovery_left, after.totp_seed, after.revision) == (10, person.totp_seed, person.revision + 1)
        assert audit_entries.last(person.email) == (person.email, "person.recovery_codes", {}, {})
        assert [is_in(here), is_in(there)] == [True, False]
        assert give_code(give_password(after), recovery[0]).status_code == 422
        assert give_code(give_password(after), fresh[0]).status_code == 303


def test_a_form_sent_twice_shows_the_same_codes(world: World) -> None:
    person, _codes = switch_on(world.add())
    browser = sign_in(person)
    with early_in_a_step():
        form, typed = form_to(browser.get(SET_UP), NEW), {"current": PASSWORD}
        first, again = form.send(browser, values=typed), form.send(browser, values=typed)
    assert shown(first) == shown(again) != []
    assert audit_entries.actions(person.email).count("person.recovery_codes") == 1


def test_a_form_sent_again_after_newer_codes_shows_none(world: World) -> None:
    person, _codes = switch_on(world.add())
    browser = sign_in(person)
    form, typed = form_to(browser.get(SET_UP), NEW), {"current": PASSWORD}
    form.send(browser, values=typed)
    new_codes(browser, PASSWORD)
    again = form.send(browser, values=typed)
    assert again.status_code == 200 and shown(again) == []
    assert "used or replaced" in parse(again).text


@pytest.mark.parametrize("password", ["", "not-the-password", "x" * 129])
def test_a_wrong_password_changes_nothing(world: World, password: str) -> None:
    person, _codes = switch_on(world.add())
    response = new_codes(sign_in(person), password)
    assert response.status_code == 422 and COOKIE not in response.cookies
    assert [error.attrs["id"] for error in parse(response).by_class("error")] == ["codes_form_current_error"]
    assert reloaded(person).recovery_hashes == person.recovery_hashes
    assert password == "" or password not in response.content.decode()


def test_guessing_the_password_is_slowed_down(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockout, "TRIES_AN_ACCOUNT", 2)
    person, _codes = switch_on(world.add())
    browser = sign_in(person)
    with early_in_a_step():
        for _ in range(2):
            assert new_codes(browser, "not-the-password").status_code == 422
        refused = new_codes(browser, PASSWORD)
    assert refused.status_code == 429 and int(refused.headers["Retry-After"]) > 0
    assert reloaded(person).revision == person.revision


def test_the_codes_of_an_operation_are_its_own() -> None:
    one, other = new_command(ACTOR), new_command(ACTOR)
    assert codes.recovery_codes(one) == codes.recovery_codes(one)
    assert set(codes.recovery_codes(one)).isdisjoint(codes.recovery_codes(other))
    assert all(codes.is_recovery_code(code) for code in codes.recovery_codes(one))
