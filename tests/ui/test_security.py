"""Safe by default: headers on every answer, nothing inline, no half-configured production, logs that name nobody."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from dashboard.accounts.permissions import Role
from dashboard.accounts.views import people as people_views
from dashboard.ui.requests import JsonLines
from tests.conftest import PASSWORD
from tests.ui.html import inline, parse
from tests.ui.walk import World, new_browser, routes, samples

VISITORS = ("anonymous", *Role)
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex, nofollow",
}


def assert_safe(response: Any) -> None:
    policy = dict(part.strip().split(" ", 1) for part in response.headers["Content-Security-Policy"].split(";"))
    assert policy == POLICY
    assert {name: response.headers.get(name) for name in HEADERS} == HEADERS
    for feature in ("camera", "microphone", "geolocation", "payment", "usb"):
        assert f"{feature}=()" in response.headers["Permissions-Policy"]
    assert "Server" not in response.headers and "X-Powered-By" not in response.headers


@pytest.mark.parametrize("visitor", VISITORS)
def test_every_answer_has_the_headers(world: World, visitor: str) -> None:
    browser = world.browser(visitor)
    for route in routes():
        response = browser.get(route.url(world.samples))
        assert_safe(response)
        if visitor != "anonymous":
            assert "no-store" in response.headers["Cache-Control"], route.text
            assert "private" in response.headers["Cache-Control"], route.text


def test_every_answer_to_a_form_has_the_headers(world: World) -> None:
    for route in routes():
        response = world.browser("admin", fresh=True).post(route.url(samples()))
        assert_safe(response)
        if route.name != "join":  # That one signs someone else in.
            assert "no-store" in response.headers["Cache-Control"], route.text


def test_failures_have_the_headers(world: World) -> None:
    for response in (
        new_browser().get("/nowhere/"),
        new_browser().get("/login/", headers={"Host": "evil.example"}),
        new_browser().post("/account/edit/"),
        world.browser("staff").get("/people/"),
        world.browser("admin").post("/people/bulk/"),
    ):
        assert response.status_code >= 400
        assert_safe(response)


def test_pages_with_secrets_are_never_kept(world: World) -> None:
    for url in ("/login/", f"/join/{world.tokens['invited']}/"):
        assert "no-store" in new_browser().get(url).headers["Cache-Control"]


@pytest.mark.parametrize("visitor", VISITORS)
def test_no_page_has_anything_inline_or_from_elsewhere(world: World, visitor: str) -> None:
    for url, page in world.html(visitor).items():
        assert inline(page) == [], url


def test_what_is_inline_would_be_found() -> None:
    for text in (
        "<style>p{}</style>",
        '<p style="color:red">x</p>',
        "<script>1</script>",
        '<script src="/a.js">1</script>',
        '<a onclick="x()">x</a>',
        '<a href="javascript:x()">x</a>',
        '<a href=" JavaScript:x()">x</a>',
        '<script src="//cdn.example/x.js"></script>',
        '<link rel="stylesheet" href="https://cdn.example/x.css">',
        '<iframe src="/x"></iframe>',
    ):
        assert inline(parse(text)), text


def test_htmx_is_told_not_to_run_anything(world: World) -> None:
    page = parse(world.browser("admin").get("/"))
    config = json.loads(page.one("meta", name="htmx-config").attrs["content"])
    wanted = {"allowEval": False, "allowScriptTags": False, "historyCacheSize": 0, "refreshOnHistoryMiss": True}
    wanted |= {"includeIndicatorStyles": False, "selfRequestsOnly": True}
    assert wanted.items() <= config.items()


# --- Production ------------------------------------------------------------------------------------------------------

PRODUCTION = {
    "SECRET_KEY": "a-long-random-text-of-more-than-fifty-characters-0123456789-abc",
    "API_KEY_PEPPER": "another-long-random-text-of-more-than-fifty-characters-012345",
    "ALLOWED_HOSTS": "office.example.com",
    "ASSETS_BUCKET": "assets",
    "AWS_DEFAULT_REGION": "us-east-1",
}


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command of the product in an environment of its own."""
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, env=inherited | environment, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=60
    )


