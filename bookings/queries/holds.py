"""Queries for bookings that visitors still have to confirm."""

from __future__ import annotations

from bookings.items import VisitorHold
from bookings.items.holds import visitor_of
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern


@access_pattern("Which booking does this visitor still have to confirm?", keys.VISITOR_HOLD)
def find_hold(business: str, email: str) -> VisitorHold | None:
    return read.get(VisitorHold, keys.VISITOR_HOLD.key(tenant=business, visitor=visitor_of(email)))
