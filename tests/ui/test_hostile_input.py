"""Hostile input in every field, URL and parameter: no server error, escaped output, stored unchanged or refused."""

from __future__ import annotations

import itertools
import re
import unicodedata
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.urls import resolve

from dashboard.core.ids import new_id
from dashboard.platform.accounts import lockout, queries
from dashboard.platform.accounts.permissions import Role
from tests.ui.html import Element, Form, forms, inline, parse
from tests.ui.walk import new_browser, routes
from tests.ui.world import World

URLENCODED = "application/x-www-form-urlencoded"
HOSTILE = {
    "nothing": "",
    "nul": "a\x00b",
    "control": "\x01\x07\x1b[31m\x7f\x85",
    "newlines": " \t\u00a0a\r\nSet-Cookie: x=y\r\n\r\n\u2028<p>",
    "right to left": "\u202egnp.exe\u202c \u200f\u2066x\u2069",
    "invisible": "\u200b\u200d\ufeff\u2060\u00ad",
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈🧟‍♂️" * 3,
    "case": "İıſßẞŉǅﬃ K",
    "surrogate": "\ud800a\udfff",
    "script": "<script>alert(1)</script>",
    "attribute": "--></textarea>\"><img src=x onerror=alert(1)>' onfocus='alert(1)' autofocus='",
    "address": "javascript:alert(1)",
    "template": "{{ 7|add:7 }}{% debug %}{# x #}${7*7}<%= 7*7 %>",
    "format": "%(name)s %s %d %n %% {0} {name}",
    "sql": "'; DROP TABLE people; -- \" OR 1=1",
    "key": "../USER#alma@example.com",
    "huge number": "9" * 5000,
    "odd number": "-1٣²½1e309NaN",
    "long": "x" * 5000,
    "megabyte": "m" * 1_000_000,
}
# The kinds that are sent to every form; the name of a person is tested with all kinds.
WORST_KINDS = ["nothing", "nul", "newlines", "surrogate", "attribute", "huge number"]
EXPECTED_STATUSES = {200, 204, 303, 400, 404, 405, 409, 413, 422, 429}


def as_bytes(text: str) -> bytes:
    """The bytes that a client sends, also for invalid text."""
    return text.encode("utf-8", "surrogatepass")


def as_received(text: str) -> str:
    """The text that arrives: invalid characters are replaced."""
    return as_bytes(text).decode("utf-8", "replace")


def assert_harmless(response: Any, about: object) -> None:
    assert response.status_code in EXPECTED_STATUSES, f"{about}: {response.status_code}"
    for name, value in response.headers.items():
        assert "\n" not in value and name != "x"
    if response.headers.get("Content-Type", "").startswith("text/html") and response.content:
        page: Element = parse(response)
        assert inline(page) == [], about
        assert "14${7*7}" not in page.text, "input was rendered as a template"


# These forms end the session that sends them.
ENDS_SESSIONS = {"logout", "account_end_sessions", "account_password"}


def one_form_per_target(world: World, visitor: str, *, gallery: bool = False) -> dict[str, Form]:
    """One form per target URL; those of the component gallery only if `gallery` is set."""
    found: dict[str, Form] = {}
    for page in world.html(visitor).values():
        for form in forms(page):
            name = resolve(form.target().partition("?")[0] or "/go/").url_name or ""
            if gallery or not name.startswith("ui_"):
                found.setdefault(name if form.method == "post" else f"{name} (get)", form)
    return found


def send(world: World, visitor: str, name: str, form: Form, data: dict[str, Any], **options: Any) -> Any:
    browser = world.browser(visitor, fresh=visitor != "anonymous" and name in ENDS_SESSIONS)
    body = urlencode({field: as_bytes(value) for field, value in data.items()})
    target = form.target() or "/go/"
    if form.method == "get":
        return browser.get(f"{target.partition('?')[0]}?{body[:20_000]}", **options)
    address = f"10.2.{hash(body) % 250}.{len(body) % 250}"
    return browser.post(target, body, content_type=URLENCODED, REMOTE_ADDR=address, **options)


@pytest.fixture(autouse=True)
def no_throttling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lockout, "TRIES_PER_ACCOUNT", 10**6)


@pytest.mark.parametrize("kind", WORST_KINDS)
def test_hostile_input_in_all_fields_of_every_form(world: World, kind: str) -> None:
    """Fills all fields at once, also hidden ones and choices; every second form is sent by htmx."""
    for visitor in ("anonymous", "admin"):
        for number, (name, form) in enumerate(one_form_per_target(world, visitor, gallery=kind == "attribute").items()):
            fields = {field: HOSTILE[kind] for field in form.data() if field != "csrfmiddlewaretoken"}
            if set(fields) - {"operation"}:
                headers = {"HX-Request": "true"} if number % 2 else {}
                assert_harmless(send(world, visitor, name, form, fields, headers=headers), (kind, visitor, name))


