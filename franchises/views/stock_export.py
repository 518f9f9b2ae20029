"""Export of the stock as CSV."""

from __future__ import annotations

from django.http import HttpResponseBase
from django.views.decorators.http import require_safe

from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.security_log.services import record_export
from dashboard.web.capacity import expensive
from dashboard.web.downloads import incomplete_file_line
from dashboard.web.streams import streamed
from franchises import stock_export
from franchises.permissions import Permission


@requires(Permission.STOCK)
@require_safe
@expensive()
def export(request: Request, business: str) -> HttpResponseBase:
    record_export(request, "stock", business=business)
    return streamed(
        request,
        stock_export.lines(business),
        name=f"stock-{now():%Y-%m-%d}.csv",
        content_type="text/csv; charset=utf-8",
        broken=incomplete_file_line(),
    )
