"""Files of usage, for billing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from django.http import HttpResponse

from dashboard.platform.businesses.queries import businesses
from dashboard.platform.usage import queries
from dashboard.platform.usage.items import REQUESTS, Counters, MonthlyUsage, Usage
from dashboard.platform.usage.presenters import title_of
from dashboard.platform.usage.prices import limit_of
from dashboard.table.read import gather
from dashboard.web.downloads import csv_file

_COUNTERS = (
    *("calls", "errors", "read_units", "write_units", "milliseconds", "bytes"),
    *("throttled", "foreign_origin", "rejected", "cost_usd"),
)


def business_file(name: str, usages: Iterable[Usage], titles: Mapping[str, str]) -> HttpResponse:
    """A line for each day, key and access pattern. The pattern `requests` is the sum of a day and a key."""
    header = ("day", "key", "key_name", "access_pattern", *_COUNTERS)
    return csv_file(name, header, _lines(usages, titles))


def _lines(usages: Iterable[Usage], titles: Mapping[str, str]) -> Iterator[tuple[Any, ...]]:
    for usage in usages:
        for pattern in sorted(usage.patterns, key=lambda each: (each != REQUESTS, each)):
            title = title_of(usage.api_key, titles)
            yield usage.day, usage.api_key, title, pattern, *_cells(usage.patterns[pattern])


def platform_file(name: str, month: date) -> HttpResponse:
    """A line for each business."""
    header = ("month", "business", "name", "plan", "api_requests", "limit", *_COUNTERS)
    usages, all_businesses = gather(lambda: list(_all_months(month)), lambda: list(_all_businesses()))
    known = {each.id: each for each in all_businesses}
    rows = []
    for usage in usages:
        business = known.get(usage.business)
        plan = business.plan if business else None
        title = business.title if business else ""
        api_requests = round(usage.api_requests.calls)
        cells = _cells(usage.requests)
        rows.append((f"{month:%Y-%m}", usage.business, title, plan, api_requests, limit_of(plan), *cells))
    return csv_file(name, header, rows)


def _all_businesses() -> Iterator[Any]:
    start_key = None
    while True:
        page = businesses(start_key=start_key, limit=1_000)
        yield from page.items
        start_key = page.next_start_key
        if start_key is None:
            return


def _all_months(month: date) -> Iterator[MonthlyUsage]:
    start_key = None
    while True:
        page = queries.months_of_businesses(month, start_key, limit=1_000)
        yield from page.items
        start_key = page.next_start_key
        if start_key is None:
            return


def _cells(counters: Counters) -> tuple[str, ...]:
    numbers = (counters.calls, counters.errors, counters.reads, counters.writes, counters.ms, counters.bytes)
    refused = (counters.throttled, counters.foreign, counters.rejected)
    return (*(f"{each:.10g}" for each in (*numbers, *refused)), f"{counters.cost:.6f}")
