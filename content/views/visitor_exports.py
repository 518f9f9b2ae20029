"""Exports of leads and consents as CSV."""

from __future__ import annotations

from collections.abc import Generator

from django.http import HttpResponseBase
from django.views.decorators.http import require_safe

from content import consent_export, lead_export
from content.permissions import Permission
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.security_log.services import record_export
from dashboard.web.capacity import expensive
from dashboard.web.downloads import incomplete_file_line
from dashboard.web.streams import streamed


@requires(Permission.VISITORS)
@require_safe
@expensive()
def leads(request: Request, business: str) -> HttpResponseBase:
    return _export(request, business, "leads", lead_export.lines(business))


@requires(Permission.VISITORS)
@require_safe
@expensive()
def consents(request: Request, business: str) -> HttpResponseBase:
    return _export(request, business, "consents", consent_export.lines(business))


def _export(request: Request, business: str, name: str, lines: Generator[str]) -> HttpResponseBase:
    record_export(request, name, business=business)
    return streamed(
        request,
        lines,
        name=f"{name}-{now():%Y-%m-%d}.csv",
        content_type="text/csv; charset=utf-8",
        broken=incomplete_file_line(),
    )
