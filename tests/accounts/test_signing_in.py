"""Signing in and out with a password. A wrong password reveals nothing about the account."""

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
    """Sign in from a new IP address each time. test_throttling.py tests the limit per address."""
    sent = {"email": email, "password": password, **more}
    return (browser or new_browser()).post("/login/", sent, REMOTE_ADDR=next(addresses))


@pytest.fixture
def hashed_passwords(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The passwords that reached the hasher."""
    passwords: list[str] = []
    verify = Argon2.verify

    def verify_and_record(self: Argon2, password: str, encoded: str) -> bool:
        passwords.append(password)
        return bool(verify(self, password, encoded))

    monkeypatch.setattr(Argon2, "verify", verify_and_record)
    yield passwords


def test_the_correct_password_opens_a_session_and_redirects_home(world: World) -> None:
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
        "signing in does not change the revision, so a colleague's open form stays valid"
    )
    assert browser.get("/").status_code == 200


@pytest.mark.parametrize("email", ["Marco@Example.COM", "  marco@example.com "])
def test_the_address_ignores_case_and_spaces(world: World, email: str) -> None:
    assert log_in(email).status_code == 303


def test_every_failed_sign_in_has_the_same_answer_and_duration(world: World, hashed_passwords: list[str]) -> None:
    attempts = {
        "wrong password": ("marco@example.com", "not-the-password"),
        "nobody": ("nobody@example.com", PASSWORD),
        "disabled": ("dora@example.com", PASSWORD),
        "invited": ("ines@example.com", PASSWORD),
        "no address at all": ("not an address #", PASSWORD),
    }
    answers = {}
    for who, (email, password) in attempts.items():
        hashed_passwords.clear()
        response = log_in(email, password)
        page = parse(response)
        assert response.status_code == 422, who
        assert COOKIE not in response.cookies, who
        assert len(hashed_passwords) == 1, f"{who}: the password is hashed once for everyone"
        # The form keeps the input, except the password.
        assert form_to(page, "/login/").data() | {"csrfmiddlewaretoken": ""} == {
            "csrfmiddlewaretoken": "",
            "next": "/",
            "email": email,
            "password": "",
        }
        answers[who] = [notice.text for notice in page.by_class("notice")]
    assert set(map(tuple, answers.values())) == {("One thing needs your attention Wrong e-mail or password.",)}


@pytest.mark.parametrize(("email", "password"), [("", PASSWORD), ("marco@example.com", ""), ("", ""), ("x" * 300, "y")])
def test_missing_or_too_long_input_makes_no_call_to_the_table(
    hashed_passwords: list[str], email: str, password: str
) -> None:
    response = log_in(email, password)
    assert response.status_code == 422
    assert hashed_passwords == []
    assert calls_of(response).calls == []


@pytest.mark.parametrize("next_url", ["/people/", "/people/?q=a&state=admin", "/go/?q=ñandú", "/account/#sessions"])
def test_signing_in_redirects_to_the_requested_page(world: World, next_url: str) -> None:
    browser = Client()
    page = browser.get("/login/", {"next": next_url})
    response = form_to(page, "/login/").send(browser, values={"email": "alma@example.com", "password": PASSWORD})
    assert response.status_code == 303
    assert response.headers["Location"] == next_url.replace("ñ", "%C3%B1").replace("ú", "%C3%BA")
    # A person who is already signed in is redirected at once.
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
def test_the_redirect_after_signing_in_stays_on_this_site(world: World, next_url: str) -> None:
    browser = world.browser("admin")
    assert browser.get("/login/", {"next": next_url}).headers["Location"] == "/"
    page = new_browser().get("/login/", {"next": next_url})
    assert form_to(page, "/login/").data()["next"] == "/"
    assert log_in("marco@example.com", next=next_url).headers["Location"] == "/"
    for action in ("/language/", "/account/theme/"):
        away = browser.post(action, {"next": next_url, "language": "es", "theme": "dark"})
        assert away.headers["Location"] in {"/", "/account/"}


def test_line_breaks_in_the_next_url_add_no_header(world: World) -> None:
    injected = "/people/\r\nSet-Cookie: session=mine"
    for headers in ({}, {"HX-Request": "true"}):
        response = world.browser("admin").post("/language/", {"language": "en", "next": injected}, headers=headers)
        assert response.status_code in {204, 303}
        next_url = response.headers.get("Location") or response.headers["HX-Redirect"]
        assert next_url == "/people/%0D%0ASet-Cookie:%20session=mine"
        assert "session" not in response.cookies


def test_the_session_cookie_is_http_only_and_same_site(world: World) -> None:
    marco = world.add()
    cookie = log_in(marco.email).cookies[COOKIE]
    assert cookie["httponly"] is True
    assert cookie["samesite"] == "Lax"
    assert cookie["path"] == "/"
    assert cookie["domain"] == ""
    assert cookie["max-age"] == int(timedelta(days=14).total_seconds())
    # In production it is secure and bound to this host: tests/ui/test_security.py.


def test_only_hashes_of_session_key_and_password_are_stored(world: World) -> None:
    marco = world.add()
    value = log_in(marco.email).cookies[COOKIE].value
    key = value.partition(".")[2]
    assert len(key) >= 43, "32 random bytes"
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


def test_a_session_key_planted_before_signing_in_is_invalid(world: World) -> None:
    """Session fixation: the server always creates the key."""
    marco = world.add()
    victim = Client()
    planted = base64.urlsafe_b64encode(marco.email.encode()).decode().rstrip("=") + ".planted-by-someone-else"
    victim.cookies[COOKIE] = planted
    assert log_in(marco.email, browser=victim).cookies[COOKIE].value != planted
    assert sessions.find(planted) is None


def test_signing_out_ends_only_this_session_and_invalidates_its_cookie(world: World) -> None:
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


def test_signing_out_needs_a_post_and_works_without_a_session(world: World) -> None:
    browser = sign_in(world.add())
    assert browser.get("/logout/").status_code == 405
    assert browser.get("/").status_code == 200
    assert Client().post("/logout/").headers["Location"] == "/login/"
