"""Every way to fail has its page: what happened, what to do next, and a number to name it by."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from dashboard.core.errors import Unavailable
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.services import profile
from dashboard.shell import context as shell
from dashboard.shell import views
from dashboard.table import connection
from tests.conftest import sign_in
from tests.ui import failing_views
from tests.ui.html import Element, form_to, parse, toasts
from tests.ui.walk import new_browser
from tests.ui.world import World

HTMX = {"HX-Request": "true"}
FORM = "application/x-www-form-urlencoded"
SPANISH = {"Accept-Language": "es-CL,es;q=0.9"}


@pytest.fixture
def failing_urls(settings: Any) -> None:
    settings.ROOT_URLCONF = failing_views.__name__


def assert_tells(response: Any, status: int, language: str = "en") -> Element:
    """A problem page: its status, its number, its language, and nothing of the inside."""
    assert response.status_code == status
    text = response.content.decode()
    assert "Traceback" not in text and "the secret reason" not in text and "Error" not in parse(text).text
    page = parse(text)
    assert page.one("html").attrs["lang"] == language
    assert page.by_class("problem-id")[0].one("code").text == response.headers["X-Request-ID"]
    assert page.one("h1").text and page.one("title").text.endswith("· Trastienda")
    assert [link.attrs["href"] for link in page.all("a", class_="button")], "there is a way on"
    return page


KINDS = [(how, status) for how, (status, _) in failing_views.FAILURES.items() if how != "conflict"]


@pytest.mark.parametrize(("how", "status"), KINDS)
def test_every_failure_has_its_page_in_the_readers_language(failing_urls: None, how: str, status: int) -> None:
    english = assert_tells(new_browser().get(f"/fail/{how}/"), status)
    spanish = assert_tells(new_browser().get(f"/fail/{how}/", headers=SPANISH), status, "es")
    title = english.one("h1").text
    with translation.override("es"):
        assert spanish.one("h1").text == gettext(title) != title


@pytest.mark.parametrize(("how", "status"), [*KINDS, ("conflict", 409)])
def test_every_failure_has_its_fragment(failing_urls: None, how: str, status: int) -> None:
    response = new_browser().get(f"/fail/{how}/", headers=HTMX)
    assert response.status_code == status
    text = response.content.decode()
    assert ("<html" in text) == (status == 500), "htmx does not swap a 500: it may be a page"
    if status in {422, 429, 503}:
        assert response.headers["HX-Reswap"] == "none", "what stands on the page stays"
        assert len(toasts(parse(response).one("div", hx_swap_oob="beforeend:#toasts"))) == 1


def test_a_refusal_that_knows_how_long_it_lasts_says_so(failing_urls: None) -> None:
    assert new_browser().get("/fail/too-many/").headers["Retry-After"] == "30"
    assert new_browser().get("/fail/unavailable/").headers["Retry-After"] == "5"


def test_each_answer_has_a_number_of_its_own(world: World) -> None:
    answered = [world.browser("admin").get("/") for _ in range(3)] + [new_browser().get("/nowhere/")]
    assert len({response.headers["X-Request-ID"] for response in answered}) == 4


def test_the_real_refusals_look_like_that(world: World) -> None:
    assert_tells(world.browser("staff").get("/people/"), 403)
    assert_tells(world.browser("admin").get("/people/nobody@example.com/"), 404)
    assert_tells(new_browser().get("/nowhere/"), 404)
    assert_tells(new_browser().get("/nowhere/", headers=SPANISH), 404, "es")
    assert_tells(world.browser("admin").get("/people/?cursor=made-up"), 400)
    assert_tells(new_browser().get("/login/", headers={"Host": "evil.example"}), 400)
    assert_tells(world.browser("admin").post("/people/bulk/"), 422)
    assert_tells(new_browser().post("/account/edit/"), 401)


def test_a_wrong_method_is_answered_with_a_page(world: World) -> None:
    response = world.browser("admin").get("/people/bulk/")
    assert_tells(response, 405)
    assert response.headers["Allow"] == "POST"
    assert_tells(new_browser().get("/logout/", headers=SPANISH), 405, "es")
    assert_tells(world.browser("admin").delete("/people/"), 405)
    assert "<html" not in world.browser("admin").get("/people/bulk/", headers=HTMX).content.decode()


@pytest.mark.parametrize("visitor", ["anonymous", "admin"])
def test_a_body_that_is_too_large_is_refused(world: World, visitor: str) -> None:
    most = django_settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    browser = world.browser(visitor)
    assert_tells(browser.post("/login/", f"email={'x' * most}", content_type=FORM), 413)
    assert_tells(browser.post("/login/", {"email": "x" * (most + 1)}), 413)
    assert_tells(browser.post("/login/", {f"field-{number}": "" for number in range(2001)}), 413)
    assert "<html" not in browser.post("/login/", {"email": "x" * most}, headers=HTMX).content.decode()


@pytest.mark.parametrize("length", ["9" * 5000, "9" * 20, "-1", "x", "1e3", "٣"])
def test_a_length_that_cannot_be_is_refused(length: str) -> None:
    response = new_browser().generic("POST", "/login/", b"email=x", content_type=FORM, CONTENT_LENGTH=length)
    assert response.status_code in {400, 413, 422}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"a=%ff%fe&email=\xff", FORM),
        (b"email=x", f"{FORM}; charset=utf-16"),
        (b"email=x", f"{FORM}; charset=nonsense"),
        (b"not multipart at all", "multipart/form-data; boundary=x"),
        (b"--x\r\nbroken", "multipart/form-data; boundary=x"),
        (b"x", "multipart/form-data"),
        (b"x", "multipart/form-data; boundary=" + "b" * 500),
        (b"{", "application/json"),
        (b"<x/>", "text/xml"),
        (b"", "nonsense/"),
    ],
)
def test_a_body_that_cannot_be_read_is_refused_and_breaks_nothing(world: World, body: bytes, kind: str) -> None:
    for visitor in ("anonymous", "admin"):
        response = world.browser(visitor).generic("POST", "/login/", body, content_type=kind)
        assert response.status_code in {400, 422}


def test_something_broke(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object) -> None:
        raise RuntimeError("the secret reason")

    monkeypatch.setattr(views, "latest", broken)
    assert_tells(world.browser("admin").get("/"), 500)


def test_something_broke_in_what_every_page_shows(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object) -> None:
        raise RuntimeError("the secret reason")

    monkeypatch.setattr(shell.Shell, "__init__", broken)
    assert_tells(world.browser("admin").get("/"), 500)
    assert_tells(new_browser().get("/nowhere/"), 500)


@pytest.fixture
def table_down(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An endpoint that nobody listens on."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:1")
    connection.forget()
    yield
    connection.forget()


def signed_in_before() -> Client:
    browser = new_browser()
    browser.cookies[django_settings.SESSION_COOKIE_NAME] = "YWxtYUBleGFtcGxlLmNvbQ.some-key"
    return browser


def test_the_table_does_not_answer(table_down: None) -> None:
    english = assert_tells(signed_in_before().get("/people/"), 503)
    assert "database is not answering" in english.text
    assert_tells(signed_in_before().get("/people/", headers=SPANISH), 503, "es")
    sent = signed_in_before().post("/people/bulk/", {"action": "disable"}, headers=HTMX)
    assert (sent.status_code, sent.headers["HX-Reswap"], sent.headers["Retry-After"]) == (503, "none", "5")
    assert len(toasts(parse(sent).one("div", hx_swap_oob="beforeend:#toasts"))) == 1
    # Nobody is signed out by that, and nothing is cached.
    assert not sent.cookies


def test_signing_in_while_the_table_does_not_answer(table_down: None) -> None:
    assert new_browser().get("/login/").status_code == 200, "the form itself needs no table"
    assert_tells(new_browser().post("/login/", {"email": "a@example.com", "password": "b"}), 503)
    assert_tells(new_browser().get("/join/YQ.b/"), 503)


def test_the_pulse_says_that_the_table_does_not_answer(table_down: None) -> None:
    response = new_browser().get("/healthz")
    assert (response.status_code, response.json()) == (503, {"status": "the table does not answer"})


def test_the_pulse(world: World) -> None:
    for headers in ({}, {"Host": "10.0.0.7:8000"}, {"Cookie": "session=garbage"}):
        response = new_browser().get("/healthz", headers=headers)
        assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_the_500_page_needs_no_table(table_down: None, failing_urls: None) -> None:
    assert_tells(new_browser().get("/fail/broken/"), 500)
    assert_tells(new_browser().get("/fail/broken/", headers=SPANISH), 500, "es")


def test_the_table_stops_answering_below_a_page_in_the_readers_own_language(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They chose Spanish in their account; their browser asks for English."""

    def silent(*args: object) -> None:
        raise Unavailable

    person = world.add()
    profile.prefer(person, language="es")
    browser = sign_in(person)
    monkeypatch.setattr(queries, "sessions", silent)
    assert_tells(browser.get("/account/", headers={"Accept-Language": "en"}), 503, "es")
    assert_tells(browser.get("/account/edit/", headers={"Accept-Language": "en"}), 405, "es")


