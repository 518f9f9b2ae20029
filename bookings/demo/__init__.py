"""Demo data of bookings: the catalogs of two businesses, and bookings around today, and mail about them."""

from __future__ import annotations

from bookings.demo import bookings, catalog, mails


def seed_demo(size: int) -> str:
    """Add what is missing, and return how many items were added."""
    return f"{catalog.seed()} services, staff members and customers, {bookings.seed()} bookings, {mails.seed()} mails"
