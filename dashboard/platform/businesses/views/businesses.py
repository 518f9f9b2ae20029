"""Pages for admins: the list of businesses, and one business."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.core.errors import NotFound, Refused
from dashboard.platform.accounts.emails import normalise
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit.queries import latest_of
from dashboard.platform.audit.sentences import history_lines
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.forms import BusinessForm, MemberForm, NewBusinessForm
from dashboard.platform.businesses.items import STATUS_LABELS, Business, BusinessStatus, Member
from dashboard.platform.businesses.permissions import Permission
from dashboard.platform.businesses.services import businesses as services
from dashboard.table.read import Page, gather
from dashboard.web.commands import command_of
from dashboard.web.lists import build_tabs, list_page
from dashboard.web.pages import add_refusal, bind, page, see_other
from dashboard.web.toasts import toast

TABS = [("", gettext_lazy("All")), *STATUS_LABELS.items()]
MAX_QUERY = 100


@requires(Permission.BUSINESSES_MANAGE)
@require_safe
def businesses(request: Request) -> HttpResponse:
    status = request.GET.get("status", "")
    if status and status not in set(BusinessStatus):
        raise NotFound
    prefix = request.GET.get("q", "").strip()[:MAX_QUERY]

    def load(start_key: Any) -> tuple[Page[Business], dict[str, Any]]:
        found = (
            queries.businesses_with_status(status, prefix, start_key)
            if status
            else queries.businesses(prefix, start_key)
        )
        return found, {"tabs": build_tabs(request, "status", TABS), "status": status, "q": prefix}

    scope = ("businesses", status, prefix)
    return list_page(request, "businesses/list.html", load, cursor_scope=scope, filters=("q", "status"))


@requires(Permission.BUSINESSES_MANAGE)
@require_http_methods(["GET", "HEAD", "POST"])
def create(request: Request) -> HttpResponse:
    if request.method != "POST":
        initial = {"status": BusinessStatus.ACTIVE, "plan": "FREE", "name": request.GET.get("name", "")[:MAX_QUERY]}
        return page(request, "businesses/new.html", {"form": NewBusinessForm(initial=initial)})
    form = bind(request, NewBusinessForm)
    if form.is_valid():
        try:
            business = services.create(form.values, command=command_of(request))
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return page(request, "businesses/new.html", {"form": form}, status=422)
    toast(request, _("%(name)s created. Add its owners.") % {"name": business.title}, of=business)
    return see_other(request, reverse("business_manage", args=[business.id]))


@requires(Permission.BUSINESSES_MANAGE)
@require_http_methods(["GET", "HEAD", "POST"])
def manage(request: Request, business: str) -> HttpResponse:
    """The page of a business for admins, and its form."""
    if request.method != "POST":
        return business_page(request, business)
    form = bind(request, BusinessForm, item=queries.load_business(business))
    if form.is_valid():
        try:
            after = services.edit(business, form.values, revision=form.revision, command=command_of(request))
        except Refused as refusal:
            add_refusal(form, refusal)
    if not form.is_valid():
        return business_page(request, business, form=form, status=422)
    toast(request, _saved_text(after), undo=undo_request(after, request.path), of=after)
    return see_other(request, request.path)


def business_page(request: Request, business: str, *, status: int = 200, **extra: Any) -> HttpResponse:
    """Read the business, its members and its history in one round trip."""
    current, members, entries = gather(
        lambda: queries.load_business(business), lambda: queries.members(business), lambda: latest_of(business)
    )
    context = {
        "business": current,
        "members": members,
        "form": BusinessForm(item=current),
        "member_form": MemberForm(),
        "history": history_lines(entries),
        "outside_owner": _outside_owner(current, members),
        "has_owner": any(each.is_active_owner for each in members),
    }
    return page(request, "businesses/manage.html", context | extra, status=status)


def _outside_owner(business: Business, members: list[Member]) -> str:
    """The id of its owner in another system; empty if it is the address of a member."""
    owner = business.owner_user_id or ""
    return "" if normalise(owner) in {member.email for member in members} else owner


def undo_request(business: Business, url: str) -> tuple[str, dict[str, Any]]:
    """The URL and the fields of Undo: the previous values of the fields that changed."""
    before, after = business.outcome.result["before"], business.outcome.result["after"]
    fields = {name: value or "" for name, value in before.items() if value != after[name]}
    return url, fields | {"revision": business.revision}


def _saved_text(business: Business) -> str:
    result = business.outcome.result
    if result["before"]["status"] == result["after"]["status"]:
        return _("Changes to %(name)s saved.") % {"name": business.title}
    return _("%(name)s: %(status)s.") % {"name": business.title, "status": business.status_label}
