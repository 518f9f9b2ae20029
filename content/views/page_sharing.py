"""Links to a page that is not published: make and revoke them, and show the page to whoever has one."""

from __future__ import annotations

from functools import partial
from typing import Any

from csp.constants import NONE, SELF
from csp.decorators import csp
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from content.forms.pages import SharePageForm
from content.permissions import Permission
from content.queries.pages import load_page
from content.queries.shares import page_share_links
from content.services import sharing as services
from content.views.pages import TAB
from content.views.shared import preview_context
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import public, requires
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast

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
    """The links that work, and the form for another one. A new link is shown once."""
    form = bind(request, SharePageForm) if request.method == "POST" else SharePageForm()
    command = command_of(request)
    path, made = "", None
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        try:
            made = services.share(business, node, given["days"], note=given["note"], command=command)
        except Refused as refusal:
            add_refusal(form, refusal)
        else:
            path = reverse("shared_page", args=[services.token_of(made, command)])
            form = SharePageForm()
    current, links = gather(partial(load_page, business, node), partial(page_share_links, business, node))
    context = {
        "form": form,
        "page": current,
        "links": links,
        "made": made,
        "link": request.build_absolute_uri(path) if path else "",
        "path": path,
        "tab": TAB,
    }
    return page(request, "content/share.html", context, status=422 if form.is_bound else 200)


@requires(Permission.SITE)
@require_POST
def revoke(request: Request, business: str, node: str, page_share: str) -> HttpResponse:
    link = services.revoke(business, node, page_share, command=command_of(request))
    undo_url = reverse("page_share_restore", args=[business, node, page_share])
    toast(request, _("Link revoked. It no longer works."), undo=(undo_url, {}), of=link)
    return see_other(request, reverse("page_share", args=[business, node]))


@requires(Permission.SITE)
@require_POST
def restore(request: Request, business: str, node: str, page_share: str) -> HttpResponse:
    link = services.restore(business, node, page_share, command=command_of(request))
    undo_url = reverse("page_share_revoke", args=[business, node, page_share])
    toast(request, _("The link works again."), undo=(undo_url, {}), of=link)
    return see_other(request, reverse("page_share", args=[business, node]))


@public
@require_safe
def shared_page(request: Any, page_token: str) -> HttpResponse:
    """The page as it is saved now, for whoever has the link. All other links get the same 404."""
    shared = services.find_page_of_token(page_token)
    if shared is None:
        response = page(request, "content/shared_gone.html", status=404)
    else:
        found, business = shared.page, shared.business
        css_url = reverse("visitor_theme", args=[business.id])
        context = preview_context(found, found.blocks, business.title, css_url)
        response = page(request, "content/preview/page.html", context)
    # The address is the secret: it is not sent to other sites, and the page is not cached.
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-store, private"
    csp(POLICY)(lambda _request: response)(request)
    return response
