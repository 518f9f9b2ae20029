"""The timeline of publications."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from branding import queries
from branding.items import Publication
from branding.permissions import Permission
from branding.presenters import publish_query, to_live_theme, to_timeline_rows
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import Page, gather
from dashboard.web.lists import list_page


@requires(Permission.BRANDING)
@require_safe
def timeline(request: Request, business: str) -> HttpResponse:
    """Every publication, newest first; each row can make its version live again."""

    def load(start_key: Any) -> tuple[Page[Publication], dict[str, Any]]:
        marker, publications = gather(
            partial(queries.find_marker, business), partial(queries.publications, business, start_key)
        )
        live = to_live_theme(marker, {})
        live_version = live.number if live else None
        rows = to_timeline_rows(publications.items, live_version, is_first_page=not start_key)
        last_published = rows[0].number if rows and not rows[0].was_withdrawn else None
        # An outside writer has changed the marker, which adds no row.
        changed_outside = not start_key and live_version != last_published
        return publications.with_rows(rows), {
            "live": live,
            "against": publish_query(live),
            "changed_outside": changed_outside,
        }

    return list_page(request, "branding/timeline.html", load, cursor_scope=("timeline", business))
