"""Pages for visitors of businesses. They ignore the cookies of people, and other websites may show them in frames."""

from __future__ import annotations

from django.http import HttpRequest

PREFIXES = ("/book/", "/widget/")


def for_visitors(request: HttpRequest) -> bool:
    return request.path_info.startswith(PREFIXES)
