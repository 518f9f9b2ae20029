"""Every room at a glance."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from dashboard.accounts.middleware import Request
from dashboard.accounts.permissions import Permission, requires
from dashboard.ui.pages import page
from rooms.queries import rooms as queries


@requires(Permission.ROOMS)
@require_safe
def rooms(request: Request) -> HttpResponse:
    return page(request, "rooms/rooms.html", {"rooms": queries.all_rooms()})
