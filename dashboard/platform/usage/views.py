"""Pages of usage: of a business, and of all businesses."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.views.decorators.http import require_safe

from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.accounts.middleware import Request
from dashboard.platform.accounts.permissions import requires
from dashboard.platform.apikeys.queries import keys_of
from dashboard.platform.businesses.paths import business_url
from dashboard.platform.businesses.queries import businesses
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import record_event
from dashboard.platform.usage import presenters, queries
from dashboard.platform.usage.exports import business_file, platform_file
from dashboard.platform.usage.items import ALL, UNKNOWN_KEY
from dashboard.platform.usage.permissions import Permission
from dashboard.platform.usage.presenters import AbuseRow, PlanState, UsageRow
from dashboard.table.read import Page, gather
from dashboard.web.capacity import expensive
from dashboard.web.lists import Tab, list_page
from dashboard.web.pages import page

_MONTH = re.compile(r"(20[0-9]{2})-(0[1-9]|1[0-2])")
# Months that pages offer.
MONTHS = 6
# The businesses whose names a page knows.
MAX_NAMES = 1_000


@requires(Permission.BUSINESS_USAGE)
@require_safe
def business_usage(request: Request, business: str) -> HttpResponse:
    month = _month(request)
    usages, total, keys = gather(
        lambda: queries.usage_of(business, month),
        lambda: queries.find_month(business, month),
        lambda: keys_of(business).items,
    )
    titles = {key.id: key.title for key in keys}
    rows = presenters.rows_by_day(usages, month, now().date())
    by_pattern = presenters.rows_by_pattern(usages)
    context = {
        "plan": PlanState.of(total, request.business.plan),
        "plan_label": request.business.plan_label,
        "total": UsageRow("", presenters.total_of(usages)),
        "chart": presenters.day_chart(rows),
        "days": rows,
        "keys": presenters.rows_by_key(usages, titles),
        "patterns": by_pattern[: presenters.MAX_LISTED],
        "more_patterns": max(0, len(by_pattern) - presenters.MAX_LISTED),
        "abuse": _abuse_rows(business, usages, keys),
        "without_bytes": False,
        "tabs": _month_tabs(request, month),
        "file_url": f"{reverse('business_usage_file', args=[business])}?month={month:%Y-%m}",
    }
    return page(request, "usage/business.html", context)


def _abuse_rows(business: str, usages: Any, keys: Any) -> list[AbuseRow]:
    known = {key.id: key for key in keys}
    rows = []
    for row_key in dict.fromkeys(each.api_key for each in usages):
        counters = presenters.total_of(each for each in usages if each.api_key == row_key)
        if not counters.abuse:
            continue
        key = known.get(row_key)
        url = reverse("api_key_revoke", args=[business, key.id]) if key is not None and key.is_active else ""
        rows.append(AbuseRow(presenters.title_of(row_key, {k: v.title for k, v in known.items()}), counters, key, url))
    return sorted(rows, key=lambda row: -row.counters.abuse)


@requires(Permission.BUSINESS_USAGE)
@require_safe
@expensive()
def business_usage_file(request: Request, business: str) -> HttpResponse:
    month = _month(request)
    name = f"usage-{business}-{month:%Y-%m}"
    record_event(request, EventKind.EXPORTED, business=business, file=name)
    usages, keys = gather(lambda: queries.usage_of(business, month), lambda: keys_of(business).items)
    return business_file(name, usages, {key.id: key.title for key in keys})


@requires(Permission.SYSTEM_USAGE)
@require_safe
def usage(request: Request) -> HttpResponse:
    month = _month(request)

    def load(start_key: Any) -> tuple[Page[Any], dict[str, Any]]:
        found, own, names = gather(
            lambda: queries.months_of_businesses(month, start_key),
            lambda: queries.usage_of("", month),
            lambda: businesses(limit=MAX_NAMES).items,
        )
        known = {each.id: each for each in names}
        rows = [
            {
                "row": UsageRow(
                    known[each.business].title if each.business in known else each.business,
                    each.requests,
                    url=_usage_url(each.business, month),
                ),
                "plan": PlanState.of(each, known[each.business].plan if each.business in known else None),
            }
            for each in found.items
        ]
        everything = [each for each in own if each.api_key == ALL]
        days = presenters.rows_by_day(everything, month, now().date())
        context = {
            "total": UsageRow("", presenters.total_of(everything)),
            "chart": presenters.day_chart(days),
            "days": days,
            "patterns": presenters.rows_by_pattern(everything)[: presenters.MAX_LISTED],
            "unknown": AbuseRow("", presenters.total_of(each for each in own if each.api_key == UNKNOWN_KEY)),
            "without_bytes": False,
            "more_patterns": 0,
            "tabs": _month_tabs(request, month),
            "file_url": f"{reverse('usage_file')}?month={month:%Y-%m}",
        }
        return found.with_rows(rows), context

    return list_page(request, "usage/platform.html", load, cursor_scope=("usage", f"{month:%Y-%m}"))


@requires(Permission.SYSTEM_USAGE)
@require_safe
@expensive()
def usage_file(request: Request) -> HttpResponse:
    """For billing: a line for each business of the month."""
    month = _month(request)
    record_event(request, EventKind.EXPORTED, file=f"usage-{month:%Y-%m}")
    return platform_file(f"usage-{month:%Y-%m}", month)


def _usage_url(business: str, month: date) -> str:
    """Empty for an id that no URL can contain."""
    if not business_url(business):
        return ""
    return f"{reverse('business_usage', args=[business])}?month={month:%Y-%m}"


def _month(request: Request) -> date:
    """The first day of the month of the page."""
    text = request.GET.get("month", "")
    if not text:
        return now().date().replace(day=1)
    match = _MONTH.fullmatch(text)
    if match is None:
        raise NotFound
    return date(int(match[1]), int(match[2]), 1)


def _month_tabs(request: Request, current: date) -> list[Tab]:
    this = now().date().replace(day=1)
    months, month = [], this
    for _number in range(MONTHS):
        months.append(month)
        month = (month - timedelta(days=1)).replace(day=1)
    if current not in months:
        months.append(current)
    return [
        Tab(
            date_format(each, "F Y"),
            f"{request.path}?month={each:%Y-%m}" if each != this else request.path,
            each == current,
        )
        for each in months
    ]
