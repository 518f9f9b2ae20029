"""An id for every request, and logs as JSON lines with that id."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from dashboard.core.ids import new_id

_NO_REQUEST = "-"
current_id: ContextVar[str] = ContextVar("current_id", default=_NO_REQUEST)
logger = logging.getLogger("trastienda.requests")

_STANDARD = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "request", "taskName"}


def request_id_or_none() -> str | None:
    """The id of the current request; None outside of requests."""
    name = current_id.get()
    return None if name == _NO_REQUEST else name


class JsonLines(logging.Formatter):
    """One JSON object per line, with the fields in `extra`. No body, e-mail or token is logged."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "request": getattr(getattr(record, "request", None), "id", current_id.get()),
            "message": _message(record),
        }
        extra = {name: value for name, value in vars(record).items() if name not in _STANDARD}
        line |= {name: value for name, value in extra.items() if value is not None}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def _message(record: logging.LogRecord) -> str:
    """Django's messages contain the path, which may contain an e-mail or a token."""
    if record.name.startswith("django.") and hasattr(record, "status_code"):
        return f"answered with {record.status_code}"
    return record.getMessage()


def request_id(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: give the request an id, and log its result."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        request.encoding = "utf-8"  # All our forms use it. The browser's charset is ignored.
        name = new_id()[-16:]
        token = current_id.set(name)
        started = time.perf_counter()
        try:
            request.id = name  # type: ignore[attr-defined]
            response = get_response(request)
            response.headers["X-Request-ID"] = name
            _log(request, response, time.perf_counter() - started)
            return response
        finally:
            current_id.reset(token)

    return middleware


def _log(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    # The route, not the path, which may contain an e-mail or a token.
    match = request.resolver_match
    if match is None and response.status_code < 400:
        return  # A static file.
    oplog = getattr(request, "oplog", None)
    business, key = getattr(request, "business", None), getattr(request, "api_key", None)
    logger.info(
        "request",
        extra={
            "method": request.method,
            "route": match.route if match else None,
            "status": response.status_code,
            "tenant": business.business_id if business else None,
            "api_key": key.id if key else None,
            "ms": round(seconds * 1000, 1),
            "calls": len(oplog.calls) if oplog else 0,
            "units": oplog.units if oplog else 0,
        },
    )
