"""Demo data of bookings: the catalogs of two businesses, bookings around today, conversations, and mail."""

from __future__ import annotations

from bookings.demo import bookings, catalog, conversations, mails


def seed_demo(size: int) -> str:
    """Add what is missing, and return how many items were added."""
    counts = (
        f"{catalog.seed()} services, staff members and customers",
        f"{bookings.seed()} bookings",
        f"{conversations.seed()} conversations",
        f"{mails.seed()} mails",
    )
    return ", ".join(counts)
