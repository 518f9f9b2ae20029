"""What a stranger with a link sees: sample screens in one look, and nothing of the back office."""

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
from branding.queries import Shared
from branding.services import shares
from dashboard.platform.accounts.permissions import public
from dashboard.table.read import in_background
from dashboard.web.lists import Tab
from dashboard.web.pages import page

logger = logging.getLogger("trastienda.shares")
# As wide as the reader's own screen, which nobody knows but their browser; or as one chooses.
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
View = Callable[[Any, str, Shared], HttpResponse]
ViewT = TypeVar("ViewT", bound=Callable[..., HttpResponse])


def tight(view: ViewT) -> ViewT:
    """Under the policy of this page, which is tighter than the back office's own."""
    return cast(ViewT, csp(POLICY)(view))


def with_link(view: View) -> Callable[..., HttpResponse]:
    """A view for whoever has a link that works. All others read the same, whatever the reason."""

    @functools.wraps(view)
    def answer(request: Any, shared: str) -> HttpResponse:
        found = shares.find(shared)
        response = view(request, shared, found) if found else _gone(request)
        # The address is the secret: no other site is told of it, and nothing keeps what it shows.
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "no-store, private"
        return response

    return public(require_safe(answer))


@tight
def _gone(request: Any) -> HttpResponse:
    return page(request, "branding/shared_gone.html", status=404)


@with_link
@tight
def shared(request: Any, token: str, found: Shared) -> HttpResponse:
    """The page around the screens. No account, no script."""
    counted = in_background(lambda: shares.count_view(found)) if _counts(request) else None
    response = _page(request, token, found)
    if counted is not None and counted.exception() is not None:
        logger.warning("a view of a link was not counted")
    return response


def _page(request: Any, token: str, found: Shared) -> HttpResponse:
    screen = _one_of(samples.SCREENS, request.GET.get("screen"))
    width = _one_of(WIDTHS, request.GET.get("width"))
    here, inner = reverse("shared", args=[token]), reverse("shared_preview", args=[token])
    context = {
        "theme": found.theme,
        "link": found.link,
        "shop": _name(found),
        "place": found.business.timezone if found.business else None,
        "screens": [
            Tab(str(label), f"{here}?{urlencode({'screen': each, 'width': width})}", each == screen)
            for each, label in samples.SCREENS.items()
        ],
        "widths": [
            Tab(str(label), f"{here}?{urlencode({'screen': screen, 'width': each})}", each == width)
            for each, label in WIDTHS.items()
        ],
        "width": width,
        "src": f"{inner}?screen={screen}",
    }
    return page(request, "branding/shared.html", context)


@with_link
def preview(request: Any, token: str, found: Shared) -> HttpResponse:
    """One sample screen, for the frame."""
    return samples.sample(
        request,
        found.theme.look,
        _name(found),
        samples.showing(found.theme.shown_files, {}, {}),
        request.GET.get("screen", ""),
        reverse("shared_css", args=[token]),
        reverse("shared_preview", args=[token]),
    )


@with_link
def stylesheet(request: Any, token: str, found: Shared) -> HttpResponse:
    return HttpResponse(stylesheet_of(found.theme.look), content_type="text/css; charset=utf-8")


def _counts(request: Any) -> bool:
    """Not those who ask only whether it is there, or fetch it in advance; and whoever is signed in is no stranger."""
    return (
        request.method == "GET" and request.person is None and "prefetch" not in request.headers.get("Sec-Purpose", "")
    )


def _one_of(known: Any, wanted: str | None) -> str:
    return str(wanted if wanted in known else next(iter(known)))


def _name(found: Shared) -> str:
    return found.business.title if found.business else found.theme.business
