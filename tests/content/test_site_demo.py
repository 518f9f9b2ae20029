"""The demo's sites: added once, with pages in every state, versions and redirects."""

from __future__ import annotations

from content.demo import site as demo
from content.queries.pages import pages
from content.queries.routes import REDIRECTS, find_destination, routes
from content.queries.schedules import find_schedule
from tests.conftest import add_business


def test_the_demo_has_pages_in_every_state_and_is_added_once(table: str) -> None:
    assert demo.seed() == 0, "there is no business yet"
    add_business("andina", "Coca-Cola Andina")
    assert demo.seed() == 8
    cards = pages("andina").items
    assert len(cards) == 8
    assert {card.status for card in cards} == {"Draft", "Published", "Archived"}
    assert max(card.version or 0 for card in cards) == 4
    assert [bool(find_schedule("andina", card.node)) for card in cards].count(True) == 1
    redirects = [route.slug for route in routes("andina", show=REDIRECTS).items]
    assert redirects == ["/cafe", "/nosotros"]
    assert all(find_destination("andina", slug).card for slug in redirects)
    assert demo.seed() == 0
