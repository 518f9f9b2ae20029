"""The product's URLs and two views without a declared permission: for test_permissions.py."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from dashboard.urls import handler400, handler403, handler404, handler500

calls: list[str] = []


def forgotten(request: HttpRequest) -> HttpResponse:
    calls.append(request.path)
    return HttpResponse("must not be shown")


urlpatterns = [
    path("forgotten/", forgotten, name="forgotten"),
    path("nested/", include([path("forgotten/", forgotten, name="nested_forgotten")])),
    path("", include("dashboard.urls")),
]

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]
