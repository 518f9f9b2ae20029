"""Every kind of error has a page: what happened, what to do next, and the request id."""

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
from tests.ui import error_urls
from tests.ui.html import Element, form_to, parse, toasts
from tests.ui.walk import new_browser
from tests.ui.world import World

HTMX = {"HX-Request": "true"}
FORM = "application/x-www-form-urlencoded"
SPANISH = {"Accept-Language": "es-CL,es;q=0.9"}


@pytest.fixture
def failing_urls(settings: Any) -> None:
    settings.ROOT_URLCONF = error_urls.__name__


def assert_error_page(response: Any, status: int, language: str = "en") -> Element:
    """The error page has the status, the request id and the language, and shows no internal details."""
    assert response.status_code == status
    text = response.content.decode()
    assert "Traceback" not in text and "the secret reason" not in text and "Error" not in parse(text).text
    page = parse(text)
    assert page.one("html").attrs["lang"] == language
    assert page.by_class("problem-id")[0].one("code").text == response.headers["X-Request-ID"]
    assert page.one("h1").text and page.one("title").text.endswith("· Trastienda")
    assert [link.attrs["href"] for link in page.all("a", class_="button")], "the page needs a link to continue"
    return page


ERRORS = [(how, status) for how, (status, _) in error_urls.FAILURES.items() if how != "conflict"]


@pytest.mark.parametrize(("how", "status"), ERRORS)
def test_every_error_has_a_page_in_both_languages(failing_urls: None, how: str, status: int) -> None:
    english = assert_error_page(new_browser().get(f"/fail/{how}/"), status)
    spanish = assert_error_page(new_browser().get(f"/fail/{how}/", headers=SPANISH), status, "es")
    title = english.one("h1").text
    with translation.override("es"):
        assert spanish.one("h1").text == gettext(title) != title


@pytest.mark.parametrize(("how", "status"), [*ERRORS, ("conflict", 409)])
def test_every_error_has_a_fragment_for_htmx(failing_urls: None, how: str, status: int) -> None:
    response = new_browser().get(f"/fail/{how}/", headers=HTMX)
    assert response.status_code == status
    text = response.content.decode()
    assert ("<html" in text) == (status == 500), "htmx does not swap a 500, so it may be a whole page"
    if status in {422, 429, 503}:
        assert response.headers["HX-Reswap"] == "none", "the current page must stay"
        assert len(toasts(parse(response).one("div", hx_swap_oob="beforeend:#toasts"))) == 1


def test_temporary_errors_have_a_retry_after_header(failing_urls: None) -> None:
    assert new_browser().get("/fail/too-many/").headers["Retry-After"] == "30"
    assert new_browser().get("/fail/unavailable/").headers["Retry-After"] == "5"


def test_each_response_has_its_own_request_id(world: World) -> None:
    answered = [world.browser("admin").get("/") for _ in range(3)] + [new_browser().get("/nowhere/")]
    assert len({response.headers["X-Request-ID"] for response in answered}) == 4


def test_errors_of_real_pages_use_the_error_page(world: World) -> None:
    assert_error_page(world.browser("staff").get("/people/"), 403)
    assert_error_page(world.browser("admin").get("/people/nobody@example.com/"), 404)
    assert_error_page(new_browser().get("/nowhere/"), 404)
    assert_error_page(new_browser().get("/nowhere/", headers=SPANISH), 404, "es")
    assert_error_page(world.browser("admin").get("/people/?cursor=made-up"), 400)
    assert_error_page(new_browser().get("/login/", headers={"Host": "evil.example"}), 400)
    assert_error_page(world.browser("admin").post("/people/bulk/"), 422)
    assert_error_page(new_browser().post("/account/edit/"), 401)


def test_a_wrong_method_shows_an_error_page(world: World) -> None:
    response = world.browser("admin").get("/people/bulk/")
    assert_error_page(response, 405)
    assert response.headers["Allow"] == "POST"
    assert_error_page(new_browser().get("/logout/", headers=SPANISH), 405, "es")
    assert_error_page(world.browser("admin").delete("/people/"), 405)
    assert "<html" not in world.browser("admin").get("/people/bulk/", headers=HTMX).content.decode()


@pytest.mark.parametrize("visitor", ["anonymous", "admin"])
def test_a_body_that_is_too_large_is_refused(world: World, visitor: str) -> None:
    limit = django_settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    browser = world.browser(visitor)
    assert_error_page(browser.post("/login/", f"email={'x' * limit}", content_type=FORM), 413)
    assert_error_page(browser.post("/login/", {"email": "x" * (limit + 1)}), 413)
    assert_error_page(browser.post("/login/", {f"field-{number}": "" for number in range(2001)}), 413)
    assert "<html" not in browser.post("/login/", {"email": "x" * limit}, headers=HTMX).content.decode()


@pytest.mark.parametrize("length", ["9" * 5000, "9" * 20, "-1", "x", "1e3", "٣"])
def test_an_invalid_content_length_is_refused(length: str) -> None:
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
def test_an_unreadable_body_is_refused(world: World, body: bytes, kind: str) -> None:
    for visitor in ("anonymous", "admin"):
        response = world.browser(visitor).generic("POST", "/login/", body, content_type=kind)
        assert response.status_code in {400, 422}


