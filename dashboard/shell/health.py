"""The health check for a load balancer: the process serves requests and the table answers."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from dashboard.core.errors import Unavailable
from dashboard.platform.accounts.permissions import public
from dashboard.table.health import ensure_table_answers

PATH = "/healthz"


@public
@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    try:
        ensure_table_answers()
    except Unavailable:
        return JsonResponse({"status": "the table does not answer"}, status=503)
    return JsonResponse({"status": "ok"})


def pulse(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: answers before the check of the host name, because a load balancer calls by IP address."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        return healthz(request) if request.path == PATH else get_response(request)

    return middleware
