"""Problems of the API: each error below `/api/` is answered as problem details (RFC 9457) with a stable code."""

from __future__ import annotations

from typing import Any

import msgspec
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from dashboard.core.errors import BadCursor, Busy, Conflict, DomainError, TooMany, Unavailable

PREFIX = "/api/"
CONTENT_TYPE = "application/problem+json"

# The code and the message of each status.
PROBLEMS = {
    400: ("bad_request", "This request cannot be read."),
    401: ("unauthorized", "Send an API key: Authorization: Bearer <key>."),
    403: ("forbidden", "This is not allowed."),
    404: ("not_found", "There is nothing here."),
    405: ("method_not_allowed", "This address does not take this method."),
    409: ("conflict", "This was changed in the meantime. Read it again."),
    412: ("stale_revision", "This was changed in the meantime. Read it again."),
    413: ("too_large", "The body of this request is too large."),
    415: ("not_json", "Send JSON, with the header Content-Type: application/json."),
    422: ("invalid", "Something in this request is not right."),
    428: ("no_revision", "Send If-Match with the ETag of what you read."),
    429: ("too_many_requests", "Too many requests. Wait and try again."),
    500: ("server_error", "Something went wrong on our side. The error was logged."),
    503: ("unavailable", "The database is not answering. Try again in a moment: repeating is safe."),
}


class ProblemType(msgspec.Struct, frozen=True):
    """What a code means."""

    code: str
    status: int
    title: str


# Every code, in the order in which it was declared.
TYPES: dict[str, ProblemType] = {code: ProblemType(code, status, title) for status, (code, title) in PROBLEMS.items()}


def declare_problem(code: str, status: int, title: str) -> str:
    """Declare a code. Apps declare theirs in `api.py`."""
    found = ProblemType(code, status, title)
    if TYPES.setdefault(code, found) != found:
        raise ImproperlyConfigured(f"The problem {code} is declared twice.")
    return code


declare_problem("no_key", 401, "The request has no API key.")
declare_problem("bad_key", 401, "The API key cannot be read.")
declare_problem("unknown_key", 401, "There is no such API key.")
declare_problem("revoked_key", 401, "The API key was revoked.")
declare_problem("origin_not_allowed", 403, "The API key may not be used from this site.")
declare_problem("other_tenant", 403, "X-Tenant-Id names another business than the API key.")
declare_problem("key_not_allowed", 403, "An API key of this type or without this scope may not do this.")
declare_problem("business_closed", 403, "The business is suspended or cancelled.")
declare_problem("bad_cursor", 400, "The cursor does not belong to this list.")
declare_problem("malformed_json", 400, "The body is not valid JSON.")
declare_problem("no_idempotency_key", 400, "Send an Idempotency-Key.")
declare_problem("in_progress", 409, "The first request with this Idempotency-Key is in progress. Repeat it later.")
declare_problem("idempotency_key_reused", 422, "This Idempotency-Key was sent before with another request.")
declare_problem("busy", 503, "There is too much to do right now. Nothing was changed.")


class ApiError(DomainError):
    """An error with a declared code. `more` are further members of the answer."""

    def __init__(self, code: str, detail: str = "", more: dict[str, Any] | None = None) -> None:
        found = TYPES[code]
        self.code, self.status, self.problem = code, found.status, more or {}
        super().__init__(detail or found.title)


def for_api(request: HttpRequest) -> bool:
    """Whether a program asks. The documentation at `/api/` itself is a page for people."""
    return request.path_info.startswith(PREFIX) and request.path_info != PREFIX


def error_json(
    request: Any, status: int, *, code: str = "", message: str = "", retry_after: int = 0, **more: Any
) -> HttpResponse:
    """A problem as JSON. It needs neither table nor templates."""
    default_code, default_message = PROBLEMS.get(status, PROBLEMS[400])
    code = code or default_code
    title = TYPES[code].title if code in TYPES else default_message
    body = {
        "type": f"{PREFIX}#{code}",
        "title": title,
        "status": status,
        "detail": message or title,
        "code": code,
        "request": getattr(request, "id", ""),
        **more,
    }
    response = HttpResponse(msgspec.json.encode(body), status=status, content_type=CONTENT_TYPE)
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if retry_after:
        response.headers["Retry-After"] = str(retry_after)
    return response


def domain_error_json(request: Any, error: DomainError) -> HttpResponse:
    """A domain error as JSON, in English."""
    code, status = code_of(request, error)
    retry_after = _retry_after(error, code)
    # The default texts of domain errors are for pages: they mention forms and tabs.
    has_own_text = hasattr(error, "code") or error.text is not type(error).text
    with translation.override("en"):
        message = str(error.text) if has_own_text else ""
        more = dict(getattr(error, "problem", {}))
        if field := getattr(error, "field", None):
            more.setdefault("field", field)
    return error_json(request, status, code=code, message=message, retry_after=retry_after, **more)


def _retry_after(error: DomainError, code: str) -> int:
    """The seconds to wait; 0 where repeating does not help."""
    if isinstance(error, TooMany | Busy):
        return error.retry_after
    return 5 if isinstance(error, Unavailable) else 1 if code == "in_progress" else 0


def code_of(request: Any, error: DomainError) -> tuple[str, int]:
    """The code of an error, and its status. A changed revision is 412 where the request named the one it read."""
    code = getattr(error, "code", "")
    if not code and isinstance(error, BadCursor):
        code = "bad_cursor"
    if not code and isinstance(error, Conflict) and getattr(request, "names_revision", False):
        return PROBLEMS[412][0], 412
    return code or PROBLEMS.get(error.status, PROBLEMS[400])[0], error.status
