"""Queries for scheduled pages."""

from __future__ import annotations

from content.items import PageSchedule
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern


@access_pattern("When is this page published by itself?", keys.PAGE_SCHEDULE)
def find_schedule(business: str, node: str) -> PageSchedule | None:
    try:
        return read.get(PageSchedule, keys.PAGE_SCHEDULE.key(tenant=business, node=node))
    except BadKey:
        return None
