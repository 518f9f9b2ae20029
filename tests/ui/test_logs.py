"""Logs have one JSON object per line and contain no personal data."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings

from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.views import people as people_views
from dashboard.web.requests import JsonLines
from tests.conftest import PASSWORD
from tests.ui.walk import new_browser
from tests.ui.world import World


@pytest.fixture
def lines() -> Iterator[list[dict[str, Any]]]:
    """The logged lines, in the format of production."""
    logged: list[dict[str, Any]] = []

    class ListHandler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            logged.append(json.loads(self.format(record)))

    handler = ListHandler()
    handler.setFormatter(JsonLines())
    levels = {"trastienda": "DEBUG", "django": "WARNING", "django.request": "WARNING"}
    before = {name: logging.getLogger(name).level for name in levels}
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    for name in ("trastienda", "django"):
        logging.getLogger(name).addHandler(handler)
    yield logged
    for name in ("trastienda", "django"):
        logging.getLogger(name).removeHandler(handler)
    for name, number in before.items():
        logging.getLogger(name).setLevel(number)


def test_requests_are_logged_without_personal_data_and_secrets(world: World, lines: list[dict[str, Any]]) -> None:
    person = world.add(Role.STAFF, "Name Of Someone")
    browser, staff = world.browser("admin"), world.browser("staff")
    lines.clear()
    secrets = {person.email, PASSWORD, "guessed-password", "Name Of Someone", "typed-by-someone", "forged-cookie"}
    secrets |= {
        world.tokens["invited"],
        world.fixed_samples["shared"][-39:-1],
        browser.cookies[settings.SESSION_COOKIE_NAME].value,
    }

    new_browser().post("/login/", {"email": person.email, "password": "guessed-password"})
    new_browser().post("/login/", {"email": person.email, "password": PASSWORD})
    new_browser().get("/", headers={"Cookie": "session=forged-cookie"})
    new_browser().get(f"/join/{world.tokens['invited']}/")
    new_browser().get(f"/join/{world.tokens['invited']}x/")
    new_browser().get(f"/share/{world.fixed_samples['shared']}/")
    new_browser().get(f"/share/{world.fixed_samples['shared'][:-1]}/")
    browser.get(f"/people/{person.email}/")
    browser.get("/people/", {"q": person.email})
    browser.get(f"/people/gone-{person.email}/")
    browser.post(f"/people/{person.email}/edit/", {"name": "typed-by-someone", "role": "x"})
    browser.post(f"/people/{person.email}/disable/", {"revision": "99"})
    browser.get(f"/people/{person.email}/disable/")
    staff.get(f"/people/{person.email}/")
    new_browser().post(f"/people/{person.email}/edit/", {"name": "typed-by-someone"})

    request_lines = [line for line in lines if line["message"] == "request"]
    assert {line["status"] for line in request_lines} >= {200, 302, 303, 403, 404, 405, 409, 422}
    text = json.dumps(lines)
    assert [secret for secret in secrets if secret in text] == []
    assert "@example.com" not in text
    assert "people/<email:email>/disable/" in {line.get("route") for line in request_lines}
    calls = [line for line in lines if line["message"] == "dynamodb"]
    assert calls and all({"operation", "pattern", "ms", "units"} <= line.keys() for line in calls)
    assert [line for line in lines if not re.fullmatch(r"[0-9a-z]{16}", line["request"])] == []


def test_an_exception_is_logged_with_the_request_id_and_without_the_email(
    world: World, lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(email: str) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(people_views, "_load_with_history", broken)
    response = world.browser("admin").get("/people/secret-address@example.com/")
    assert response.status_code == 500
    (failure,) = [line for line in lines if "exception" in line]
    assert failure["request"] == response.headers["X-Request-ID"]
    assert "RuntimeError: broken" in failure["exception"]
    assert "secret-address" not in json.dumps(lines)


def test_each_line_is_one_object_for_any_content() -> None:
    record = logging.makeLogRecord({"msg": "two\nlines %s", "args": ("\x00\u2028",), "odd": {1, 2}, "name": "x"})
    text = JsonLines().format(record)
    assert "\n" not in text
    assert json.loads(text)["message"] == "two\nlines \x00\u2028"
