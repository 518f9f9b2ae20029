"""Whatever is typed, into whatever field: an answer, shown as text, and stored as it was or not at all."""

from __future__ import annotations

import itertools
import re
import unicodedata
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.urls import resolve

from dashboard.core.ids import new_id
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.permissions import Role
from dashboard.platform.accounts.services import profile
from tests.ui.html import Element, Form, forms, inline, parse
from tests.ui.walk import new_browser, routes
from tests.ui.world import World

URLENCODED = "application/x-www-form-urlencoded"
NAUGHTY = {
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
# The ones that each break something of their own; a name takes all of them below.
WORST = ["nothing", "nul", "newlines", "surrogate", "attribute", "huge number"]
FINE = {200, 204, 303, 400, 404, 405, 409, 413, 422, 429}


def sent(text: str) -> bytes:
    """The bytes a browser, or something worse, would send."""
    return text.encode("utf-8", "surrogatepass")


def received(text: str) -> str:
    """What arrives: what is no text is replaced."""
    return sent(text).decode("utf-8", "replace")


def assert_harmless(response: Any, about: object) -> None:
    assert response.status_code in FINE, f"{about}: {response.status_code}"
    for name, value in response.headers.items():
        assert "\n" not in value and name != "x"
    if response.headers.get("Content-Type", "").startswith("text/html") and response.content:
        page: Element = parse(response)
        assert inline(page) == [], about
        assert "14${7*7}" not in page.text, "a template was carried out"


# Sending these ends the session they are sent with.
ENDS_SESSIONS = {"logout", "account_end_sessions", "account_password"}


def representatives(world: World, visitor: str, *, gallery: bool = False) -> dict[str, Form]:
    """One form for each place that a form can go; the gallery's show everything and keep nothing."""
    found: dict[str, Form] = {}
    for page in world.html(visitor).values():
        for form in forms(page):
            name = resolve(form.target().partition("?")[0] or "/go/").url_name or ""
            if gallery or not name.startswith("ui_"):
                found.setdefault(name if form.method == "post" else f"{name} (get)", form)
    return found


def send(world: World, visitor: str, name: str, form: Form, data: dict[str, Any], **options: Any) -> Any:
    browser = world.browser(visitor, fresh=visitor != "anonymous" and name in ENDS_SESSIONS)
    body = urlencode({field: sent(value) for field, value in data.items()})
    target = form.target() or "/go/"
    if form.method == "get":
        return browser.get(f"{target.partition('?')[0]}?{body[:20_000]}", **options)
    address = f"10.2.{hash(body) % 250}.{len(body) % 250}"
    return browser.post(target, body, content_type=URLENCODED, REMOTE_ADDR=address, **options)


@pytest.fixture(autouse=True)
def unthrottled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile, "TRIES_AN_ACCOUNT", 10**6)


@pytest.mark.parametrize("kind", WORST)
def test_every_field_of_every_form(world: World, kind: str) -> None:
    """All fields at once, hidden ones, choices and tokens too; every other form as htmx sends it."""
    for visitor in ("anonymous", "admin"):
        for number, (name, form) in enumerate(representatives(world, visitor, gallery=kind == "attribute").items()):
            fields = {field: NAUGHTY[kind] for field in form.data() if field != "csrfmiddlewaretoken"}
            if set(fields) - {"operation"}:
                headers = {"HX-Request": "true"} if number % 2 else {}
                assert_harmless(send(world, visitor, name, form, fields, headers=headers), (kind, visitor, name))


def test_every_field_of_every_form_one_at_a_time(world: World) -> None:
    """Each with one of two kinds by turns: the fields of a form are of a few kinds themselves."""
    kinds = itertools.cycle(("nul", "attribute"))
    for name, form in representatives(world, "admin").items():
        data = {field: value for field, value in form.data().items() if isinstance(value, str)}
        for field in sorted(set(data) - {"csrfmiddlewaretoken", "operation"}):
            kind = next(kinds)
            response = send(world, "admin", name, form, data | {field: NAUGHTY[kind]})
            assert_harmless(response, (kind, name, field))


