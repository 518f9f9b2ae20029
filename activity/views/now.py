"""The live page. It asks for its numbers every few seconds while somebody looks at it (static/js/activity-now.js)."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from activity.live import Live, load_live
from activity.permissions import Permission
from activity.presenters.links import build_tabs
from activity.presenters.now import fingerprint, present
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.pages import has_nothing_new, page, wants_fragment

TEMPLATE = "activity/now.html"


@requires(Permission.ACTIVITY)
@require_safe
def now(request: Request) -> HttpResponse:
    live = load_live()
    mark = fingerprint(live.counts)
    if has_nothing_new(request, mark):
        return HttpResponse(status=204)
    # In the fragment nothing depends on the reader but the language.
    with timezone.override(live.event.zone):
        html = live.fragment(get_language() or "", lambda: render_to_string(f"{TEMPLATE}#live", _context(live, mark)))
        if not wants_fragment(request):
            return page(request, TEMPLATE, {"live_html": html, "tabs": build_tabs("activity")})
        response = HttpResponse(html)
        patch_vary_headers(response, ["HX-Request"])
        return response


def _context(live: Live, mark: str) -> dict[str, Any]:
    return {"now": present(live.counts, live.event), "event": live.event, "fingerprint": mark}
