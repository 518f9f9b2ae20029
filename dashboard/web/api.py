"""Responses of the API: everything below `/api/` is answered in JSON, including errors."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.utils import translation

from dashboard.core.errors import Busy, DomainError, TooMany, Unavailable

PREFIX = "/api/"

# The code and the message of each status.
PROBLEMS = {
    400: ("bad_request", "This request cannot be read."),
    401: ("unauthorized", "Send an API key: Authorization: Bearer <key>."),
    403: ("forbidden", "This is not allowed."),
    404: ("not_found", "There is nothing here."),
    405: ("method_not_allowed", "This address does not take this method."),
    409: ("conflict", "This was changed in the meantime. Read it again."),
    413: ("too_large", "The body of this request is too large."),
    422: ("invalid", "Something in this request is not right."),
    429: ("too_many_requests", "Too many requests. Wait and try again."),
    500: ("server_error", "Something went wrong on our side. The error was logged."),
    503: ("unavailable", "The database is not answering. Try again in a moment: repeating is safe."),
}


def for_api(request: HttpRequest) -> bool:
    return request.path_info.startswith(PREFIX)


def error_json(request: Any, status: int, *, code: str = "", message: str = "", retry_after: int = 0) -> JsonResponse:
    """An error as JSON. It needs neither table nor templates."""
    default_code, default_message = PROBLEMS.get(status, PROBLEMS[400])
    body = {
        "error": code or default_code,
        "message": message or default_message,
        "request": getattr(request, "id", ""),
    }
    response = JsonResponse(body, status=status)
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if retry_after:
        response.headers["Retry-After"] = str(retry_after)
    return response


def domain_error_json(request: Any, error: DomainError) -> JsonResponse:
    """A domain error as JSON, in English."""
    code = getattr(error, "code", "")
    retry_after = error.retry_after if isinstance(error, TooMany | Busy) else 5 if isinstance(error, Unavailable) else 0
    # The default texts of domain errors are for pages: they mention forms and tabs.
    has_own_text = bool(code) or error.text is not type(error).text
    with translation.override("en"):
        message = str(error.text) if has_own_text else ""
    return error_json(request, error.status, code=code, message=message, retry_after=retry_after)
