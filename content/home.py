"""Sites on the home page of a business: comments that wait, and next steps of leads that are due."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy, ngettext

from content.permissions import Permission
from content.queries import comments, leads
from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.home.registry import (
    HomeLine,
    HomePlace,
    HomeSource,
    Reads,
    Results,
    Urgency,
    register_home,
)
from dashboard.table.read import COUNT_LIMIT
from dashboard.web.locale import zone

PENDING, STEPS = "site.comments", "site.steps"


def visitor_reads(request: Request) -> Reads:
    business = request.business
    today = timezone.localdate(now(), zone(business.timezone))
    return {
        PENDING: partial(comments.count_pending, business.id),
        STEPS: partial(leads.count_due_steps, business.id, today),
    }


def visitor_lines(request: Request, results: Results) -> Iterator[HomeLine]:
    business = request.business.id
    if steps := results[STEPS]:
        text = ngettext("%(count)s next step of a lead is due", "%(count)s next steps of leads are due", steps)
        url = f"{reverse('leads', args=[business])}?show=steps"
        yield HomeLine(Urgency.TODAY, "calendar-check", text % {"count": _count(steps)}, url)
    if pending := results[PENDING]:
        text = ngettext("%(count)s comment waits for approval", "%(count)s comments wait for approval", pending)
        url = reverse("comments", args=[business])
        yield HomeLine(Urgency.TODAY, "messages-square", text % {"count": _count(pending)}, url)


def _count(number: int) -> str:
    return f"{COUNT_LIMIT}+" if number >= COUNT_LIMIT else str(number)


register_home(
    HomePlace.BUSINESS,
    HomeSource(
        name="visitors",
        permission=Permission.VISITORS,
        checked=gettext_lazy("comments and leads"),
        reads=visitor_reads,
        build_lines=visitor_lines,
    ),
)
