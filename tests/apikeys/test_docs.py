"""The documents about the API are correct: the calls are made, the answers, endpoints and errors are compared."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings as django_settings
from django.test import Client

from branding.views.api import CACHE
from dashboard.core.clock import now
from dashboard.platform.apikeys import authentication, services
from dashboard.table.timestamps import to_wire
from dashboard.web.api.endpoints import ENDPOINTS
from dashboard.web.api.problems import TYPES
from tests.api.shop import book, make_shop, platform_key, secret_key, send
from tests.apikeys.factories import call_api, create_key, revoke
from tests.bookings.bookable_business import at
from tests.branding.publishing_factory import create_published
from tests.conftest import add_business

DOCS = Path(django_settings.BASE_DIR, "docs")
PAGES = ("api.md", "api-chat.md", "api-theme.md", "api-errors.md", "api-keys.md")
TEXT = "\n".join((DOCS / name).read_text() for name in PAGES)
CODE = Path(django_settings.BASE_DIR, "dashboard", "platform", "apikeys", "authentication.py").read_text()

THEMES = Path(django_settings.BASE_DIR, "branding", "views", "api.py").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL)


def documented_answer(page: str) -> Any:
    """The first JSON example of a page."""
    (text, *_) = re.findall(r"```json\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    return json.loads(text)


def shape(value: Any) -> Any:
    """The field names and types of a JSON value, without the values."""
    return {name: shape(each) for name, each in value.items()} if isinstance(value, dict) else type(value)


@pytest.fixture
def variables(table: str, log_tables: None) -> dict[str, str]:
    """The values of the variables in the examples."""
    make_shop()
    booking = book(secret_key(), to_wire(at(12))).json()["id"]
    days = {"DAY": to_wire(at(0)), "NEXT_DAY": to_wire(at(0, day=1)), "START": to_wire(at(10))}
    secret = secret_key("read", "book", "chat")
    assert send(secret, "conversations/conv-2/state", {"state": "INIT"}, method="put").status_code == 200
    keys = {"API_KEY": secret, "PLATFORM_KEY": platform_key(), "LOG_KEY": platform_key("log")}
    event = {"EVENT": "e1", "AT": to_wire(now())}
    return days | keys | event | {"BOOKING": booking, "CONVERSATION": "conv-2"}


@pytest.mark.parametrize("number", range(len(blocks("sh"))))
def test_every_documented_call_works(number: int, variables: dict[str, str]) -> None:
    parser = argparse.ArgumentParser()
    for option in ("-X", "-d"):
        parser.add_argument(option)
    parser.add_argument("-H", action="append")
    parser.add_argument("url")
    text = Template(blocks("sh")[number]).substitute(variables).replace("\\\n", " ")
    given = parser.parse_args(shlex.split(text)[1:])
    headers = dict(each.split(": ", 1) for each in given.H)
    options = {"data": given.d, "content_type": headers.pop("Content-Type")} if given.d else {}
    address = urlsplit(given.url)
    path = f"{address.path}?{address.query}" if address.query else address.path
    response = getattr(Client(), (given.X or "get").lower())(path, headers=headers, **options)
    assert response.status_code in {200, 201}, response.content
    if address.path.endswith("whoami"):
        assert shape(response.json()) == shape(documented_answer("api.md"))
    if address.path.endswith("activity"):
        assert response.json() == documented_answer("api-chat.md")
    if address.path.endswith("slots"):
        assert response.json()["slots"]


def test_a_refusal_has_the_documented_answer(table: str) -> None:
    add_business("andina", "Coca-Cola Andina")
    key, secret = create_key("andina")
    revoke(key)
    documented, answer = documented_answer("api-errors.md"), call_api(secret).json()
    assert documented | {"request": ""} == answer | {"request": ""}


def test_a_theme_has_the_documented_answer(table: str) -> None:
    add_business("andina", "Coca-Cola Andina")
    create_published("andina", name="Winter", primaryColor="#b3001b")
    response = Client().get("/api/v1/businesses/andina/theme")
    documented, answer = documented_answer("api-theme.md"), response.json()
    assert documented.keys() == answer.keys()
    assert documented["tokens"].items() <= answer["tokens"].items()
    assert documented["properties"].items() <= answer["properties"].items()
    assert f"`{response.headers['Cache-Control']}`" in TEXT and response.headers["Cache-Control"] == CACHE


def test_every_endpoint_is_documented() -> None:
    listed = set(re.findall(r"`([A-Z]+ /api/[^`]+)`", TEXT))
    declared = {f"{each.method} {each.documented_path}".replace("{", "<").replace("}", ">") for each in ENDPOINTS}
    assert listed == declared | {"GET /api/v1/openapi.json"}


def test_every_error_code_is_documented_with_its_status() -> None:
    listed = {
        (int(status), code)
        for status, codes in re.findall(r"^\| (\d{3}) \| (.*?) \|", TEXT, re.MULTILINE)
        for code in re.findall(r"`(\w+)`", codes)
    }
    declared = {(each.status, each.code) for each in TYPES.values()}
    # A request without a key always gets a more specific code than this one.
    assert listed == declared - {(401, "unauthorized")}


def test_every_code_that_is_raised_is_declared() -> None:
    raised = set(re.findall(r'(?:InvalidKey|KeyForbidden)\("(\w+)"', CODE))
    raised |= set(re.findall(r'NoTheme\("(\w+)"', THEMES))
    assert raised and raised <= TYPES.keys()


def test_the_documented_limits_are_correct() -> None:
    assert f"{services.MAX_KEYS} keys at the most" in TEXT
    assert f"{authentication.WRONG_KEYS} unknown keys in a minute" in TEXT
    assert f"every {authentication.USE_RECORDED_EVERY.seconds // 60} minutes" in TEXT
