"""A browser that has signed in before is not locked out by the guesses of others, and gives no guesses away."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.test import Client

from dashboard.platform.accounts import lockout
from tests.accounts.second_factors import code_of, enter_code, enter_password, frozen_at_step_start, switch_on
from tests.attacks.sign_in_attempts import BROWSER_COOKIE, OFFICE, WRONG, checked, lock_out, login, one_window
from tests.conftest import PASSWORD
from tests.ui.walk import new_browser
from tests.ui.world import World, world

__all__ = ["checked", "one_window", "world"]


def known_browser(email: str) -> Client:
    browser = new_browser()
    assert login(email, browser=browser) == 303
    assert browser.post("/logout/").status_code == 303
    assert BROWSER_COOKIE in browser.cookies
    return browser


def test_a_browser_that_has_signed_in_before_is_not_locked_out_by_anyone_else(
    world: World, checked: Counter[str]
) -> None:
    """Not even by an attacker in the same office, who also locks the address."""
    email = world.add().email
    browser = known_browser(email)
    lock_out(email, OFFICE)
    for number in range(lockout.TRIES_PER_NETWORK):
        login(f"nobody-{number}@example.com", WRONG)
    assert login(email) == 429
    assert login(email, browser=browser) == 303


def test_a_known_browser_has_a_limit_of_its_own(world: World, checked: Counter[str]) -> None:
    email = world.add().email
    browser = known_browser(email)
    statuses = [login(email, WRONG, f"203.0.113.{number}", browser) for number in range(lockout.TRIES_PER_ACCOUNT + 1)]
    assert statuses == [422] * lockout.TRIES_PER_ACCOUNT + [429]
    assert login(email, PASSWORD, browser=browser) == 429
    assert login(email) == 303, "it does not lock the others out either"


def test_the_cookie_of_a_known_browser_is_no_credential(world: World, checked: Counter[str]) -> None:
    email = world.add().email
    browser = known_browser(email)
    assert browser.get("/").status_code == 302
    cookie = browser.cookies[BROWSER_COOKIE]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and cookie["path"] == "/"
    assert int(cookie["max-age"]) > 300 * 24 * 3600
    assert email not in cookie.value


def test_the_cookie_of_one_account_gives_no_guesses_of_another(world: World, checked: Counter[str]) -> None:
    mine, other = world.add().email, world.add().email
    browser = known_browser(mine)
    lock_out(other, OFFICE)
    assert login(other, WRONG, browser=browser) == 429


@pytest.mark.parametrize("forge", [lambda value: "x", lambda value: value[:-1] + "~", lambda value: "~" * 5000])
def test_a_forged_cookie_gives_no_counter(world: World, checked: Counter[str], forge: Any) -> None:
    email = world.add().email
    browser = known_browser(email)
    browser.cookies[BROWSER_COOKIE] = forge(browser.cookies[BROWSER_COOKIE].value)
    lock_out(email, OFFICE)
    assert login(email, WRONG, browser=browser) == 429


def test_people_who_share_a_browser_are_all_known_to_it(world: World, checked: Counter[str]) -> None:
    emails = [world.add().email for _ in range(3)]
    browser = new_browser()
    for email in emails:
        assert login(email, browser=browser) == 303
        browser.post("/logout/")
    for email in emails:
        for number in range(lockout.TRIES_PER_ACCOUNT):
            login(email, WRONG, f"198.51.100.{number % 2}")
        assert login(email, browser=browser) == 303
        browser.post("/logout/")


def test_the_password_alone_makes_no_browser_known_if_a_code_is_needed(world: World, checked: Counter[str]) -> None:
    person, _codes = switch_on(world.add())
    with frozen_at_step_start():
        browser = enter_password(person)
        assert BROWSER_COOKIE not in browser.cookies
        assert enter_code(browser, code_of(person)).status_code == 303
    assert BROWSER_COOKIE in browser.cookies


def test_a_guesser_of_codes_does_not_lock_out_a_known_browser(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockout, "CODES", 3)
    person, recovery = switch_on(world.add())
    known = enter_password(person)
    assert enter_code(known, recovery[0]).status_code == 303
    known.post("/logout/")
    guesser = enter_password(person)
    statuses = [enter_code(guesser, "000000000000").status_code for _ in range(4)]
    assert statuses == [422] * 3 + [429]
    assert enter_code(enter_password(person, known), recovery[1]).status_code == 303


def test_a_browser_from_before_the_second_factor_has_no_count_of_its_own_for_codes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever knew the password then could have collected any number of cookies."""
    monkeypatch.setattr(lockout, "CODES", 3)
    person = world.add()
    early = [new_browser() for _ in range(2)]
    assert [login(person.email, browser=browser) for browser in early] == [303, 303]
    person, _codes = switch_on(person)
    statuses = [enter_code(enter_password(person, browser), "000000000000").status_code for browser in early * 2]
    assert statuses == [422, 422, 422, 429]
