"""Admins and all businesses."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.queries import latest_of
from dashboard.platform.audit.sentences import history_lines
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.forms import BusinessForm, MemberForm, NewBusinessForm
from dashboard.platform.businesses.items import STATUS_LABELS, Business, Member, Status
from dashboard.platform.businesses.permissions import Permission
from dashboard.platform.businesses.services import businesses as services
from dashboard.table import cursors
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.lists import listing, tabs
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast

TABS = [("", gettext_lazy("All")), *STATUS_LABELS.items()]
MAX_QUERY = 100


@requires(Permission.BUSINESSES_MANAGE)
@require_safe
def businesses(request: Request) -> HttpResponse:
    status = request.GET.get("status", "")
    if status and status not in set(Status):
        raise NotFound
    prefix = request.GET.get("q", "").strip()[:MAX_QUERY]
    scope = (request.person.email, "businesses", status, prefix)
    start = cursors.decode(request.GET.get("cursor", ""), *scope)
    found = queries.businesses_with(status, prefix, start) if status else queries.businesses(prefix, start)
    following = cursors.encode(found.next, *scope) if found.next else None
    context = {
        "listing": listing(request, found.items, following, filters=("q", "status")),
        "tabs": tabs(request, "status", TABS),
        "status": status,
        "q": prefix,
    }
    return page(request, "businesses/list.html", context, partial="rows" if start else "list")


@requires(Permission.BUSINESSES_MANAGE)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request) -> HttpResponse:
    if request.method != "POST":
        initial = {"status": Status.ACTIVE, "plan": "FREE", "name": request.GET.get("name", "")[:MAX_QUERY]}
        return page(request, "businesses/new.html", {"form": NewBusinessForm(initial=initial)})
    form = bind(request, NewBusinessForm)
    if form.is_valid():
        try:
            business = services.create(form.values, command=command_of(request))
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return page(request, "businesses/new.html", {"form": form}, status=422)
    toast(request, _("%(name)s is created. Add the people who run it.") % {"name": business.title}, of=business)
    return see_other(request, reverse("business_manage", args=[business.id]))


@requires(Permission.BUSINESSES_MANAGE)
@require_http_methods(["GET", "HEAD", "POST"])
def manage(request: Request, business: str) -> HttpResponse:
    """A business as the platform sees it, with the form that changes it."""
    if request.method != "POST":
        return business_page(request, business)
    form = bind(request, BusinessForm, business=queries.load_business(business))
    if form.is_valid():
        try:
            after = services.edit(
                business, form.values, revision=form.cleaned_data["revision"], command=command_of(request)
            )
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return business_page(request, business, form=form, status=422)
    toast(request, _said(after), undo=undo_of(after, request.path), of=after)
    return see_other(request, request.path)


def business_page(request: Request, business: str, *, status: int = 200, **extra: Any) -> HttpResponse:
    """Business, people and trail come side by side."""
    found, people, entries = _everything(business)
    context = {
        "business": found,
        "members": people,
        "form": BusinessForm(business=found),
        "member_form": MemberForm(),
        "history": history_lines(entries),
    }
    return page(request, "businesses/manage.html", context | extra, status=status)


def _everything(business: str) -> tuple[Business, list[Member], list[AuditEntry]]:
    found = gather(
        lambda: queries.load_business(business), lambda: queries.members(business), lambda: latest_of(business)
    )
    return found[0], found[1], found[2]


def undo_of(business: Business, url: str) -> tuple[str, dict[str, Any]]:
    """Back to what it was: only what was changed is sent."""
    before, after = business.outcome.result["before"], business.outcome.result["after"]
    fields = {name: was or "" for name, was in before.items() if was != after[name]}
    return url, fields | {"revision": business.revision}


def _said(business: Business) -> str:
    result = business.outcome.result
    if result["before"]["status"] == result["after"]["status"]:
        return _("Changes to %(name)s are saved.") % {"name": business.title}
    return _("%(name)s: %(status)s.") % {"name": business.title, "status": business.status_label}
