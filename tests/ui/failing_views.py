"""URLs whose views fail in every way: for test_errors.py."""

from collections.abc import Callable

from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import include, path

from dashboard.core.errors import BadCursor, Conflict, NotAllowed, NotFound, Refused, TooMany, Unavailable
from dashboard.platform.accounts.permissions import public
from dashboard.urls import handler400, handler403, handler404, handler500

FAILURES: dict[str, tuple[int, Callable[[], Exception]]] = {
    "cursor": (400, BadCursor),
    "suspicious": (400, lambda: SuspiciousOperation("the secret reason")),
    "not-allowed": (403, NotAllowed),
    "denied": (403, lambda: PermissionDenied("the secret reason")),
    "not-found": (404, NotFound),
    "http-404": (404, lambda: Http404("the secret reason")),
    "conflict": (409, Conflict),
    "refused": (422, lambda: Refused("A rule says no.")),
    "too-many": (429, lambda: TooMany(retry_after=30)),
    "broken": (500, lambda: RuntimeError("the secret reason")),
    "unavailable": (503, Unavailable),
}


@public
def fail(request: HttpRequest, how: str) -> HttpResponse:
    raise FAILURES[how][1]()


@public
def read_body(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(len(request.POST)))


urlpatterns = [
    path("fail/<str:how>/", fail, name="fail"),
    path("read/", read_body, name="read"),
    path("", include("dashboard.urls")),
]

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]
