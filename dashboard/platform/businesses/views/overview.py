"""Pages inside a business: overview and settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.platform.accounts.middleware import Request, has_permission
from dashboard.platform.accounts.permissions import Role, requires
from dashboard.platform.audit.permissions import Permission as AuditPermission
from dashboard.platform.audit.queries import latest_of
from dashboard.platform.audit.sentences import history_lines
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.forms import SettingsForm
from dashboard.platform.businesses.home import MEMBERS
from dashboard.platform.businesses.permissions import Permission
from dashboard.platform.businesses.services import businesses as services
from dashboard.platform.businesses.views.businesses import undo_request
from dashboard.platform.home.page import load_home
from dashboard.platform.home.registry import HomePlace
from dashboard.web.commands import command_of
from dashboard.web.pages import bind, has_nothing_new, page, see_other, wants_fragment
from dashboard.web.toasts import toast

# The entries of the audit trail that the page shows.
MAX_ENTRIES = 5
ACTIVITY = "activity"


@requires(Permission.BUSINESS)
@require_safe
def overview(request: Request, business: str) -> HttpResponse:
    """What needs this person's attention in the business now; its owners, and for some roles recent activity."""
    may_read_audit = has_permission(request, AuditPermission.BUSINESS_AUDIT)
    more_reads: dict[str, Callable[[], Any]] = {}
    if not wants_fragment(request):
        more_reads[MEMBERS] = partial(queries.members, business)
        if may_read_audit:
            more_reads[ACTIVITY] = partial(latest_of, business, limit=MAX_ENTRIES)
    home = load_home(request, HomePlace.BUSINESS, more_reads)
    if has_nothing_new(request, home.fingerprint):
        return HttpResponse(status=204)
    context = {
        "home": home,
        "shows_calm": True,
        # The home page of a member shows the lines of several businesses.
        "is_brief": request.headers.get("HX-Target", "").startswith("brief-"),
        "owners": [member for member in home.results.get(MEMBERS, []) if member.is_owner],
        "history": history_lines(home.results.get(ACTIVITY, [])) if may_read_audit else None,
    }
    return page(request, "businesses/overview.html", context, partial="lines", quiet=True)


@requires(Permission.BUSINESS_SETTINGS)
@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: Request, business: str) -> HttpResponse:
    """The settings that owners can change."""
    if request.person.office_role == Role.ADMIN:
        # Admins have a page with more fields. Their changes also go to the audit trail of the platform, which cannot be
        # reached from inside a business.
        return see_other(request, reverse("business_manage", args=[business]))
    if request.method != "POST":
        return page(request, "businesses/settings.html", {"form": SettingsForm(item=request.business)})
    form = bind(request, SettingsForm, item=request.business)
    if not form.is_valid():
        return page(request, "businesses/settings.html", {"form": form}, status=422)
    after = services.configure(business, form.values, revision=form.revision, command=command_of(request))
    toast(request, _("Settings saved."), undo=undo_request(after, request.path), of=after)
    return see_other(request, request.path)
