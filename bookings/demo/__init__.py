"""Businesses that are booked, for the demo: what can be booked and when, and a week of who comes."""

from __future__ import annotations

from bookings.demo import bookings, catalog


def seed_demo(size: int) -> str:
    """Add what is missing; says how much."""
    return f"{catalog.seed()} that can be booked or come, {bookings.seed()} bookings"
