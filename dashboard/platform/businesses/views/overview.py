"""Pages inside a business: overview and settings."""

from __future__ import annotations

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
from dashboard.platform.businesses.permissions import Permission
from dashboard.platform.businesses.services import businesses as services
from dashboard.platform.businesses.views.businesses import undo_request
from dashboard.table.read import gather
from dashboard.web.commands import command_of
from dashboard.web.pages import bind, page, see_other
from dashboard.web.toasts import toast


@requires(Permission.BUSINESS)
@require_safe
def overview(request: Request, business: str) -> HttpResponse:
    """The state of the business and its owners, and recent activity for those who may read the audit trail."""
    context: dict[str, Any] = {}
    if has_permission(request, AuditPermission.BUSINESS_AUDIT):
        members, entries = gather(lambda: queries.members(business), lambda: latest_of(business))
        context["history"] = history_lines(entries)
    else:
        members = queries.members(business)
    context["owners"] = [member for member in members if member.is_owner]
    return page(request, "businesses/overview.html", context)


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
