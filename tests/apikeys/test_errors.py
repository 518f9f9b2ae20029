"""Whatever goes wrong under /api/ is told in JSON and in English, and nothing of the inside with it."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings as django_settings
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from dashboard.core.errors import DomainError
from dashboard.platform.accounts.permissions import public, requires
from dashboard.platform.apikeys.authentication import api
from dashboard.shell.permissions import Permission
from dashboard.table import connection
from dashboard.web.api import PROBLEMS
from tests.apikeys.factories import WHOAMI, ask, create_key
from tests.conftest import add_business
from tests.ui import failing_views
from tests.ui.failing_views import FAILURES

SPANISH = {"Accept-Language": "es-CL"}
HTMX = {"HX-Request": "true"}


@api("GET", "POST")
def fail(request: HttpRequest, how: str) -> HttpResponse:
    raise FAILURES[how][1]()


@api("POST")
def read_body(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(len(request.POST)))


@requires(Permission.HOME)
def for_people(request: HttpRequest) -> HttpResponse:
    return HttpResponse("no")


def undeclared(request: HttpRequest) -> HttpResponse:
    return HttpResponse("no")


@public
def open_to_all(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("the secret reason")


urlpatterns = [
    path("api/fail/<str:how>", fail, name="api_fail"),
    path("api/read", read_body, name="api_read"),
    path("api/people", for_people, name="api_people"),
    path("api/undeclared", undeclared, name="api_undeclared"),
    path("api/open", open_to_all, name="api_open"),
    path("elsewhere", fail, {"how": "broken"}, name="elsewhere"),
    *failing_views.urlpatterns,
]
handler400, handler403 = failing_views.handler400, failing_views.handler403
handler404, handler500 = failing_views.handler404, failing_views.handler500


@pytest.fixture
def secret(table: str, settings: Any) -> str:
    settings.ROOT_URLCONF = __name__
    add_business("andina", "Coca-Cola Andina")
    return create_key("andina")[1]


def assert_json(response: Any, status: int) -> dict[str, str]:
    assert response.status_code == status
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "no-store, private"
    text = response.content.decode()
    assert "the secret reason" not in text and "Traceback" not in text
    body: dict[str, str] = response.json()
    assert body["error"] in {code for code, _ in PROBLEMS.values()} | {"no_key", "unknown_key"}
    assert body["request"] == response.headers["X-Request-ID"]
    assert response.headers.get("Content-Language", "en") == "en"
    return body


@pytest.mark.parametrize("headers", [{}, SPANISH, HTMX])
@pytest.mark.parametrize(("how", "status"), [(how, status) for how, (status, _) in FAILURES.items()])
def test_every_failure_of_a_view(secret: str, how: str, status: int, headers: dict[str, str]) -> None:
    body = assert_json(ask(secret, f"/api/fail/{how}", headers=headers), status)
    assert body["error"] == PROBLEMS[status][0]
    if how == "refused":
        assert body["message"] == "A rule says no."
    elif how != "cursor":
        assert body["message"] == PROBLEMS[status][1]


def test_a_refusal_that_knows_how_long_it_lasts_says_so(secret: str) -> None:
    assert ask(secret, "/api/fail/too-many").headers["Retry-After"] == "30"
    assert ask(secret, "/api/fail/unavailable").headers["Retry-After"] == "5"
    # What the gate found out stands on a failure too.
    assert ask(secret, "/api/fail/broken").headers["RateLimit-Limit"] == "100"


def test_there_is_a_word_for_every_status_a_refusal_can_have() -> None:
    assert {each.status for each in DomainError.__subclasses__()} <= set(PROBLEMS)
    assert {400, 401, 403, 404, 405, 413, 429, 500, 503} <= set(PROBLEMS)


@pytest.mark.parametrize("url", ["/api/", "/api/v1/", "/api/v1/nothing", "/api/v1/whoami/", "/api/%00", "/api/ü?x=1"])
@pytest.mark.parametrize("method", ["get", "post", "options"])
def test_an_address_that_is_not_there(secret: str, url: str, method: str) -> None:
    assert assert_json(getattr(Client(), method)(url, headers=SPANISH), 404)["error"] == "not_found"


def test_a_page_that_is_not_there_is_still_a_page(secret: str) -> None:
    for url in ("/apix/", "/b/api/", "/nothing/"):
        assert Client().get(url).headers["Content-Type"].startswith("text/html")


def test_a_body_that_is_too_large(secret: str) -> None:
    body = "x" * (django_settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    response = ask(secret, "/api/read", "post", data=body, content_type="application/json")
    assert assert_json(response, 413)["error"] == "too_large"
    many = {f"field-{number}": "" for number in range(2001)}
    assert_json(ask(secret, "/api/read", "post", data=many), 413)


@pytest.mark.parametrize("host", ["evil.example", "a b"])
def test_a_host_that_is_not_ours(secret: str, host: str) -> None:
    assert_json(ask(secret, headers={"Host": host}), 400)


def test_a_view_for_people_asks_nobody_there_to_sign_in(secret: str) -> None:
    for method in ("get", "post"):
        assert_json(ask(secret, "/api/people", method), 401)
    assert_json(ask(secret, "/api/undeclared"), 403)
    assert_json(Client(raise_request_exception=False).get("/api/open"), 500)


def test_a_view_for_programs_elsewhere_is_refused(secret: str) -> None:
    """There a session would be looked at."""
    response = ask(secret, "/elsewhere")
    assert (response.status_code, response.headers["Content-Type"]) == (403, "text/html; charset=utf-8")


def test_the_table_does_not_answer(secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*args: object, **options: object) -> None:
        raise connection_refused()

    monkeypatch.setattr(connection.Connection, "dispatch", silent)
    response = ask(secret, WHOAMI, headers=SPANISH)
    assert assert_json(response, 503)["error"] == "unavailable"
    assert response.headers["Retry-After"] == "5"


def connection_refused() -> Exception:
    from botocore.exceptions import EndpointConnectionError

    return EndpointConnectionError(endpoint_url="nowhere")
