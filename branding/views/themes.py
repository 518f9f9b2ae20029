"""The versions of a business's look."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from branding import queries
from dashboard.accounts.middleware import Request
from dashboard.accounts.permissions import Permission, requires
from dashboard.ui.pages import page


@requires(Permission.BRANDING)
@require_safe
def themes(request: Request, business: str) -> HttpResponse:
    """What is in force, what is to come, and every version."""
    return page(request, "branding/themes.html", {"versions": queries.versions(business).items})
