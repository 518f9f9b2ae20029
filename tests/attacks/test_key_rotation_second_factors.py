"""The pepper is replaced: phones and recovery codes stay valid after one sign-in, and each code works once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import timedelta

import pyotp
import pytest

from dashboard.core.clock import frozen, now
from dashboard.platform.accounts import codes
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import second_factor, sessions
from dashboard.table.commands import new_command
from tests.accounts.second_factors import (
    SET_UP,
    enter_code,
    enter_password,
    frozen_at_step_start,
    is_signed_in,
    reload,
    switch_on,
)
from tests.attacks.conftest import Rotate
from tests.conftest import PASSWORD, add_person, real_engines, sign_in
from tests.ui.html import form_to, parse
from tests.ui.world import World


def app_of(person: Person) -> pyotp.TOTP:
    """The app on the person's phone, which knows nothing of a rotation."""
    return pyotp.TOTP(codes.secret_of(person.email, person.totp_seed or ""))


def enter(person: Person, code: str) -> bool:
    browser = enter_password(person)
    enter_code(browser, code)
    return is_signed_in(browser)


@pytest.mark.parametrize("set_up", ["by a page", "before seeds were encrypted"])
def test_a_second_factor_stays_valid_after_one_use(
    world: World, rotate: Rotate, forget_old_keys: Rotate, set_up: str
) -> None:
    person = world.add()
    if set_up == "by a page":
        browser = sign_in(person)
        with frozen(now() - timedelta(hours=1)), frozen_at_step_start():
            page = browser.get(SET_UP)
            key = "".join(parse(page).by_class("key")[0].text.split())
            form_to(page, SET_UP).send(browser, values={"code": pyotp.TOTP(key).at(now()), "current": PASSWORD})
        person = reload(person)
    else:
        person, _ = switch_on(person)
    phone = app_of(person)
    rotate()
    with frozen_at_step_start() as moment:
        assert enter(person, phone.at(moment))
    assert reload(person).revision == person.revision
    forget_old_keys()
    with frozen(moment + timedelta(minutes=5)):
        assert enter(person, phone.at(moment + timedelta(minutes=5)))


def test_a_second_factor_can_be_set_up_with_a_picture_from_before_the_rotation(world: World, rotate: Rotate) -> None:
    person = world.add()
    browser = sign_in(person)
    with frozen_at_step_start() as moment:
        page = browser.get(SET_UP)
        phone = pyotp.TOTP("".join(parse(page).by_class("key")[0].text.split()))
        rotate()
        wrong = form_to(page, SET_UP).send(browser, values={"code": "12", "current": PASSWORD})
        assert parse(wrong).by_class("key")[0].text == parse(page).by_class("key")[0].text
        assert (
            form_to(page, SET_UP).send(browser, values={"code": phone.at(moment), "current": PASSWORD}).status_code
            == 200
        )
    with frozen(moment + timedelta(minutes=5)):
        assert enter(reload(person), phone.at(moment + timedelta(minutes=5)))


def test_unused_recovery_codes_stay_valid_after_one_sign_in(
    world: World, rotate: Rotate, forget_old_keys: Rotate
) -> None:
    person, recovery = switch_on(world.add())
    rotate()
    assert enter(person, recovery[0])
    forget_old_keys()
    assert [enter(person, code) for code in recovery[:3]] == [False, True, True]
    assert reload(person).recovery_left == 7


def test_a_form_sent_again_after_the_rotation_shows_the_same_recovery_codes(world: World, rotate: Rotate) -> None:
    person, _ = switch_on(world.add())
    command = new_command(person.actor)
    with frozen_at_step_start():
        after = second_factor.new_recovery_codes(person.email, current=PASSWORD, session_id="", command=command)
    shown = second_factor.recovery_codes_of(after, command)
    rotate()
    assert enter(person, shown[0])
    assert second_factor.recovery_codes_of(reload(person), command) == shown[1:]


@real_engines
def test_recovery_codes_used_at_once_during_the_rotation_work_once_each(table: str, rotate: Rotate) -> None:
    """Encrypting the codes again must not bring back one that was used in the meantime."""
    person, recovery = switch_on(add_person("ana@example.com", Role.STAFF))
    pending = [sessions.find(sessions.admit(person, address="10.0.0.1", agent="")) for _ in recovery]
    rotate()

    def enter_with(number: int) -> str:
        half = pending[number]
        assert half is not None
        return second_factor.sign_in(half, recovery[number], address="10.0.0.1", agent="")

    with ThreadPoolExecutor(5) as threads:
        work = [threads.submit(copy_context().run, enter_with, number) for number in range(5)]
        assert all(future.result() for future in work)
    assert reload(person).recovery_left == 5
