"""A version of the look, changed while watching it."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from branding import queries
from dashboard.accounts.middleware import Request
from dashboard.accounts.permissions import Permission, requires
from dashboard.ui.pages import page


@requires(Permission.BRANDING)
@require_safe
def theme(request: Request, business: str, version: int) -> HttpResponse:
    """One version."""
    return page(request, "branding/theme.html", {"theme": queries.theme(business, version)})
