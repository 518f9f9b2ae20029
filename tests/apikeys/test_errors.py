"""Errors under /api/ are answered in JSON and English, without internal details."""

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
from dashboard.web.api.problems import TYPES
from tests.apikeys.factories import WHOAMI, call_api, create_key
from tests.conftest import add_business
from tests.ui import error_urls
from tests.ui.error_urls import FAILURES

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
    *error_urls.urlpatterns,
]
handler400, handler403 = error_urls.handler400, error_urls.handler403
handler404, handler500 = error_urls.handler404, error_urls.handler500


@pytest.fixture
def secret(table: str, settings: Any) -> str:
    settings.ROOT_URLCONF = __name__
    add_business("andina", "Coca-Cola Andina")
    return create_key("andina")[1]


def assert_json(response: Any, status: int) -> dict[str, str]:
    assert response.status_code == status
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.headers["Cache-Control"] == "no-store, private"
    text = response.content.decode()
    assert "the secret reason" not in text and "Traceback" not in text
    body: dict[str, Any] = response.json()
    assert body["code"] in TYPES and body["status"] == status
    assert body["request"] == response.headers["X-Request-ID"]
    assert response.headers.get("Content-Language", "en") == "en"
    return body


@pytest.mark.parametrize("headers", [{}, SPANISH, HTMX])
@pytest.mark.parametrize(("how", "status"), [(how, status) for how, (status, _) in FAILURES.items()])
def test_every_error_of_a_view_is_answered_in_json(secret: str, how: str, status: int, headers: dict[str, str]) -> None:
    body = assert_json(call_api(secret, f"/api/fail/{how}", headers=headers), status)
    assert body["code"] == ("bad_cursor" if how == "cursor" else PROBLEMS[status][0])
    if how == "refused":
        assert body["detail"] == "A rule says no."
    elif how != "cursor":
        assert body["detail"] == PROBLEMS[status][1]


def test_temporary_errors_have_a_retry_after_header(secret: str) -> None:
    assert call_api(secret, "/api/fail/too-many").headers["Retry-After"] == "30"
    assert call_api(secret, "/api/fail/unavailable").headers["Retry-After"] == "5"
    # The rate limit headers are on error answers too.
    assert call_api(secret, "/api/fail/broken").headers["RateLimit-Limit"] == "100"


def test_every_error_status_has_a_code() -> None:
    assert {each.status for each in DomainError.__subclasses__()} <= set(PROBLEMS)
    assert {400, 401, 403, 404, 405, 413, 429, 500, 503} <= set(PROBLEMS)


@pytest.mark.parametrize("url", ["/api/v1/", "/api/v1/nothing", "/api/v1/whoami/", "/api/%00", "/api/ü?x=1"])
@pytest.mark.parametrize("method", ["get", "post", "options"])
def test_an_unknown_api_url_is_not_found_in_json(secret: str, url: str, method: str) -> None:
    assert assert_json(getattr(Client(), method)(url, headers=SPANISH), 404)["code"] == "not_found"


def test_an_unknown_url_outside_the_api_is_answered_in_html(secret: str) -> None:
    for url in ("/apix/", "/b/api/", "/nothing/"):
        assert Client().get(url).headers["Content-Type"].startswith("text/html")


def test_a_body_that_is_too_large_is_refused(secret: str) -> None:
    body = "x" * (django_settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    response = call_api(secret, "/api/read", "post", data=body, content_type="application/json")
    assert assert_json(response, 413)["code"] == "too_large"
    many = {f"field-{number}": "" for number in range(2001)}
    assert_json(call_api(secret, "/api/read", "post", data=many), 413)


@pytest.mark.parametrize("host", ["evil.example", "a b"])
def test_an_unknown_host_is_refused(secret: str, host: str) -> None:
    assert_json(call_api(secret, headers={"Host": host}), 400)


def test_a_view_for_people_under_api_never_redirects_to_sign_in(secret: str) -> None:
    for method in ("get", "post"):
        assert_json(call_api(secret, "/api/people", method), 401)
    assert_json(call_api(secret, "/api/undeclared"), 403)
    assert_json(Client(raise_request_exception=False).get("/api/open"), 500)


def test_an_api_view_outside_the_api_urls_is_refused(secret: str) -> None:
    """Outside /api/ the middleware would check a session."""
    response = call_api(secret, "/elsewhere")
    assert (response.status_code, response.headers["Content-Type"]) == (403, "text/html; charset=utf-8")


def test_when_the_table_does_not_answer_the_api_is_unavailable(secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse_connection(*args: object, **options: object) -> None:
        raise connection_refused()

    monkeypatch.setattr(connection.SharedConnection, "dispatch", refuse_connection)
    response = call_api(secret, WHOAMI, headers=SPANISH)
    assert assert_json(response, 503)["code"] == "unavailable"
    assert response.headers["Retry-After"] == "5"


def connection_refused() -> Exception:
    from botocore.exceptions import EndpointConnectionError

    return EndpointConnectionError(endpoint_url="nowhere")
