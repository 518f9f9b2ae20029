"""People with a second factor."""

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
    """What the app shows, so many steps from now."""
    secret = codes.secret_of(person.email, seed or person.totp_seed or "")
    return pyotp.TOTP(secret).at(int((now() + steps * STEP).timestamp()))


def switch_on(person: Person) -> tuple[Person, list[str]]:
    """Their second factor is on since a while: the person as they are now, and the recovery codes."""
    seed, command = new_id(), new_command(person.actor)
    with frozen(now() - timedelta(hours=1)):
        given = code_of(person, seed=seed)
        after = second_factor.switch_on(
            person.email, current=PASSWORD, session_id="", seed=seed, code=given, command=command
        )
    return after, second_factor.recovery_codes_of(after, command)


def give_password(person: Person, browser: Client | None = None, **more: str) -> Client:
    """A browser that is halfway in."""
    browser = browser or new_browser()
    sent = {"email": person.email, "password": PASSWORD, **more}
    response = browser.post("/login/", sent, REMOTE_ADDR=next(addresses))
    assert response.status_code == 303
    assert response.headers["Location"].startswith(LOGIN_CODE)
    return browser


def give_code(browser: Client, code: str, **options: Any) -> Any:
    """Typed into the form of the page."""
    return form_to(browser.get(LOGIN_CODE), LOGIN_CODE).send(browser, values={"code": code}, **options)


def is_in(browser: Client) -> bool:
    return bool(browser.get("/").status_code == 200)


def reloaded(person: Person) -> Person:
    return queries.load_person(person.email)


def complaints(response: Any) -> str:
    """What a page says is wrong."""
    return " ".join(error.text for error in parse(response).by_class("error") + parse(response).by_class("notice"))


@contextmanager
def early_in_a_step() -> Iterator[datetime]:
    """The clock stands, at the step to come: no code changes between computing and sending it."""
    moment = datetime.fromtimestamp((int(now().timestamp()) // codes.SECONDS + 1) * codes.SECONDS + 1, tz=UTC)
    with frozen(moment):
        yield moment


def require(alma: Person, *roles: Role) -> Security:
    stands = queries.find_security()
    revision = stands.revision if stands else 0
    return security.require_second_factor(roles, by=alma, revision=revision, command=new_command(ACTOR))


def boxes(page: Any) -> dict[str, bool]:
    found = [each for each in parse(page).all("input", type="checkbox") if each.inside("form")]
    return {each.attrs["name"]: "checked" in each.attrs for each in found}
