"""Production refuses settings that would open it, and its cookies belong to this host alone."""

from __future__ import annotations

import json
import re
import runpy
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from tests.ui.test_production import PRODUCTION, manage


def read_settings(monkeypatch: pytest.MonkeyPatch, **environment: str) -> dict[str, Any]:
    """The settings of production with these environment variables."""
    for name in ("TRASTIENDA_MODE", "UI_GALLERY", "SITE_URL", "TRUSTED_PROXIES"):
        monkeypatch.delenv(name, raising=False)
    for name, value in (PRODUCTION | environment).items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(settings.BASE_DIR / "dashboard" / "settings.py"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALLOWED_HOSTS", "*"),
        ("ALLOWED_HOSTS", "office.example.com, *"),
        ("ALLOWED_HOSTS", "*.example.com"),
        ("ALLOWED_HOSTS", ".com"),
        ("ALLOWED_HOSTS", ","),
        ("TRUSTED_PROXIES", "-1"),
        ("TRUSTED_PROXIES", "one"),
        ("TRUSTED_PROXIES", "1.5"),
        ("TRUSTED_PROXIES", "٣"),
    ],
)
def test_a_dangerous_setting_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=rf"^{name} (contains|is) .+: [^:]+\.$"):
        read_settings(monkeypatch, **{name: value})


def test_the_start_stops_with_one_sentence() -> None:
    done = manage("check", **PRODUCTION | {"ALLOWED_HOSTS": "*"})
    assert done.returncode != 0
    assert done.stderr == "ALLOWED_HOSTS contains '*': list the host names of this site one by one.\n"


def test_ordinary_settings_are_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = "office.example.com, .office.example.com,10.0.0.7"
    found = read_settings(monkeypatch, ALLOWED_HOSTS=hosts, TRUSTED_PROXIES="2", API_KEY_PEPPER_FALLBACKS="one, two")
    assert found["ALLOWED_HOSTS"] == ["office.example.com", ".office.example.com", "10.0.0.7"]
    assert (found["SITE_URL"], found["TRUSTED_PROXIES"]) == ("https://office.example.com", 2)
    assert found["API_KEY_PEPPER_FALLBACKS"] == ["one", "two"]
    assert read_settings(monkeypatch, TRUSTED_PROXIES="")["TRUSTED_PROXIES"] == 0


# Every kind of response that sets a cookie, and whether the gallery exists, in production without a table.
SCRIPT = """
import json
from django.contrib import messages
from django.contrib.messages.middleware import MessageMiddleware
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware, get_token
from django.test import Client, RequestFactory
from django.urls import Resolver404, resolve
from dashboard.platform.accounts import browsers
from dashboard.platform.accounts.items import Person
from dashboard.platform.accounts.middleware import drop_cookie, set_cookie
from dashboard.platform.navigation import entries_of, sidebar_groups

def with_form(request):
    return HttpResponse(get_token(request))

def with_toast(request):
    messages.success(request, "Saved.")
    return HttpResponse()

def showing_toasts(request):
    return HttpResponse([str(each) for each in messages.get_messages(request)])

form = CsrfViewMiddleware(with_form)
request = RequestFactory().get("/")
form.process_view(request, with_form, (), {})
toast = MessageMiddleware(with_toast)(RequestFactory().get("/"))
after_toast = RequestFactory().get("/")
after_toast.COOKIES = {name: cookie.value for name, cookie in toast.cookies.items()}
signed_in, signed_out = HttpResponse(), HttpResponse()
set_cookie(signed_in, "value")
drop_cookie(signed_out)
known = HttpResponse()
browsers.remember(HttpRequest(), known, Person.new(email="ana@example.com"))
language = Client(headers={"Host": "office.example.com"}).post("/language/", {"language": "es"}, secure=True)
shown = MessageMiddleware(showing_toasts)(after_toast)
responses = [form(request), toast, shown, signed_in, signed_out, known, language]
cookies = [cookie for response in responses for cookie in response.cookies.values()]

try:
    gallery = resolve("/ui/").view_name
except Resolver404:
    gallery = None
routes = [entry.route for group in sidebar_groups() for entry in entries_of(group)]
print(json.dumps({
    "cookies": [[each.key, each["path"], each["domain"], bool(each["secure"])] for each in cookies],
    "gallery": [gallery, "ui_gallery" in routes, "home" in routes],
}))
"""


@pytest.fixture(scope="module")
def production() -> Any:
    done = manage("shell", "-v0", "-c", SCRIPT, **PRODUCTION)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.strip().splitlines()[-1])


def test_every_cookie_can_be_set_by_this_host_alone(production: Any) -> None:
    names = {name for name, *_ in production["cookies"]}
    assert names == {"__Host-csrf", "__Host-session", "__Host-browser", "__Host-messages", "__Host-language"}
    # Without these a browser refuses the prefix.
    assert {tuple(attributes) for _name, *attributes in production["cookies"]} == {("/", "", True)}


def test_every_cookie_of_the_settings_is_examined(production: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new cookie needs a response above that sets it."""
    found = read_settings(monkeypatch)
    named = {value for name, value in found.items() if name.endswith("_COOKIE_NAME")}
    assert named == {name for name, *_ in production["cookies"]}


def test_no_other_code_names_a_cookie() -> None:
    """A name in the settings has the prefix; a name elsewhere could miss it."""
    calls = [
        line.strip()
        for file in sorted(settings.BASE_DIR.glob("[a-z]*/**/*.py"))
        if "tests" not in file.parts
        for line in re.findall(r"(?:set_cookie|delete_cookie|set_signed_cookie)\(\s*([^,)]+)", file.read_text())
    ]
    named_here = [each for each in calls if each.startswith(('"', "'", 'f"'))]
    assert calls and named_here == []


def test_the_component_gallery_does_not_exist_in_production(production: Any) -> None:
    assert production["gallery"] == [None, False, True]


def test_the_component_gallery_can_be_enabled(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [read_settings(monkeypatch, UI_GALLERY=value)["UI_GALLERY"] for value in ("", "0", "1")] == [
        False,
        False,
        True,
    ]
