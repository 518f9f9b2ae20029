"""Pages of unknown businesses: the list, one of them, Adopt and Undo."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.adoption import queries, services
from dashboard.platform.adoption.forms import AdoptForm
from dashboard.platform.businesses.permissions import Permission
from dashboard.table.read import Page, gather_all
from dashboard.web.commands import command_of
from dashboard.web.forms import RevisionForm
from dashboard.web.lists import build_tabs, list_page
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast

OWNERS = "owners"
TABS = [("", gettext_lazy("Businesses")), (OWNERS, gettext_lazy("Owners"))]
MAX_QUERY = 100


@requires(Permission.BUSINESSES_MANAGE)
@require_safe
def unknown_businesses(request: Request) -> HttpResponse:
    """Ids that are not a business, or owners that are no account."""
    show = request.GET.get("show", "")
    if show not in {"", OWNERS}:
        raise NotFound
    text = request.GET.get("q", "").strip()[:MAX_QUERY]

    def load(start_key: Any) -> tuple[Page[Any], dict[str, Any]]:
        context = {"tabs": build_tabs(request, "show", TABS), "show": show, "q": text}
        if show == OWNERS:
            return queries.outside_owners(start_key), context
        return queries.search_unknown_businesses(text, start_key) if text else queries.unknown_businesses(
            start_key
        ), context

    return list_page(
        request, "adoption/unknown_businesses.html", load, cursor_scope=("found", show, text), filters=("q",)
    )


@requires(Permission.BUSINESSES_MANAGE)
@require_http_methods(["GET", "HEAD", "POST"])
def unknown_business(request: Request, business_id: str) -> HttpResponse:
    """One unknown id with its items, and the form that adopts it."""
    if request.method != "POST":
        return _page(request, business_id)
    form = bind(request, AdoptForm)
    if form.is_valid():
        given = form.cleaned_data
        try:
            adopted = services.adopt(business_id, name=given["name"], slug=given["slug"], command=command_of(request))
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return _page(request, business_id, form, status=422)
    undo_request = (reverse("unknown_business_undo", args=[business_id]), {"revision": adopted.revision})
    toast(request, _("%(name)s adopted. Add its owners.") % {"name": adopted.title}, undo=undo_request, of=adopted)
    return see_other(request, reverse("business_manage", args=[adopted.id]))


def _page(request: Request, business: str, form: AdoptForm | None = None, status: int = 200) -> HttpResponse:
    """What was recorded and the counted items, in one round trip."""
    current: Any
    current, *pages = gather_all([partial(queries.find_unknown_business, business), *queries.contents_reads(business)])
    if current is None:
        raise NotFound
    initial = {"name": current.name or current.id, "slug": current.suggested_slug}
    context = {
        "unknown_business": current,
        "kinds": queries.summarize_kinds(pages, current),
        "form": form or AdoptForm(initial=initial),
    }
    return page(request, "adoption/unknown_business.html", context, status=status)


@requires(Permission.BUSINESSES_MANAGE)
@require_POST
def undo(request: Request, business_id: str) -> HttpResponse:
    """Undo an adoption. Only the toast after it leads here."""
    revision = bind(request, RevisionForm).number
    after = services.undo_adoption(business_id, revision=revision, command=command_of(request))
    toast(request, _("%(name)s is not a business any more. Its items were kept.") % {"name": after.title})
    return see_other(request, reverse("unknown_businesses"))
