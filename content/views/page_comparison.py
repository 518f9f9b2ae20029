"""Two versions of a page, block by block and word by word."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from content.blocks.comparison import compare
from content.items import Content, ContentVersion
from content.permissions import Permission
from content.queries.versions import load_two_versions
from content.views.pages import TAB
from content.views.shared import query_param
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.pages import page

MAX_DIGITS = 9


@requires(Permission.SITE)
@require_safe
def comparison(request: Request, business: str, node: str) -> HttpResponse:
    """The version `a` and the version `b`; without `b`, the page as it is now."""
    current, found = load_two_versions(business, node, _number(request, "a"), _number(request, "b"))
    if current is None:
        raise NotFound
    old, new = (_version_of(current, found, _number(request, name)) for name in ("a", "b"))
    if old.number > new.number:
        old, new = new, old
    differences = compare(old.blocks, new.blocks)
    context: dict[str, Any] = {
        "page": current,
        "old": old,
        "new": new,
        "differences": differences,
        "has_differences": any(each.is_changed for each in differences),
        "url": reverse("page_comparison", args=[business, node]),
        "versions_url": f"{reverse('page_versions', args=[business, node])}?below={current.number + 1}",
        "tab": TAB,
    }
    return page(request, "content/page_comparison.html", context)


def _version_of(current: Content, found: dict[int, ContentVersion], number: int) -> Content | ContentVersion:
    if number in (0, current.number):
        return current
    if number not in found:
        raise NotFound
    return found[number]


def _number(request: Request, name: str) -> int:
    text = query_param(request, name, MAX_DIGITS)
    return int(text) if text.isascii() and text.isdigit() else 0
