"""Pages for visitors of businesses. They ignore the cookies of people, and other websites may show them in frames."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import translation

from dashboard.web.locale import language_of
from dashboard.web.pages import page

PREFIXES = ("/book/", "/widget/")
MAX_LANGUAGE = 100


def for_visitors(request: HttpRequest) -> bool:
    return request.path_info.startswith(PREFIXES)


def visitor_error_page(request: HttpRequest, status: int) -> HttpResponse:
    """An error without anything of the back office. It does not tell whether the business exists."""
    language = language_of(request.GET.get("lang", "")[:MAX_LANGUAGE])
    with translation.override(language or translation.get_language()):
        return page(request, "visitor_error.html", {"visit": None, "status": status}, status=status)
