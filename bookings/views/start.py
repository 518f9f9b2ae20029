"""Where a business that is booked begins."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from dashboard.accounts.middleware import Request
from dashboard.accounts.permissions import Permission, requires
from dashboard.ui.pages import page


@requires(Permission.BOOKINGS)
@require_safe
def start(request: Request, business: str) -> HttpResponse:
    return page(request, "bookings/start.html", {"tab": "calendar"})
