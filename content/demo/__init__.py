"""Demo data of sites: the pages of two businesses, in every state, with versions and redirects, and their library."""

from __future__ import annotations

from content.demo import library, site


def seed_demo(size: int) -> str:
    """Add what is missing, and return how many items were added."""
    return f"{site.seed()} pages of sites, {library.seed()} products, resources, contexts, signals and media"
