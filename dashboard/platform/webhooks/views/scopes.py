"""Each page of webhooks exists twice: below `/b/<business>/`, and for the platform."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.webhooks.permissions import Permission
from dashboard.web.forms import RevisionForm
from dashboard.web.pages import bind

View = Callable[..., HttpResponse]


@dataclass(frozen=True)
class ScopedViews:
    """The views of one page."""

    of_platform: View
    of_business: View


def scoped(*methods: str) -> Callable[[View], ScopedViews]:
    """Declare both views of a page. It gets the business, or an empty text for the platform."""

    def declare(view: View) -> ScopedViews:
        @requires(Permission.SYSTEM_WEBHOOKS)
        @require_http_methods([*methods])
        def of_platform(request: Request, **parts: str) -> HttpResponse:
            return view(request, "", **parts)

        @requires(Permission.BUSINESS_WEBHOOKS)
        @require_http_methods([*methods])
        def of_business(request: Request, business: str, **parts: str) -> HttpResponse:
            return view(request, business, **parts)

        return ScopedViews(of_platform, of_business)

    return declare


def url(name: str, business: str, *parts: str) -> str:
    """The address of a page of the business, or of the platform."""
    return reverse(f"business_{name}", args=[business, *parts]) if business else reverse(name, args=[*parts])


def revision_of(request: Any) -> int:
    form = bind(request, RevisionForm)
    if not form.is_valid():
        raise Refused(_("Reload the page and try again."))
    return form.number
