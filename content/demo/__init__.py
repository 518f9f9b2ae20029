"""Demo data of sites: the pages of two businesses, in every state, their library and shop, and what visitors leave."""

from __future__ import annotations

from content.demo import editors, library, shop, site, visitors


def seed_demo(size: int) -> str:
    """Add what is missing, and return how many items were added."""
    pages, items = site.seed(), library.seed() + shop.seed()
    comments, leads, consents = visitors.seed()
    open_editors = editors.seed()
    return (
        f"{pages} pages of sites, {items} products, resources, contexts, signals and media, "
        f"{comments} comments on pages, {leads} leads, {consents} consents, {open_editors} open editors"
    )