def test_production_passes_djangos_own_checks() -> None:
    done = manage("check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr


@pytest.mark.parametrize("missing", ["SECRET_KEY", "API_KEY_PEPPER", "ALLOWED_HOSTS"])
def test_what_is_missing_in_production_is_said_in_a_sentence(missing: str) -> None:
    done = manage("check", **{name: value for name, value in PRODUCTION.items() if name != missing})
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert re.fullmatch(rf"Set {missing}: [^\n]+\.\n", done.stderr), done.stderr


SCRIPT = """
import json
from django.conf import settings
names = ["DEBUG", "SESSION_COOKIE_SECURE", "SESSION_COOKIE_NAME", "CSRF_COOKIE_SECURE", "CSRF_COOKIE_NAME",
         "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "ALLOWED_HOSTS"]
from django.test import Client
from dashboard.accounts.middleware import set_cookie
from django.http import HttpResponse
response = HttpResponse()
set_cookie(response, "value")
plain = Client().get("/login/", headers={"Host": "office.example.com"})
secure = Client().get("/login/", headers={"Host": "office.example.com"}, secure=True)
print(json.dumps({
    "settings": {name: getattr(settings, name) for name in names},
    "cookie": response.cookies.output(header=""),
    "plain": [plain.status_code, plain.headers.get("Location")],
    "hsts": secure.headers.get("Strict-Transport-Security"),
    "csrf": secure.cookies["__Host-csrf"].output(header=""),
}))
"""


def test_production_is_https_only_with_cookies_bound_to_the_host(tmp_path: Path) -> None:
    environment = PRODUCTION | {"TRASTIENDA_DATA": str(tmp_path)}
    collected = manage("collectstatic", "--noinput", "-v0", **environment)
    assert collected.returncode == 0, collected.stderr
    done = manage("shell", "-v0", "-c", SCRIPT, **environment)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.strip().splitlines()[-1])
    assert found["settings"] == {
        "DEBUG": False,
        "SESSION_COOKIE_SECURE": True,
        "SESSION_COOKIE_NAME": "__Host-session",
        "CSRF_COOKIE_SECURE": True,
        "CSRF_COOKIE_NAME": "__Host-csrf",
        "SECURE_SSL_REDIRECT": True,
        "SECURE_HSTS_SECONDS": 31_536_000,
        "SECURE_HSTS_INCLUDE_SUBDOMAINS": True,
        "ALLOWED_HOSTS": ["office.example.com"],
    }
    for part in ("__Host-session=value", "HttpOnly", "Path=/", "SameSite=Lax", "Secure"):
        assert part in found["cookie"]
    assert "Domain" not in found["cookie"]
    assert all(part in found["csrf"] for part in ("HttpOnly", "Path=/", "SameSite=Lax", "Secure"))
    assert found["plain"] == [301, "https://office.example.com/login/"]
    assert found["hsts"] == "max-age=31536000; includeSubDomains; preload"


# --- Logs ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def lines() -> Iterator[list[dict[str, Any]]]:
    """What is logged, as the lines that production writes."""
    written: list[dict[str, Any]] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(json.loads(self.format(record)))

    handler = Keep()
    handler.setFormatter(JsonLines())
    levels = {"trastienda": "DEBUG", "django": "WARNING", "django.request": "WARNING"}
    before = {name: logging.getLogger(name).level for name in levels}
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)
    for name in ("trastienda", "django"):
        logging.getLogger(name).addHandler(handler)
    yield written
    for name in ("trastienda", "django"):
        logging.getLogger(name).removeHandler(handler)
    for name, number in before.items():
        logging.getLogger(name).setLevel(number)


def test_the_logs_tell_what_happened_and_not_to_whom(world: World, lines: list[dict[str, Any]]) -> None:
    person = world.add(Role.STAFF, "Name Of Someone")
    browser = world.browser("admin")
    lines.clear()
    secrets = {person.email, PASSWORD, "guessed-password", "Name Of Someone", "typed-by-someone", "forged-cookie"}
    secrets |= {world.tokens["invited"], browser.cookies[settings.SESSION_COOKIE_NAME].value}

    new_browser().post("/login/", {"email": person.email, "password": "guessed-password"})
    new_browser().post("/login/", {"email": person.email, "password": PASSWORD})
    new_browser().get("/", headers={"Cookie": "session=forged-cookie"})
    new_browser().get(f"/join/{world.tokens['invited']}/")
    new_browser().get(f"/join/{world.tokens['invited']}x/")
    browser.get(f"/people/{person.email}/")
    browser.get("/people/", {"q": person.email})
    browser.get(f"/people/gone-{person.email}/")
    browser.post(f"/people/{person.email}/edit/", {"name": "typed-by-someone", "role": "x"})
    browser.post(f"/people/{person.email}/disable/", {"version": "99"})
    browser.get(f"/people/{person.email}/disable/")
    world.browser("staff").get(f"/people/{person.email}/")
    new_browser().post(f"/people/{person.email}/edit/", {"name": "typed-by-someone"})

    answered = [line for line in lines if line["message"] == "request"]
    assert {line["status"] for line in answered} >= {200, 302, 303, 403, 404, 405, 409, 422}
    text = json.dumps(lines)
    assert [secret for secret in secrets if secret in text] == []
    assert "@example.com" not in text
    assert "people/<email:email>/disable/" in {line["route"] for line in answered}
    calls = [line for line in lines if line["message"] == "dynamodb"]
    assert calls and all({"operation", "pattern", "ms", "units"} <= line.keys() for line in calls)
    assert [line for line in lines if not re.fullmatch(r"[0-9a-z]{16}", line["request"])] == []


def test_a_failure_is_logged_with_its_number_and_without_the_address(
    world: World, lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(email: str) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(people_views, "_with_history", broken)
    response = world.browser("admin").get("/people/secret-address@example.com/")
    assert response.status_code == 500
    (failure,) = [line for line in lines if "exception" in line]
    assert failure["request"] == response.headers["X-Request-ID"]
    assert "RuntimeError: broken" in failure["exception"]
    assert "secret-address" not in json.dumps(lines)


def test_each_line_is_one_object_whatever_is_in_it() -> None:
    record = logging.makeLogRecord({"msg": "two\nlines %s", "args": ("\x00\u2028",), "odd": {1, 2}, "name": "x"})
    text = JsonLines().format(record)
    assert "\n" not in text
    assert json.loads(text)["message"] == "two\nlines \x00\u2028"
