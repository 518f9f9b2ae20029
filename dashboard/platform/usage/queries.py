"""Queries for usage."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from dashboard.platform.usage.items import MonthlyUsage, Usage, month_key
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern

PAGE = 100
# The items of one part of a month: a key on a day is one.
MAX_ITEMS = 1_000


def days_of(month: date) -> list[date]:
    """All days of the month that begins on this day."""
    days = [month + timedelta(days=number) for number in range(31)]
    return [each for each in days if each.month == month.month]


def usage_of(business: str, month: date) -> list[Usage]:
    """The usage of a business in a month, or without one of the platform. Its four parts are read at once."""
    days = days_of(month)
    parts = [(days[start], days[min(start + 7, len(days) - 1)]) for start in range(0, len(days), 8)]
    pages = read.gather_all([lambda part=part: usage_between(business, *part) for part in parts])  # type: ignore[misc]
    return [item for page in pages for item in page]


@access_pattern("What was used on these days, by key?", keys.USAGE, keys.SYSTEM_USAGE, partition=True)
def usage_between(business: str, since: date, until: date) -> list[Usage]:
    pattern, parts = (keys.USAGE, {"tenant": business}) if business else (keys.SYSTEM_USAGE, {})
    collection = pattern.collection(**parts)
    return read.page(collection, Usage, since=since.isoformat(), until=until.isoformat(), limit=MAX_ITEMS).items


@access_pattern("What did this business use in this month?", keys.MONTHLY_USAGE)
def find_month(business: str, month: date) -> MonthlyUsage | None:
    return read.get(MonthlyUsage, month_key(business, month))


@access_pattern("What did each business use in this month?", keys.MONTHLY_USAGE, partition=True)
def months_of_businesses(month: date, start_key: Any = None, limit: int = PAGE) -> read.Page[MonthlyUsage]:
    collection = keys.MONTHLY_USAGE.collection(month=f"{month:%Y-%m}")
    return read.page(collection, MonthlyUsage, start_key=start_key, limit=limit)