def test_an_exception_in_a_view_shows_the_500_page(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object) -> None:
        raise RuntimeError("the secret reason")

    monkeypatch.setattr(views, "latest", broken)
    assert_error_page(world.browser("admin").get("/"), 500)


def test_an_exception_in_the_shell_shows_the_500_page(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object) -> None:
        raise RuntimeError("the secret reason")

    monkeypatch.setattr(shell.Shell, "__init__", broken)
    assert_error_page(world.browser("admin").get("/"), 500)
    assert_error_page(new_browser().get("/nowhere/"), 500)


@pytest.fixture
def table_down(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An endpoint without a server."""
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:1")
    connection.forget()
    yield
    connection.forget()


def browser_with_session_cookie() -> Client:
    browser = new_browser()
    browser.cookies[django_settings.SESSION_COOKIE_NAME] = "YWxtYUBleGFtcGxlLmNvbQ.some-key"
    return browser


def test_an_unavailable_table_shows_the_503_page(table_down: None) -> None:
    english = assert_error_page(browser_with_session_cookie().get("/people/"), 503)
    assert "database is not answering" in english.text
    assert_error_page(browser_with_session_cookie().get("/people/", headers=SPANISH), 503, "es")
    sent = browser_with_session_cookie().post("/people/bulk/", {"action": "disable"}, headers=HTMX)
    assert (sent.status_code, sent.headers["HX-Reswap"], sent.headers["Retry-After"]) == (503, "none", "5")
    assert len(toasts(parse(sent).one("div", hx_swap_oob="beforeend:#toasts"))) == 1
    # The session cookie stays.
    assert not sent.cookies


def test_signing_in_without_the_table_shows_the_503_page(table_down: None) -> None:
    assert new_browser().get("/login/").status_code == 200, "the form must not need the table"
    assert_error_page(new_browser().post("/login/", {"email": "a@example.com", "password": "b"}), 503)
    assert_error_page(new_browser().get("/join/YQ.b/"), 503)


def test_the_health_check_reports_an_unavailable_table(table_down: None) -> None:
    response = new_browser().get("/healthz")
    assert (response.status_code, response.json()) == (503, {"status": "the table does not answer"})


def test_the_health_check_accepts_any_host_and_cookie(world: World) -> None:
    for headers in ({}, {"Host": "10.0.0.7:8000"}, {"Cookie": "session=garbage"}):
        response = new_browser().get("/healthz", headers=headers)
        assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_the_500_page_needs_no_table(table_down: None, failing_urls: None) -> None:
    assert_error_page(new_browser().get("/fail/broken/"), 500)
    assert_error_page(new_browser().get("/fail/broken/", headers=SPANISH), 500, "es")


def test_an_error_page_has_the_language_of_the_person(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person chose Spanish; the browser prefers English."""

    def fail(*args: object) -> None:
        raise Unavailable

    person = world.add()
    profile.prefer(person, language="es")
    browser = sign_in(person)
    monkeypatch.setattr(queries, "sessions", fail)
    assert_error_page(browser.get("/account/", headers={"Accept-Language": "en"}), 503, "es")
    assert_error_page(browser.get("/account/edit/", headers={"Accept-Language": "en"}), 405, "es")


def test_a_form_sent_after_the_session_ended_keeps_the_input(world: World) -> None:
    person = world.add()
    before = queries.load_person(person.email).revision
    sent = {"name": "What I typed", "role": "staff", "revision": str(person.revision)}
    with_htmx = new_browser().post(f"/people/{person.email}/edit/", sent, headers=HTMX)
    assert (with_htmx.status_code, with_htmx.headers["HX-Reswap"]) == (401, "none")
    (toast,) = toasts(parse(with_htmx).one("div", hx_swap_oob="beforeend:#toasts"))
    assert "what you typed is still here" in toast
    plain = assert_error_page(new_browser().post(f"/people/{person.email}/edit/", sent), 401)
    assert [link.attrs["href"] for link in plain.all("a", class_="button")] == ["/login/"]
    assert queries.load_person(person.email).revision == before


def test_a_form_from_another_site_is_refused(world: World) -> None:
    person = world.add()
    browser = sign_in(world.people["admin"], enforce_csrf_checks=True, raise_request_exception=False)
    url = f"/people/{person.email}/disable/"
    sent = {"revision": str(person.revision)}
    assert_error_page(browser.post(url, sent), 403)
    assert_error_page(browser.post(url, sent | {"csrfmiddlewaretoken": "x" * 64}), 403)
    with_htmx = browser.post(url, sent, headers=HTMX)
    assert (with_htmx.status_code, with_htmx.headers["HX-Reswap"]) == (403, "none")
    assert "has expired" in toasts(parse(with_htmx).one("div", hx_swap_oob="beforeend:#toasts"))[0]
    assert queries.load_person(person.email).state == "staff"
    # With the token of the page it works: as a form field, or as a header of htmx.
    page = browser.get(f"/people/{person.email}/")
    assert form_to(page, url).send(browser).status_code == 303
    token = parse(page).one("body").attrs["hx-headers"]
    assert "X-CSRFToken" in token


def test_public_forms_need_a_csrf_token_too(world: World) -> None:
    browser = Client(enforce_csrf_checks=True)
    for url in ("/login/", "/logout/", "/language/", f"/join/{world.tokens['invited']}/"):
        assert browser.post(url, {"email": "a@example.com", "password": "b"}).status_code == 403, url
