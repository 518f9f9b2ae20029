"""Consents: the list with its totals, and the consents of a visitor."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from content.consent_rows import CHOICE_LABELS, ConsentRow, totals_of
from content.permissions import Permission
from content.queries import consents as queries
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.table.read import Page
from dashboard.web.lists import build_tabs, list_page
from dashboard.web.pages import page

TAB = "consents"
TABS = (("", gettext_lazy("All choices")), *CHOICE_LABELS.items())
DAYS, USUAL_DAYS = (7, 30, 90, 365), 30
MAX_QUERY = 100


@requires(Permission.VISITORS)
@require_safe
def consents(request: Request, business: str) -> HttpResponse:
    show, q = request.GET.get("show", ""), request.GET.get("q", "").strip()[:MAX_QUERY]
    if show not in dict(TABS):
        raise NotFound

    def load(start_key: Any) -> tuple[Page[ConsentRow], dict[str, Any]]:
        if q:
            found = queries.consents_by_visitor_id(business, q, start_key)
        elif show:
            found = queries.consents_by_choice(business, show, start_key)
        else:
            found = queries.consents(business, start_key)
        context = {"show": show, "q": q, "tabs": build_tabs(request, "show", TABS), "tab": TAB}
        return found.with_rows([ConsentRow(business, each) for each in found.items]), context

    return list_page(request, "content/consents.html", load, cursor_scope=(TAB, business, show, q), filters=("q",))


@requires(Permission.VISITORS)
@require_safe
def consents_of(request: Request, business: str, visitor: str) -> HttpResponse:
    """What one visitor chose, with the proof of each choice."""

    def load(start_key: Any) -> tuple[Page[ConsentRow], dict[str, Any]]:
        found = queries.consents_of(business, visitor, start_key)
        if not found.items and start_key is None:
            raise NotFound
        rows = [ConsentRow(business, each) for each in found.items]
        return found.with_rows(rows), {"visitor": visitor, "tab": TAB}

    scope = ("consents of", business, visitor)
    return list_page(request, "content/consents_of.html", load, cursor_scope=scope, partial=None)


@requires(Permission.VISITORS)
@require_safe
def totals(request: Request, business: str) -> HttpResponse:
    """How many visitors made each choice on each day, from the counters of the days."""
    sent = request.GET.get("days", "")
    days = int(sent) if sent.isdecimal() and len(sent) < 4 and int(sent) in DAYS else USUAL_DAYS
    until = now().date()
    rows, total = totals_of(queries.consent_days(business, until - timedelta(days=days - 1), until))
    context = {
        "rows": rows,
        "total": total,
        "days": days,
        "day_choices": DAYS,
        "labels": list(CHOICE_LABELS.values()),
        "tab": TAB,
    }
    return page(request, "content/consent_totals.html", context, partial="list")
