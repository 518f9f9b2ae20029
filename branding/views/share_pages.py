"""The public pages of a share link: sample screens in one theme."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Any, TypeVar, cast

from csp.constants import NONE, SELF
from csp.decorators import csp
from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from branding import preview as samples
from branding.css import stylesheet as stylesheet_of
from branding.queries import SharedTheme
from branding.services import shares
from dashboard.platform.accounts.permissions import public
from dashboard.table.read import in_background
from dashboard.web.lists import Tab
from dashboard.web.pages import page

logger = logging.getLogger("trastienda.shares")
# The first choice is the width of the visitor's own screen.
WIDTHS = {"100%": _("This screen"), "1280": _("Desktop"), "768": _("Tablet"), "375": _("Phone")}
POLICY = {
    "default-src": [NONE],
    "style-src": [SELF],
    "img-src": [SELF],
    "frame-src": [SELF],
    "base-uri": [NONE],
    "form-action": [NONE],
    "frame-ancestors": [NONE],
}
View = Callable[[Any, str, SharedTheme], HttpResponse]
ViewT = TypeVar("ViewT", bound=Callable[..., HttpResponse])


def with_strict_csp(view: ViewT) -> ViewT:
    """Apply the content security policy of these pages, which is stricter than that of the back office."""
    return cast(ViewT, csp(POLICY)(view))


def with_link(view: View) -> Callable[..., HttpResponse]:
    """A view for visitors with a working link. All others get the same 404 for every reason."""

    @functools.wraps(view)
    def answer(request: Any, shared: str) -> HttpResponse:
        found = shares.find_shared_theme(shared)
        response = view(request, shared, found) if found else _not_found(request)
        # The URL is the secret: it is not sent to other sites, and the page is not cached.
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "no-store, private"
        return response

    return public(require_safe(answer))


@with_strict_csp
def _not_found(request: Any) -> HttpResponse:
    return page(request, "branding/shared_gone.html", status=404)


@with_link
@with_strict_csp
def shared(request: Any, token: str, found: SharedTheme) -> HttpResponse:
    """The page around the sample screen. No account, no script."""
    count = in_background(lambda: shares.count_view(found)) if _is_counted(request) else None
    response = _page(request, token, found)
    if count is not None and count.exception() is not None:
        logger.warning("a view of a link was not counted")
    return response


def _page(request: Any, token: str, found: SharedTheme) -> HttpResponse:
    screen = _one_of(samples.SCREENS, request.GET.get("screen"))
    width = _one_of(WIDTHS, request.GET.get("width"))
    url, preview_url = reverse("shared", args=[token]), reverse("shared_preview", args=[token])
    context = {
        "theme": found.theme,
        "link": found.link,
        "shop": _business_title(found),
        "timezone": found.business.timezone if found.business else None,
        "screens": [
            Tab(str(label), f"{url}?{urlencode({'screen': each, 'width': width})}", each == screen)
            for each, label in samples.SCREENS.items()
        ],
        "widths": [
            Tab(str(label), f"{url}?{urlencode({'screen': screen, 'width': each})}", each == width)
            for each, label in WIDTHS.items()
        ],
        "width": width,
        "src": f"{preview_url}?screen={screen}",
    }
    return page(request, "branding/shared.html", context)


@with_link
def preview(request: Any, token: str, found: SharedTheme) -> HttpResponse:
    """A sample screen, for the frame."""
    return samples.render_sample(
        request,
        found.theme.style,
        _business_title(found),
        samples.displayed_assets(found.theme.assets_by_role, {}, {}),
        request.GET.get("screen", ""),
        reverse("shared_css", args=[token]),
        reverse("shared_preview", args=[token]),
    )


@with_link
def stylesheet(request: Any, token: str, found: SharedTheme) -> HttpResponse:
    return HttpResponse(stylesheet_of(found.theme.style), content_type="text/css; charset=utf-8")


def _is_counted(request: Any) -> bool:
    """HEAD requests, prefetches and signed-in people do not count as views."""
    return (
        request.method == "GET" and request.person is None and "prefetch" not in request.headers.get("Sec-Purpose", "")
    )


def _one_of(known: Any, choice: str | None) -> str:
    return str(choice if choice in known else next(iter(known)))


def _business_title(found: SharedTheme) -> str:
    return found.business.title if found.business else found.theme.business
