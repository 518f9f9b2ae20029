"""Statistics of moderation."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.capacity import expensive
from dashboard.web.lists import build_tabs
from dashboard.web.pages import page
from forum.permissions import Permission
from forum.statistics import queries
from forum.statistics.presenters import present

# The first is the default.
PERIODS = (7, 30, 90)


@requires(Permission.MODERATE)
@require_safe
@expensive()
def statistics(request: Request) -> HttpResponse:
    given = request.GET.get("days", "")
    count = next((days for days in PERIODS if str(days) == given), PERIODS[0])
    found = queries.load_statistics(count)
    # An invalid value shows the first period: its tab is the current one.
    first = given if count == PERIODS[0] else ""
    periods = [(first if days == PERIODS[0] else str(days), _label(days)) for days in PERIODS]
    context = {
        "statistics": found,
        "figures": present(found),
        "count": count,
        "bound": queries.MAX_ENTRIES,
        "tabs": build_tabs(request, "days", periods),
    }
    return page(request, "forum/statistics.html", context)


def _label(days: int) -> str:
    return _("%(n)s days") % {"n": days}
