"""Helpers for tests of the second factor: switch it on, compute codes, sign in with them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pyotp
from django.conf import settings
from django.test import Client

from dashboard.core.clock import frozen, now
from dashboard.core.ids import new_id
from dashboard.platform.accounts import codes, queries
from dashboard.platform.accounts.items import Person, Security
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import second_factor, security
from dashboard.table.commands import new_command
from tests.conftest import ACTOR, PASSWORD
from tests.ui.html import form_to, parse
from tests.ui.walk import new_browser

COOKIE = settings.SESSION_COOKIE_NAME
STEP = timedelta(seconds=codes.SECONDS)
SET_UP, LOGIN_CODE = "/account/second-factor/", "/login/code/"
addresses = (f"10.4.{number // 250}.{number % 250}" for number in itertools.count())


def code_of(person: Person, steps: int = 0, seed: str | None = None) -> str:
    """The code that the authenticator app shows this number of steps from now."""
    secret = codes.secret_of(person.email, seed or person.totp_seed or "")
    return pyotp.TOTP(secret).at(int((now() + steps * STEP).timestamp()))


def switch_on(person: Person) -> tuple[Person, list[str]]:
    """Switch the second factor on, one hour ago. Returns the person and the recovery codes."""
    seed, command = new_id(), new_command(person.actor)
    with frozen(now() - timedelta(hours=1)):
        code = code_of(person, seed=seed)
        after = second_factor.switch_on(
            person.email, current=PASSWORD, session_id="", seed=seed, code=code, command=command
        )
    return after, second_factor.recovery_codes_of(after, command)


def enter_password(person: Person, browser: Client | None = None, **more: str) -> Client:
    """Sign in with the password. Returns a browser that still has to enter the code."""
    browser = browser or new_browser()
    sent = {"email": person.email, "password": PASSWORD, **more}
    response = browser.post("/login/", sent, REMOTE_ADDR=next(addresses))
    assert response.status_code == 303
    assert response.headers["Location"].startswith(LOGIN_CODE)
    return browser


def enter_code(browser: Client, code: str, **options: Any) -> Any:
    """Send a code with the form of the page."""
    return form_to(browser.get(LOGIN_CODE), LOGIN_CODE).send(browser, values={"code": code}, **options)


def is_signed_in(browser: Client) -> bool:
    return bool(browser.get("/").status_code == 200)


def reload(person: Person) -> Person:
    return queries.load_person(person.email)


def error_texts(response: Any) -> str:
    """The texts of all errors and notices on a page."""
    return " ".join(error.text for error in parse(response).by_class("error") + parse(response).by_class("notice"))


@contextmanager
def frozen_at_step_start() -> Iterator[datetime]:
    """Freeze the clock at the start of the next step, so that a code stays valid until it is sent."""
    moment = datetime.fromtimestamp((int(now().timestamp()) // codes.SECONDS + 1) * codes.SECONDS + 1, tz=UTC)
    with frozen(moment):
        yield moment


def require_for_roles(alma: Person, *roles: Role) -> Security:
    current = queries.find_security()
    revision = current.revision if current else 0
    return security.require_second_factor(roles, by=alma, revision=revision, command=new_command(ACTOR))


def checkboxes(page: Any) -> dict[str, bool]:
    inputs = [each for each in parse(page).all("input", type="checkbox") if each.inside("form")]
    return {each.attrs["name"]: "checked" in each.attrs for each in inputs}
