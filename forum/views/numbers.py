"""The numbers a lead asks for."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.lists import tabs
from dashboard.web.pages import page
from forum.numbers import queries
from forum.numbers.presenters import shown
from forum.permissions import Permission

# The first is what a page without a choice shows.
PERIODS = (7, 30, 90)


@requires(Permission.MODERATE)
@require_safe
def numbers(request: Request) -> HttpResponse:
    asked = request.GET.get("days", "")
    count = next((days for days in PERIODS if str(days) == asked), PERIODS[0])
    found = queries.numbers(count)
    # The first stands for whatever is no period, too.
    first = asked if count == PERIODS[0] else ""
    periods = [(first if days == PERIODS[0] else str(days), _label(days)) for days in PERIODS]
    context = {
        "numbers": found,
        "shown": shown(found),
        "count": count,
        "bound": queries.LOOK,
        "tabs": tabs(request, "days", periods),
    }
    return page(request, "forum/numbers.html", context)


def _label(days: int) -> str:
    return _("%(n)s days") % {"n": days}
