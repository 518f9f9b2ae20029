"""Invites people and opens their links."""

from __future__ import annotations

from typing import Any

from django.test import Client

from dashboard.core.ids import new_id
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import links, people
from dashboard.table.commands import new_command
from tests.conftest import ACTOR
from tests.ui.html import form_to, parse
from tests.ui.walk import new_browser

NEW_PASSWORD = "correct-horse-battery"


def new_email() -> str:
    return f"new-{new_id()[-8:]}@example.com"


def invite(browser: Client, **fields: str) -> Any:
    return form_to(browser.get("/people/new/"), "/people/new/").send(browser, values=fields)


def link_of(response: Any) -> str:
    """The path of the link that the page shows."""
    value = parse(response).one("input", id="link").attrs["value"]
    assert value.startswith("http://testserver/join/")
    return value.removeprefix("http://testserver")


def create_invitation(email: str = "") -> tuple[Person, str]:
    command = new_command(ACTOR)
    person = people.invite(email or new_email(), name="New", role=Role.STAFF, command=command)
    return person, f"/join/{links.token_of(person, command)}/"


def join(link: str, password: str = NEW_PASSWORD, browser: Client | None = None) -> Any:
    return (browser or new_browser()).post(link, {"password": password})


def assert_link_is_refused(link: str) -> None:
    for response in (new_browser().get(link), join(link)):
        assert response.status_code == 404
        assert "This link does not work" in parse(response).one("h1").text
        assert "session" not in response.cookies
