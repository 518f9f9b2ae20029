"""The files of a business's look: uploaded, looked at, replaced and deleted."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from branding import queries
from dashboard.accounts.middleware import Request
from dashboard.accounts.permissions import Permission, requires
from dashboard.ui.pages import page


@requires(Permission.BRANDING)
@require_safe
def assets(request: Request, business: str) -> HttpResponse:
    """Every file of the business."""
    return page(request, "branding/assets.html", {"files": queries.files(business).items})
