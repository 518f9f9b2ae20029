"""Demo data of sites: the pages of two businesses, in every state, with versions and redirects."""

from __future__ import annotations

from content.demo import site


def seed_demo(size: int) -> str:
    """Add what is missing, and return how many items were added."""
    return f"{site.seed()} pages of sites"
