"""The files themselves, for everyone who shows a brand."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from dashboard.accounts.permissions import public
from dashboard.errors import NotFound


@public
@require_safe
def brand_file(request: HttpRequest, asset: str) -> HttpResponse:
    """One file, as it was uploaded and re-encoded; it never changes."""
    raise NotFound
