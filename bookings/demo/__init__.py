"""Businesses that are booked, for the demo: what can be booked and when, and a week of who comes."""

from __future__ import annotations

from bookings.demo import bookings, catalog
from dashboard.platform.demos.registry import demo


@demo
def seed(size: int = 1) -> str:
    """Add what is missing; says how much."""
    return f"{catalog.seed()} that can be booked or come, {bookings.seed()} bookings"
