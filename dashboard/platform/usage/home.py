"""The limit of the plan on the home page of a business."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.core.clock import now
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.home.registry import HomeLine, HomePlace, HomeSource, Reads, Results, Urgency, register_home
from dashboard.platform.usage import queries
from dashboard.platform.usage.permissions import Permission
from dashboard.platform.usage.presenters import PlanState

MONTH = "usage.month"


def _reads(request: Request) -> Reads:
    return {MONTH: partial(queries.find_month, request.business.id, now().date())}


def _lines(request: Request, results: Results) -> Iterator[HomeLine]:
    state = PlanState.of(results[MONTH], request.business.plan)
    if not (state.is_over or state.is_near):
        return
    text = _("The API requests of this month are over the limit") if state.is_over else _("Most API requests are used")
    url = reverse("business_usage", args=[request.business.id])
    yield HomeLine(Urgency.BROKEN if state.is_over else Urgency.LATER, "gauge", text, url, detail=state.text)


register_home(
    HomePlace.BUSINESS,
    HomeSource(
        name="usage",
        permission=Permission.BUSINESS_USAGE,
        checked=gettext_lazy("the limit of your plan"),
        reads=_reads,
        build_lines=_lines,
    ),
)