@pytest.mark.parametrize("kind", ["nul", "newlines", "surrogate", "attribute", "key", "long"])
def test_every_part_of_every_address(world: World, kind: str) -> None:
    text = quote(sent(NAUGHTY[kind])[:2000], safe="") or "%20"
    for visitor in ("anonymous", "admin"):
        browser = world.browser(visitor)
        for route in routes():
            if not route.parts:
                continue
            url = "/" + route.text
            for part in route.parts:
                url = re.sub(rf"<\w+:{part}>", text, url)
            assert "<" not in url, f"another kind of part in {route.text}"
            for response in (browser.get(url), browser.post(url, {"password": "a-long-enough-one", "role": "staff"})):
                assert response.status_code in FINE | {302, 401}, (url, response.status_code)


PARAMETERS = ("q", "state", "cursor", "shown", "next", "email", "view", "wait", "status", "kind")


@pytest.mark.parametrize("kind", ["nul", "surrogate", "attribute", "huge number", "key"])
def test_every_parameter_of_the_pages_that_read_them(world: World, kind: str) -> None:
    text = sent(NAUGHTY[kind])[:6000]
    pages = ["/people/", "/go/", "/people/new/", "/businesses/", "/businesses/switch/", "/businesses/new/"]
    for visitor, url in (*(("admin", page) for page in pages), ("anonymous", "/login/")):
        for name in PARAMETERS[:6]:
            response = world.browser(visitor).get(f"{url}?{urlencode({name: text})}")
            assert response.status_code in FINE, (url, name, kind)
        assert_harmless(response, (url, kind))


def test_every_parameter_of_every_page(world: World) -> None:
    for kind in ("nul", "attribute"):
        query = urlencode(dict.fromkeys(PARAMETERS, sent(NAUGHTY[kind])))
        for route in routes():
            if not route.parts and not route.for_programs:
                assert_harmless(world.browser("admin").get(f"/{route.text}?{query}"), (kind, route.text))


def visible(text: str) -> str:
    """Without what nobody sees and what turns the direction of the words around it."""
    unseen = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    kept = [char for char in text if unicodedata.category(char) not in unseen or char in "\u200c\u200d\x00"]
    return "".join(kept).strip()


@pytest.mark.parametrize("kind", NAUGHTY)
def test_a_name_is_stored_as_it_is_seen_or_not_at_all(world: World, kind: str) -> None:
    browser, text = world.browser("admin"), NAUGHTY[kind]
    email = f"naughty-{new_id()[-8:]}@example.com"
    data = {"email": email, "name": text, "role": "staff"}
    response = browser.post("/people/new/", urlencode({k: sent(v) for k, v in data.items()}), content_type=URLENCODED)
    assert_harmless(response, kind)
    person = queries.find_person(email)
    if kind == "surrogate":
        assert (response.status_code, person) == (400, None), "it is not valid UTF-8"
        return
    wanted = visible(received(text))
    if "\x00" in wanted or len(wanted) > 100:
        assert (response.status_code, person) == (422, None)
        return
    assert response.status_code == 200 and person is not None
    assert (person.name or "") == wanted
    # Shown wherever people are shown, as text.
    shown = browser.get(f"/people/{email}/")
    assert parse(shown).one("h1").raw_text == (wanted or email)
    edit = browser.post(
        f"/people/{email}/edit/",
        urlencode({"name": sent(text), "role": "owner", "revision": "1"}),
        content_type=URLENCODED,
        follow=True,
    )
    assert_harmless(edit, kind)
    assert_harmless(browser.get("/people/", {"q": email}), kind)
    assert_harmless(browser.get("/go/", {"q": email}), kind)
    assert_harmless(browser.get("/"), kind)


def test_nothing_was_corrupted(world: World) -> None:
    """After all of the above, everyone is still there and has a page."""
    browser = world.browser("admin")
    for person in world.people.values():
        assert_harmless(browser.get(f"/people/{person.email}/"), person.email)
        assert queries.load_person(person.email).email == person.email
    assert queries.load_person("alma@example.com").state == Role.ADMIN
    assert {each.email for each in queries.everyone(limit=500).items} >= {each.email for each in world.people.values()}


def test_a_body_of_a_megabyte_is_read_and_more_is_not(world: World) -> None:
    for size, status in ((1_048_000, 422), (1_049_000, 413)):
        body = f"email=a@example.com&password={'x' * size}"[:size]
        assert new_browser().post("/login/", body, content_type=URLENCODED).status_code == status
