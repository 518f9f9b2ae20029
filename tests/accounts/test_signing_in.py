"""In and out: what a password opens, and that a wrong one says nothing about the account."""

from __future__ import annotations

import base64
import itertools
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from dashboard.platform.accounts import queries
from dashboard.platform.accounts.hashers import Argon2
from dashboard.platform.accounts.services import sessions
from tests.conftest import PASSWORD, sign_in
from tests.ui.html import form_to, parse
from tests.ui.walk import calls_of, new_browser
from tests.ui.world import World

COOKIE = settings.SESSION_COOKIE_NAME


addresses = (f"10.1.{n // 250}.{n % 250}" for n in itertools.count())


def log_in(email: str, password: str = PASSWORD, browser: Client | None = None, **more: Any) -> Any:
    """From an address of its own: how often one address may try is another file's matter."""
    sent = {"email": email, "password": password, **more}
    return (browser or new_browser()).post("/login/", sent, REMOTE_ADDR=next(addresses))


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The passwords that reached the hasher."""
    seen: list[str] = []
    verify = Argon2.verify

    def counting(self: Argon2, password: str, encoded: str) -> bool:
        seen.append(password)
        return bool(verify(self, password, encoded))

    monkeypatch.setattr(Argon2, "verify", counting)
    yield seen


def test_the_right_password_opens_a_session_and_leads_home(world: World) -> None:
    marco = world.add()
    assert queries.sessions(marco.email) == []
    browser = Client(headers={"User-Agent": "Mozilla/5.0 (Macintosh; Mac OS X) Version/18 Safari/605"})

    response = log_in(marco.email, browser=browser)

    assert (response.status_code, response.headers["Location"]) == (303, "/")
    (session,) = queries.sessions(marco.email)
    assert session.agent == "Mozilla/5.0 (Macintosh; Mac OS X) Version/18 Safari/605"
    assert session.address == response.wsgi_request.META["REMOTE_ADDR"]
    after = queries.load_person(marco.email)
    assert after.last_sign_in_at == session.last_seen_at
    assert after.revision == marco.revision, (
        "signing in is no edit: a colleague who has this person open keeps their form"
    )
    assert browser.get("/").status_code == 200


@pytest.mark.parametrize("typed", ["Marco@Example.COM", "  marco@example.com "])
def test_the_address_is_read_as_people_type_it(world: World, typed: str) -> None:
    assert log_in(typed).status_code == 303


def test_whoever_cannot_sign_in_is_told_the_same_in_the_same_time(world: World, verified: list[str]) -> None:
    tried = {
        "wrong password": ("marco@example.com", "not-the-password"),
        "nobody": ("nobody@example.com", PASSWORD),
        "disabled": ("dora@example.com", PASSWORD),
        "invited": ("ines@example.com", PASSWORD),
        "no address at all": ("not an address #", PASSWORD),
    }
    answers = {}
    for who, (email, password) in tried.items():
        verified.clear()
        response = log_in(email, password)
        page = parse(response)
        assert response.status_code == 422, who
        assert COOKIE not in response.cookies, who
        assert len(verified) == 1, f"{who}: the hasher works as hard for everyone"
        # What was typed is there again, but for the password.
        assert form_to(page, "/login/").data() | {"csrfmiddlewaretoken": ""} == {
            "csrfmiddlewaretoken": "",
            "next": "/",
            "email": email,
            "password": "",
        }
        answers[who] = [notice.text for notice in page.by_class("notice")]
    assert set(map(tuple, answers.values())) == {("One thing needs your attention Wrong e-mail or password.",)}


@pytest.mark.parametrize(("email", "password"), [("", PASSWORD), ("marco@example.com", ""), ("", ""), ("x" * 300, "y")])
def test_what_is_missing_or_too_long_never_reaches_the_table(verified: list[str], email: str, password: str) -> None:
    response = log_in(email, password)
    assert response.status_code == 422
    assert verified == []
    assert calls_of(response).calls == []


@pytest.mark.parametrize("next_url", ["/people/", "/people/?q=a&state=admin", "/go/?q=ñandú", "/account/#sessions"])
def test_signing_in_leads_back_to_where_one_was(world: World, next_url: str) -> None:
    browser = Client()
    asked = browser.get("/login/", {"next": next_url})
    response = form_to(asked, "/login/").send(browser, values={"email": "alma@example.com", "password": PASSWORD})
    assert response.status_code == 303
    assert response.headers["Location"] == next_url.replace("ñ", "%C3%B1").replace("ú", "%C3%BA")
    # Someone who is signed in already goes on at once.
    assert browser.get("/login/", {"next": next_url}).headers["Location"] == response.headers["Location"]


@pytest.mark.parametrize(
    "next_url",
    [
        "//evil.example",
        "///evil.example",
        "https://evil.example",
        "http:evil.example",
        "https:///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        " //evil.example",
        "\x00//evil.example",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "data:text/html,x",
        "people/",
        "@evil.example",
        "http://testserver@evil.example/",
        "http://[evil",
    ],
)
def test_signing_in_never_leads_away(world: World, next_url: str) -> None:
    browser = world.browser("admin")
    assert browser.get("/login/", {"next": next_url}).headers["Location"] == "/"
    asked = new_browser().get("/login/", {"next": next_url})
    assert form_to(asked, "/login/").data()["next"] == "/"
    assert log_in("marco@example.com", next=next_url).headers["Location"] == "/"
    for action in ("/language/", "/account/theme/"):
        away = browser.post(action, {"next": next_url, "language": "es", "theme": "dark"})
        assert away.headers["Location"] in {"/", "/account/"}


def test_a_next_page_cannot_add_a_header(world: World) -> None:
    injected = "/people/\r\nSet-Cookie: session=mine"
    for headers in ({}, {"HX-Request": "true"}):
        response = world.browser("admin").post("/language/", {"language": "en", "next": injected}, headers=headers)
        assert response.status_code in {204, 303}
        next_url = response.headers.get("Location") or response.headers["HX-Redirect"]
        assert next_url == "/people/%0D%0ASet-Cookie:%20session=mine"
        assert "session" not in response.cookies


def test_the_cookie_is_for_the_server_only_and_for_this_site_only(world: World) -> None:
    marco = world.add()
    cookie = log_in(marco.email).cookies[COOKIE]
    assert cookie["httponly"] is True
    assert cookie["samesite"] == "Lax"
    assert cookie["path"] == "/"
    assert cookie["domain"] == ""
    assert cookie["max-age"] == int(timedelta(days=14).total_seconds())
    # In production it is secure and bound to this host: tests/ui/test_security.py.


def test_only_a_hash_of_the_key_is_stored(world: World) -> None:
    marco = world.add()
    value = log_in(marco.email).cookies[COOKIE].value
    key = value.partition(".")[2]
    assert len(key) >= 43, "32 bytes of chance"
    (session,) = queries.sessions(marco.email)
    assert session.sk.startswith("SESSION#") and key not in str(session.serialize())
    assert marco.password_hash is not None
    assert marco.password_hash.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert PASSWORD not in str(queries.load_person(marco.email).serialize())


def test_signing_in_again_gives_a_new_key_and_ends_the_old_session(world: World) -> None:
    marco = world.add()
    browser = Client()
    first = log_in(marco.email, browser=browser).cookies[COOKIE].value
    second = log_in(marco.email, browser=browser).cookies[COOKIE].value
    assert first != second
    assert sessions.find(second) is not None
    assert sessions.find(first) is None
    assert len(queries.sessions(marco.email)) == 1


def test_a_key_planted_before_signing_in_is_worth_nothing(world: World) -> None:
    """Session fixation: the key is always the server's own."""
    marco = world.add()
    victim = Client()
    planted = base64.urlsafe_b64encode(marco.email.encode()).decode().rstrip("=") + ".planted-by-someone-else"
    victim.cookies[COOKIE] = planted
    assert log_in(marco.email, browser=victim).cookies[COOKIE].value != planted
    assert sessions.find(planted) is None


def test_signing_out_ends_this_session_only_and_the_cookie_is_worth_nothing(world: World) -> None:
    person = world.add()
    here, there = sign_in(person), sign_in(person)
    stolen = here.cookies[COOKIE].value
    response = here.post("/logout/")
    assert (response.status_code, response.headers["Location"]) == (303, "/login/")
    assert response.cookies[COOKIE].value == "" and response.cookies[COOKIE]["max-age"] == 0
    thief = Client()
    thief.cookies[COOKIE] = stolen
    assert thief.get("/").status_code == 302
    assert there.get("/").status_code == 200


def test_signing_out_takes_a_post_and_works_for_whoever_is_out_already(world: World) -> None:
    browser = sign_in(world.add())
    assert browser.get("/logout/").status_code == 405
    assert browser.get("/").status_code == 200
    assert Client().post("/logout/").headers["Location"] == "/login/"
