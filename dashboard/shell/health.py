"""The health checks for a load balancer. `/livez`: the process runs. `/healthz`: the table answers, too."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from dashboard.core.errors import Unavailable
from dashboard.platform.accounts.permissions import public
from dashboard.table.health import ensure_table_answers


@public
@never_cache
@require_safe
def livez(request: HttpRequest) -> JsonResponse:
    """Our own server answers this without a thread; this view is for other servers."""
    return JsonResponse({"status": "ok"})


@public
@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    try:
        ensure_table_answers()
    except Unavailable:
        return JsonResponse({"status": "the table does not answer"}, status=503)
    return JsonResponse({"status": "ok"})


VIEWS = {"/livez": livez, "/healthz": healthz}


def pulse(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: answers before the check of the host name, because a load balancer calls by IP address."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        view = VIEWS.get(request.path)
        return view(request) if view else get_response(request)

    return middleware
