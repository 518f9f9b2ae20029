"""The demo has items of every kind, in every state of a signal, and adds nothing when it runs again."""

from __future__ import annotations

from content.demo import library
from content.library.kinds import LIBRARY, RESOURCES, SIGNALS
from content.queries.library import items_of
from tests.conftest import add_business
from tests.content.site import BUSINESS


def test_the_demo_fills_every_list_once(table: str) -> None:
    assert library.seed() == 0, "without the business"
    add_business(BUSINESS, "Coca-Cola Andina")
    added = library.seed()
    found = {key: items_of(kind, BUSINESS).items for key, kind in LIBRARY.items()}
    assert added == sum(map(len, found.values()))
    assert all(len(items) >= 2 for items in found.values())
    statuses = {item.status for item in items_of(SIGNALS, BUSINESS).items}  # type: ignore[union-attr]
    assert statuses == {"New", "Drafted", "Replied", "Dismissed"}
    assert [RESOURCES.title_of(each) for each in found["resources"]] == ["guia-de-preparacion.txt", "catalogo-2026.txt"]
    assert library.seed() == 0
