"""Makes a link to a page that is not published, and shows the page to whoever has the link."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from csp.constants import NONE, SELF
from csp.decorators import csp
from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_safe

from content.blocks.rendering import render
from content.forms.pages import SharePageForm
from content.permissions import Permission
from content.queries.pages import find_page, load_page
from content.services import sharing as services
from content.services.sharing import UNTIL
from content.sharing import read_token, token_of
from content.statuses import PageStatus
from content.views.pages import TAB
from content.views.shared import query_param
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import public, requires
from dashboard.platform.businesses.queries import find_business
from dashboard.table.read import gather
from dashboard.table.timestamps import from_wire
from dashboard.web.commands import command_of
from dashboard.web.pages import bind, page, see_other

MAX_LIFE = timedelta(days=31)
# No scripts, no forms, and no frame of another page around it.
POLICY: dict[str, Any] = {
    "default-src": [NONE],
    "style-src": [SELF],
    "img-src": [SELF, "https:"],
    "base-uri": [NONE],
    "form-action": [NONE],
    "frame-ancestors": [NONE],
}


@requires(Permission.SITE)
@require_http_methods(["GET", "HEAD", "POST"])
def share(request: Request, business: str, node: str) -> HttpResponse:
    """The form, and after it the link. `until` is when the link expires."""
    current = load_page(business, node)
    form = bind(request, SharePageForm) if request.method == "POST" else SharePageForm()
    if form.is_bound and form.is_valid():
        shared = services.share(business, node, form.cleaned_data["days"], command=command_of(request))
        return see_other(request, f"{request.path}?{urlencode({'until': shared.outcome.result[UNTIL]})}")
    until = _time(query_param(request, "until", 40))
    context = {"form": form, "page": current, "until": until, "link": "", "tab": TAB}
    if until is not None:
        path = reverse("shared_page", args=[token_of(business, node, until)])
        context["link"] = request.build_absolute_uri(path)
    return page(request, "content/share.html", context, status=422 if form.is_bound else 200)


def _time(text: str) -> Any:
    """A time in the next weeks; None for anything else."""
    try:
        found = from_wire(text)
    except (ValueError, OverflowError):
        return None
    return found if now() < found <= now() + MAX_LIFE else None


@public
@require_safe
def shared_page(request: Any, page_token: str) -> HttpResponse:
    """The page as it is saved now, for whoever has the link. All other links get the same 404."""
    named = read_token(page_token)
    found, business = gather(lambda: find_page(*named), lambda: find_business(named[0])) if named else (None, None)
    if found is None or business is None or found.state == PageStatus.ARCHIVED:
        response = page(request, "content/shared_gone.html", status=404)
    else:
        context = {
            "blocks": render(found.blocks),
            "title": found.display_title,
            "shop": business.title,
            "css_url": reverse("visitor_theme", args=[business.id]),
            "hide_nav": found.hide_nav,
            "hide_footer": found.hide_footer,
        }
        response = page(request, "content/preview/page.html", context)
    # The address is the secret: it is not sent to other sites, and the page is not cached.
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-store, private"
    csp(POLICY)(lambda _request: response)(request)
    return response
