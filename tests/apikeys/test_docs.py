"""docs/api.md and docs/api-keys.md are correct: the call is made, the answers, endpoints and errors are compared."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings as django_settings
from django.test import Client

from branding.views.api import CACHE, NoTheme
from dashboard.platform.apikeys import authentication, services
from dashboard.platform.apikeys.authentication import InvalidKey, KeyForbidden
from dashboard.web.api import PROBLEMS
from tests.apikeys.factories import call_api, create_key, revoke
from tests.branding.publishing_factory import create_published
from tests.conftest import add_business
from tests.ui.walk import routes

DOCS = Path(django_settings.BASE_DIR, "docs")
TEXT = (DOCS / "api.md").read_text() + (DOCS / "api-keys.md").read_text()
CODE = Path(django_settings.BASE_DIR, "dashboard", "platform", "apikeys", "authentication.py").read_text()

THEMES = Path(django_settings.BASE_DIR, "branding", "views", "api.py").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL)


def shape(value: Any) -> Any:
    """The field names and types of a JSON value, without the values."""
    return {name: shape(each) for name, each in value.items()} if isinstance(value, dict) else type(value)


@pytest.fixture
def secret(table: str) -> str:
    add_business("andina", "Coca-Cola Andina")
    return create_key("andina", "Booking page", ["https://www.andina.cl"])[1]


def test_the_documented_call_works_and_has_the_documented_answer(secret: str) -> None:
    (line,) = blocks("sh")
    command, flag, header, url = shlex.split(line.replace("$API_KEY", secret))
    assert (command, flag) == ("curl", "-H")
    name, _, value = header.partition(": ")
    response = Client().get(urlsplit(url).path, headers={name: value})
    assert response.status_code == 200
    assert shape(response.json()) == shape(json.loads(blocks("json")[0]))


def test_a_refusal_has_the_documented_answer(table: str) -> None:
    add_business("andina", "Coca-Cola Andina")
    key, secret = create_key("andina")
    revoke(key)
    documented, answer = json.loads(blocks("json")[2]), call_api(secret).json()
    assert shape(documented) == shape(answer)
    assert (documented["error"], documented["message"]) == (answer["error"], answer["message"])


def test_a_theme_has_the_documented_answer(table: str) -> None:
    add_business("andina", "Coca-Cola Andina")
    create_published("andina", name="Winter", primaryColor="#b3001b")
    response = Client().get("/api/v1/businesses/andina/theme")
    documented, answer = json.loads(blocks("json")[1]), response.json()
    assert documented.keys() == answer.keys()
    assert documented["tokens"].items() <= answer["tokens"].items()
    assert documented["properties"].items() <= answer["properties"].items()
    assert f"`{response.headers['Cache-Control']}`" in TEXT and response.headers["Cache-Control"] == CACHE


def test_every_endpoint_is_documented() -> None:
    listed = set(re.findall(r"^\| `[A-Z, ]+ (/api/[^`]+)` \|", TEXT, re.MULTILINE))
    assert listed == {re.sub(r"<\w+:", "<", f"/{route.text}") for route in routes() if route.text.startswith("api/")}


def test_every_error_code_is_documented_with_its_status() -> None:
    listed = {
        (int(status), code)
        for status, codes in re.findall(r"^\| (\d{3}) \| (.*?) \|", TEXT, re.MULTILINE)
        for code in re.findall(r"`(\w+)`", codes)
    }
    raised = {(InvalidKey.status, code) for code in re.findall(r'InvalidKey\("(\w+)"', CODE)}
    raised |= {(KeyForbidden.status, code) for code in re.findall(r'KeyForbidden\("(\w+)"', CODE)}
    raised |= {(NoTheme.status, code) for code in re.findall(r'NoTheme\("(\w+)"', THEMES)}
    usual = {(status, code) for status, (code, _) in PROBLEMS.items()}
    # A request without a key always gets a more specific code than this one.
    assert listed == raised | usual - {(401, "unauthorized")}


def test_the_documented_limits_are_correct() -> None:
    assert f"{services.MAX_KEYS} keys at the most" in TEXT
    assert f"{authentication.WRONG_KEYS} unknown keys in a minute" in TEXT
    assert f"every {authentication.USE_RECORDED_EVERY.seconds // 60} minutes" in TEXT
