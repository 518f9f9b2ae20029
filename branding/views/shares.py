"""Create and revoke share links."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from branding import queries
from branding.forms.publishing import ShareForm
from branding.items import UNPADDED, ShareLink
from branding.permissions import Permission
from branding.services import shares as services
from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast


@requires(Permission.BRANDING)
@require_http_methods(["GET", "HEAD", "POST"])
def share(request: Request, business: str, version: int) -> HttpResponse:
    if request.method != "POST":
        return _links_page(request, business, version, ShareForm())
    form = bind(request, ShareForm)
    command = command_of(request)
    if form.is_valid():
        given = form.cleaned_data
        try:
            link = services.create(business, version, days=given["days"], note=given["note"], command=command)
        except Refused as refusal:
            add_refusal(form, refusal)
        else:
            return _created_page(request, version, link, services.token_of(link, command))
    return _links_page(request, business, version, form, status=422)


def _links_page(request: Request, business: str, version: int, form: ShareForm, status: int = 200) -> HttpResponse:
    theme, links = gather(
        partial(queries.load_theme, business, version, is_unpadded=UNPADDED in request.GET),
        partial(queries.share_links, business, version),
    )
    newest = sorted(links, key=lambda link: link.created_at or now(), reverse=True)
    return page(request, "branding/share.html", {"theme": theme, "links": newest, "form": form}, status=status)


def _created_page(request: Request, version: int, link: ShareLink, token: str) -> HttpResponse:
    """Show the link once: only a hash of it is stored."""
    path = reverse("shared", args=[token])
    context: dict[str, Any] = {"number": version, "label": f"v{version}", "link": link, "path": path}
    context["url"] = request.build_absolute_uri(path)
    return page(request, "branding/share_created.html", context)


@requires(Permission.BRANDING)
@require_POST
def revoke(request: Request, business: str, version: int, share: str) -> HttpResponse:
    services.revoke(business, version, share, command=command_of(request))
    toast(request, _("Link revoked."))
    return see_other(request, reverse("theme_share", args=[business, version]))
