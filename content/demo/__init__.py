"""Demo data of sites: the pages of two businesses, in every state, and what visitors leave on the first."""

from __future__ import annotations

from content.demo import site, visitors


def seed_demo(size: int) -> str:
    """Add what is missing, and return how many items were added."""
    pages = site.seed()
    comments, leads, consents = visitors.seed()
    return f"{pages} pages of sites, {comments} comments on them, {leads} leads, {consents} consents"
