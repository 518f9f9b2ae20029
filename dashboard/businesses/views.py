"""A business from inside."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from dashboard.accounts.middleware import Request
from dashboard.accounts.permissions import Permission, requires
from dashboard.audit.queries import latest_of
from dashboard.audit.words import told
from dashboard.ui.pages import page


@requires(Permission.BUSINESS)
@require_safe
def overview(request: Request, business: str) -> HttpResponse:
    """How the business stands, and what happened in it lately."""
    return page(request, "businesses/overview.html", {"history": told(latest_of(business))})