def test_hostile_input_in_each_field_of_every_form(world: World) -> None:
    """Fills one field at a time, alternately with two kinds of input."""
    kinds = itertools.cycle(("nul", "attribute"))
    for name, form in one_form_per_target(world, "admin").items():
        data = {field: value for field, value in form.data().items() if isinstance(value, str)}
        for field in sorted(set(data) - {"csrfmiddlewaretoken", "operation"}):
            kind = next(kinds)
            response = send(world, "admin", name, form, data | {field: HOSTILE[kind]})
            assert_harmless(response, (kind, name, field))


@pytest.mark.parametrize("kind", ["nul", "newlines", "surrogate", "attribute", "key", "long"])
def test_hostile_input_in_every_part_of_every_url(world: World, kind: str) -> None:
    text = quote(as_bytes(HOSTILE[kind])[:2000], safe="") or "%20"
    for visitor in ("anonymous", "admin"):
        browser = world.browser(visitor)
        for route in routes():
            if not route.parts:
                continue
            url = "/" + route.text
            for part in route.parts:
                url = re.sub(rf"<\w+:{part}>", text, url)
            assert "<" not in url, f"unknown converter in {route.text}"
            for response in (browser.get(url), browser.post(url, {"password": "a-long-enough-one", "role": "staff"})):
                assert response.status_code in EXPECTED_STATUSES | {302, 401}, (url, response.status_code)


PARAMETERS = ("q", "state", "cursor", "shown", "next", "email", "view", "wait", "status", "kind")


@pytest.mark.parametrize("kind", ["nul", "surrogate", "attribute", "huge number", "key"])
def test_hostile_input_in_each_parameter_of_the_lists(world: World, kind: str) -> None:
    text = as_bytes(HOSTILE[kind])[:6000]
    pages = ["/people/", "/go/", "/people/new/", "/businesses/", "/businesses/switch/", "/businesses/new/"]
    for visitor, url in (*(("admin", page) for page in pages), ("anonymous", "/login/")):
        for name in PARAMETERS[:6]:
            response = world.browser(visitor).get(f"{url}?{urlencode({name: text})}")
            assert response.status_code in EXPECTED_STATUSES, (url, name, kind)
        assert_harmless(response, (url, kind))


def test_hostile_input_in_all_parameters_of_every_page(world: World) -> None:
    for kind in ("nul", "attribute"):
        query = urlencode(dict.fromkeys(PARAMETERS, as_bytes(HOSTILE[kind])))
        for route in routes():
            if not route.parts and not route.needs_api_key:
                assert_harmless(world.browser("admin").get(f"/{route.text}?{query}"), (kind, route.text))


def remove_invisible(text: str) -> str:
    """The text without invisible characters and changes of text direction."""
    invisible = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    characters = [char for char in text if unicodedata.category(char) not in invisible or char in "\u200c\u200d\x00"]
    return "".join(characters).strip()


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_name_is_stored_without_invisible_characters_or_refused(world: World, kind: str) -> None:
    browser, text = world.browser("admin"), HOSTILE[kind]
    email = f"hostile-{new_id()[-8:]}@example.com"
    data = {"email": email, "name": text, "role": "staff"}
    response = browser.post(
        "/people/new/", urlencode({k: as_bytes(v) for k, v in data.items()}), content_type=URLENCODED
    )
    assert_harmless(response, kind)
    person = queries.find_person(email)
    if kind == "surrogate":
        assert (response.status_code, person) == (400, None), "it is not valid UTF-8"
        return
    expected = remove_invisible(as_received(text))
    if "\x00" in expected or len(expected) > 100:
        assert (response.status_code, person) == (422, None)
        return
    assert response.status_code == 200 and person is not None
    assert (person.name or "") == expected
    # All pages show the name as text.
    shown = browser.get(f"/people/{email}/")
    assert parse(shown).one("h1").raw_text == (expected or email)
    edit = browser.post(
        f"/people/{email}/edit/",
        urlencode({"name": as_bytes(text), "role": "owner", "revision": "1"}),
        content_type=URLENCODED,
        follow=True,
    )
    assert_harmless(edit, kind)
    assert_harmless(browser.get("/people/", {"q": email}), kind)
    assert_harmless(browser.get("/go/", {"q": email}), kind)
    assert_harmless(browser.get("/"), kind)


def test_every_person_exists_and_has_a_page(world: World) -> None:
    """Every person of the world exists and has a page."""
    browser = world.browser("admin")
    for person in world.people.values():
        assert_harmless(browser.get(f"/people/{person.email}/"), person.email)
        assert queries.load_person(person.email).email == person.email
    assert queries.load_person("alma@example.com").state == Role.ADMIN
    assert {each.email for each in queries.everyone(limit=500).items} >= {each.email for each in world.people.values()}


def test_a_body_of_more_than_a_megabyte_is_refused(world: World) -> None:
    for size, status in ((1_048_000, 422), (1_049_000, 413)):
        body = f"email=a@example.com&password={'x' * size}"[:size]
        assert new_browser().post("/login/", body, content_type=URLENCODED).status_code == status