def test_a_form_sent_after_the_session_ended_loses_nothing(world: World) -> None:
    person = world.add()
    before = queries.load_person(person.email).revision
    sent = {"name": "What I typed", "role": "staff", "revision": str(person.revision)}
    with_htmx = new_browser().post(f"/people/{person.email}/edit/", sent, headers=HTMX)
    assert (with_htmx.status_code, with_htmx.headers["HX-Reswap"]) == (401, "none")
    (said,) = toasts(parse(with_htmx).one("div", hx_swap_oob="beforeend:#toasts"))
    assert "what you typed is still here" in said
    plain = assert_tells(new_browser().post(f"/people/{person.email}/edit/", sent), 401)
    assert [link.attrs["href"] for link in plain.all("a", class_="button")] == ["/login/"]
    assert queries.load_person(person.email).revision == before


def test_a_form_from_another_site_is_refused(world: World) -> None:
    person = world.add()
    browser = sign_in(world.people["admin"], enforce_csrf_checks=True, raise_request_exception=False)
    url = f"/people/{person.email}/disable/"
    sent = {"revision": str(person.revision)}
    assert_tells(browser.post(url, sent), 403)
    assert_tells(browser.post(url, sent | {"csrfmiddlewaretoken": "x" * 64}), 403)
    with_htmx = browser.post(url, sent, headers=HTMX)
    assert (with_htmx.status_code, with_htmx.headers["HX-Reswap"]) == (403, "none")
    assert "has expired" in toasts(parse(with_htmx).one("div", hx_swap_oob="beforeend:#toasts"))[0]
    assert queries.load_person(person.email).state == "staff"
    # With what the page gives, it works; by the form's field, or by htmx's header.
    page = browser.get(f"/people/{person.email}/")
    assert form_to(page, url).send(browser).status_code == 303
    token = parse(page).one("body").attrs["hx-headers"]
    assert "X-CSRFToken" in token


def test_signing_in_and_out_is_checked_too(world: World) -> None:
    browser = Client(enforce_csrf_checks=True)
    for url in ("/login/", "/logout/", "/language/", f"/join/{world.tokens['invited']}/"):
        assert browser.post(url, {"email": "a@example.com", "password": "b"}).status_code == 403, url
