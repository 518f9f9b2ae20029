"""The pages of the audit trails of the platform and of a business."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.views.decorators.http import require_safe

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.audit import export, queries
from dashboard.platform.audit.forms import TrailForm
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.permissions import Permission
from dashboard.platform.audit.presenters import SEPARATOR, entry_rows, trail_url
from dashboard.platform.security_log.services import record_export
from dashboard.table.read import FilteredPage, Page
from dashboard.web.capacity import expensive
from dashboard.web.downloads import incomplete_file_line
from dashboard.web.lists import empty_list_page, list_page
from dashboard.web.pages import page, see_other
from dashboard.web.ranges import file_name, with_filters
from dashboard.web.streams import streamed

FILTERS = ("person", "target", "action", "since", "until")


@requires(Permission.AUDIT_READ)
@require_safe
def trail(request: Request) -> HttpResponse:
    return _trail(request, "")


@requires(Permission.BUSINESS_AUDIT)
@require_safe
def business_trail(request: Request, business: str) -> HttpResponse:
    return _trail(request, business)


@requires(Permission.AUDIT_READ)
@require_safe
def entry(request: Request, entry: str) -> HttpResponse:
    return _entry(request, "", entry)


@requires(Permission.BUSINESS_AUDIT)
@require_safe
def business_entry(request: Request, business: str, entry: str) -> HttpResponse:
    return _entry(request, business, entry)


@requires(Permission.AUDIT_READ)
@require_safe
@expensive()
def export_csv(request: Request) -> HttpResponseBase:
    return _export(request, "")


@requires(Permission.BUSINESS_AUDIT)
@require_safe
@expensive()
def business_export_csv(request: Request, business: str) -> HttpResponseBase:
    return _export(request, business)


def _trail(request: Request, business: str) -> HttpResponse:
    form = TrailForm(request.GET, business=business)
    context = {"form": form, "export": with_filters(request, trail_url(business, "audit_export"), FILTERS)}
    if not form.is_valid():
        return empty_list_page(request, "audit/trail.html", context | {"reached": None}, filters=FILTERS)

    def load(start_key: Any) -> tuple[Page[Any], dict[str, Any]]:
        found = queries.trail(business, form.filters, start_key)
        return found.with_rows(entry_rows(request, business, found.items)), context | {"reached": _reached(found)}

    cursor_scope = ("audit", business, *form.filters.cursor_scope)
    return list_page(request, "audit/trail.html", load, cursor_scope=cursor_scope, filters=FILTERS)


def _entry(request: Request, business: str, address: str) -> HttpResponse:
    at, _, id = address.partition(SEPARATOR)
    found = queries.load_entry(business, at, id)
    context = {"entry": entry_rows(request, business, [found])[0], "trail": trail_url(business)}
    return page(request, "audit/entry.html", context)


def _export(request: Request, business: str) -> HttpResponseBase:
    form = TrailForm(request.GET, business=business)
    if not form.is_valid():
        # The page shows the errors at their fields.
        return see_other(request, f"{trail_url(business)}?{request.GET.urlencode()}")
    record_export(request, "audit", business=business)
    return streamed(
        request,
        export.lines(business, form.filters),
        name=file_name(f"audit-{business or 'platform'}", form.cleaned_data),
        content_type="text/csv; charset=utf-8",
        broken=incomplete_file_line(),
    )


def _reached(found: Page[AuditEntry]) -> Any:
    """The time back to which a filter without an index has searched, if it stopped before the end."""
    if not isinstance(found, FilteredPage) or found.last_key_read is None:
        return None
    return AuditEntry.new_at_key(found.last_key_read).moment
