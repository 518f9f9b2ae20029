"""Demo data of bookings: the catalogs of two businesses, bookings around today, conversations."""

from __future__ import annotations

from bookings.demo import bookings, catalog, conversations


def seed_demo(size: int) -> str:
    """Add what is missing, and return how many items were added."""
    counts = (
        f"{catalog.seed()} services, staff members and customers",
        f"{bookings.seed()} bookings",
        f"{conversations.seed()} conversations",
    )
    return ", ".join(counts)
