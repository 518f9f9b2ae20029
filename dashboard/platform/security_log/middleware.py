"""The middleware of the security log: records refusals, and waits for the events of a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from dashboard.core.errors import TooMany
from dashboard.platform.apikeys.authentication import InvalidKey, KeyForbidden
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import current_request, record_event, wait_for_events
from dashboard.table.tenancy import ForeignItem
from dashboard.web.api import for_api

# A missing or malformed key is no attempt to guess one.
REJECTED = {"unknown_key", "revoked_key", "origin_not_allowed"}


class SecurityEvents:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        token = current_request.set(request)
        try:
            response = self.get_response(request)
        finally:
            current_request.reset(token)
        wait_for_events(request)
        return response

    def process_exception(self, request: Any, error: Exception) -> None:
        """Record the refusals of the API, and a request with the id of an item of another business.

        A key of another business is our programming error, and nobody's attempt: `tenancy` logs it as an error.
        """
        key, business = getattr(request, "api_key", None), getattr(request, "business", None)
        name = key.id if key else ""
        if isinstance(error, ForeignItem):
            record_event(request, EventKind.FOREIGN_BUSINESS, business=business.id if business else "", key=name)
        elif isinstance(error, InvalidKey | KeyForbidden) and error.code in REJECTED:
            record_event(request, EventKind.KEY_REJECTED, reason=error.code, key=name)
        elif isinstance(error, TooMany) and for_api(request):
            record_event(request, EventKind.KEY_THROTTLED, key=name, business=key.business if key else "")
