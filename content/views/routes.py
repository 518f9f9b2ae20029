"""The addresses of a site: the list, where one leads, and manual redirects."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from content.addresses import normalized
from content.forms.routes import ChangeRedirectForm, RedirectForm, SlugForm
from content.permissions import Permission
from content.presenters import DestinationPanel, RouteRow
from content.queries import routes as queries
from content.services import routes as services
from content.views.shared import query_param
from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import Page, gather
from dashboard.web.commands import command_of
from dashboard.web.lists import build_tabs, list_page
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast

TAB = "routes"
_VIEWS = (
    ("", pgettext_lazy("addresses", "All")),
    (queries.PAGES, pgettext_lazy("addresses", "Pages")),
    (queries.REDIRECTS, pgettext_lazy("addresses", "Redirects")),
)


@requires(Permission.SITE)
@require_safe
def routes(request: Request, business: str) -> HttpResponse:
    """The addresses of a site, by address. `lookup` is an address that is followed to its page."""
    q, show, lookup = query_param(request), query_param(request, "show"), query_param(request, "lookup")
    show = show if show in dict(_VIEWS) else ""

    def load(start_key: Any) -> tuple[Page[RouteRow], dict[str, Any]]:
        prefix = normalized(q) if q else ""
        reads = (
            partial(queries.routes, business, prefix, start_key, show=show),
            partial(DestinationPanel.of, business, lookup) if lookup else lambda: None,
        )
        found, destination = gather(*reads)
        context = {
            "q": q,
            "show": show,
            "lookup": lookup,
            "destination": destination,
            "tabs": build_tabs(request, "show", _VIEWS),
            "tab": TAB,
        }
        return found.with_rows([RouteRow(business, route) for route in found.items]), context

    scope = (TAB, business, show, q)
    return list_page(request, "content/routes.html", load, cursor_scope=scope, filters=("q",))


@requires(Permission.SITE)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request, business: str) -> HttpResponse:
    if request.method == "POST":
        form: RedirectForm = bind(request, RedirectForm)
    else:
        form = RedirectForm(initial={"slug": query_param(request, "slug"), "target": query_param(request, "target")})
    if form.is_bound and form.is_valid():
        try:
            made = services.add_redirect(
                business, form.cleaned_data["slug"], form.cleaned_data["target"], command=command_of(request)
            )
        except Refused as refusal:
            add_refusal(form, refusal)
        else:
            text = _("%(slug)s leads to %(target)s now.") % {"slug": made.slug, "target": made.redirect_to}
            toast(request, text, undo=(reverse("route_remove", args=[business]), {"slug": made.slug}), of=made)
            return see_other(request, _url(business, made.slug))
    context = {"form": form, "tab": TAB}
    return page(request, "content/route_new.html", context, status=422 if form.is_bound else 200)


@requires(Permission.SITE)
@require_http_methods(["GET", "HEAD", "POST"])
def change(request: Request, business: str) -> HttpResponse:
    """Let a redirect lead to another page."""
    slug = (request.POST.get("slug", "") if request.method == "POST" else query_param(request, "slug", 1000))[:1000]
    if not slug and request.method != "POST":
        return see_other(request, reverse("routes", args=[business]))
    if not slug:
        raise Refused(_("Reload the page and try again."))
    route = queries.find_route(business, slug)
    if route is None or not route.leads_elsewhere:
        raise NotFound
    if request.method == "POST":
        form: ChangeRedirectForm = bind(request, ChangeRedirectForm)
    else:
        form = ChangeRedirectForm(initial={"slug": slug, "target": route.redirect_to or ""})
    if form.is_bound and form.is_valid():
        try:
            changed = services.change_redirect(business, slug, form.cleaned_data["target"], command=command_of(request))
        except Refused as refusal:
            add_refusal(form, refusal)
        else:
            text = _("%(slug)s leads to %(target)s now.") % {"slug": slug, "target": changed.redirect_to}
            before = changed.outcome.result.get("redirect_to", "")
            fields = {"slug": slug, "target": before}
            toast(request, text, undo=(request.path, fields) if before else None, of=changed)
            return see_other(request, _url(business, slug))
    context = {"form": form, "slug": slug, "tab": TAB}
    return page(request, "content/route_change.html", context, status=422 if form.is_bound else 200)


@requires(Permission.SITE)
@require_POST
def remove(request: Request, business: str) -> HttpResponse:
    form = bind(request, SlugForm)
    if not form.is_valid():
        raise Refused(_("Reload the page and try again."))
    removed = services.remove_redirect(business, form.cleaned_data["slug"], command=command_of(request))
    text = _("The redirect %(slug)s was removed.") % {"slug": removed.slug}
    fields = {"slug": removed.slug, "target": removed.redirect_to or ""}
    toast(request, text, undo=(reverse("route_new", args=[business]), fields) if removed.redirect_to else None)
    return see_other(request, reverse("routes", args=[business]))


def _url(business: str, slug: str) -> str:
    """The list with what the address leads to."""
    return f"{reverse('routes', args=[business])}?{urlencode({'lookup': slug})}"
