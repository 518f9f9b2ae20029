"""Starts the calculation of numbers that are not stored yet."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from activity.permissions import Permission
from activity.warehouse import calculation
from activity.warehouse.answers import unsign
from dashboard.core.errors import Refused
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.web.commands import command_of
from dashboard.web.pages import see_other

# The questions of one page: a day, and the day that it is compared with.
MAX_QUESTIONS = 4


@requires(Permission.ACTIVITY)
@require_POST
def calculate(request: Request) -> HttpResponse:
    """Start the job that answers the questions of a page."""
    reports = [unsign(text) for text in request.POST.getlist("question")[:MAX_QUESTIONS]]
    if not reports:
        raise Refused(_("Nothing is to be calculated."))
    here = request.POST.get("page", "")
    is_ours = here.startswith(reverse("activity")) and url_has_allowed_host_and_scheme(here, allowed_hosts=None)
    days = reports[0].days
    first, last = days.first.isoformat(), days.last.isoformat()
    title = _("Activity from %(first)s to %(last)s") % {"first": first, "last": last}
    url = here if is_ours else reverse("activity")
    return see_other(request, calculation.start(reports, title, url=url, command=command_of(request)).url())
