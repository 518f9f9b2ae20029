"""What the lists of a site cost: the same with few small pages and with many large ones, and never a body."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.test import Client

from dashboard.table import connection
from tests.content.site import SITE, a_page, page_url, put_cards, save_page
from tests.ui.html import parse
from tests.ui.walk import calls_of

FEW, MANY, BODY = 60, 400, "x" * 50_000


@contextmanager
def fetched_items() -> Iterator[list[dict[str, Any]]]:
    """Every item that the engine returns in the block."""
    found: list[dict[str, Any]] = []

    def keep(parsed: dict[str, Any], **_: object) -> None:
        found.extend(parsed.get("Items", ()))
        for items in (parsed.get("Responses") or {}).values():
            found.extend(items)

    events = connection.client().meta.events
    events.register("after-call.dynamodb.*", keep, unique_id="fetched items of a test")
    try:
        yield found
    finally:
        events.unregister("after-call.dynamodb.*", unique_id="fetched items of a test")


def measure(browser: Client) -> dict[str, tuple[int, int, float, int]]:
    """Calls, round trips, capacity units and rows of each list."""
    costs = {}
    for query in ("", "?status=Draft", "?q=page-7"):
        response = browser.get(f"{SITE}{query}")
        log = calls_of(response)
        rows = [row for row in parse(response).all("tr") if "data-row" in row.attrs]
        costs[query] = (len(log.calls), log.trips, log.units, len(rows))
    return costs


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_the_list_costs_the_same_with_many_large_pages_and_fetches_no_body(table: str, as_owner: Client) -> None:
    put_cards(FEW)
    few = measure(as_owner)
    put_cards(MANY, body=BODY)
    with fetched_items() as found:
        many = measure(as_owner)
    assert {query: many[query][:3] for query in ("", "?status=Draft")} == {
        query: few[query][:3] for query in ("", "?status=Draft")
    }
    assert many[""][1] == many["?status=Draft"][1] == 2
    # A search reads at most 1,000 cards.
    assert many["?q=page-7"][0] <= 5 and many["?q=page-7"][3] > few["?q=page-7"][3]
    cards = [item for item in found if item["SK"]["S"].startswith("CONTENT#")]
    assert len(cards) > 100
    assert not any("blocks" in item or item["SK"]["S"].endswith("#LATEST") for item in cards)


def test_the_list_of_versions_fetches_no_body(table: str, as_owner: Client) -> None:
    page = a_page(blocks=[{"type": "paragraph", "content": [{"type": "text", "text": BODY}]}])
    for number in range(3):
        page = save_page(page, title=f"Title {number}")
    with fetched_items() as found:
        response = as_owner.get(f"{page_url(page)}versions/?below=5")
    items = [item for item in found if item["SK"]["S"].startswith("CONTENT#")]
    assert len(items) == 4 and not any("blocks" in item for item in items)
    assert calls_of(response).trips == 2
