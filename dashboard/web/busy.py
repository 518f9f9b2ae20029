"""What the server asks the application before a thread is free: how long a body may be, and the page "too busy"."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest
from django.http.cookie import parse_cookie
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils import translation

from dashboard.core.errors import Busy
from dashboard.web import api
from dashboard.web.errors import body_limit_of

Headers = list[tuple[str, str]]


def body_limit(path: str) -> int:
    """How many bytes the view of this path, as in the request line, accepts."""
    try:
        return body_limit_of(resolve(unquote(path)).func)
    except Resolver404:
        return settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def busy_page(path: str, headers: Mapping[str, str]) -> tuple[Headers, bytes]:
    """Headers and body of a 503. It needs no table, no thread and, after the first of its kind, no template."""
    kind = "json" if path.startswith(api.PREFIX) else "fragment" if "HX-REQUEST" in headers else "page"
    return _render(kind, _language(headers))


def warm_up() -> None:
    """Load the views and render the pages before the first request, which the event loop would wait for."""
    body_limit("/")
    for kind in ("page", "fragment"):
        for language, _name in settings.LANGUAGES:
            _render(kind, language)


def _language(headers: Mapping[str, str]) -> str:
    request = HttpRequest()
    request.META["HTTP_ACCEPT_LANGUAGE"] = headers.get("ACCEPT-LANGUAGE", "")
    request.COOKIES = parse_cookie(headers.get("COOKIE", ""))
    return translation.get_language_from_request(request)


@functools.cache
def _render(kind: str, language: str) -> tuple[Headers, bytes]:
    error = Busy()
    with translation.override("en" if kind == "json" else language):
        context: dict[str, Any] = {"text": error.text, "next": error.advice}
        if kind == "json":
            body = api.error_json(None, error.status, code=error.code, message=str(error.text)).content
        else:
            body = render_to_string("503.html" if kind == "page" else "ui/unavailable.html", context).encode()
    content_type = api.CONTENT_TYPE if kind == "json" else "text/html; charset=utf-8"
    return [
        ("Content-Type", content_type),
        ("Retry-After", str(error.retry_after)),
        ("HX-Reswap", "none"),
        ("Cache-Control", "no-store, private"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", settings.X_FRAME_OPTIONS),
        ("Content-Security-Policy", build_policy()),
    ], body
