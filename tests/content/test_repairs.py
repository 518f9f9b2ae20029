"""The card of a page that the website service writes."""

from __future__ import annotations

from typing import Any

from content.queries.pages import load_page_and_card
from dashboard.platform.stream.batches import repair
from dashboard.platform.stream.changes import Change
from dashboard.platform.stream.records import ItemChange
from dashboard.table import keys, write
from dashboard.table.items import Raw
from tests.adoption.outside import follow, put_raw
from tests.conftest import every_engine
from tests.stream.helpers import wrong_keys

NODE = "0d6a2c1e-8b1f-4f5b-9a67-1f0f3f5f7a01"
PARTS = {"tenant": "fern-and-loom", "node": NODE}
CREATED = {"createdAt": "2026-02-03T08:11:42.905Z", "Type": "Page", "nodeId": NODE}


def put_page(**attributes: Any) -> Raw:
    return put_raw(keys.CONTENT.key(**PARTS), **CREATED, **attributes)


@every_engine
def test_a_page_gets_a_card_that_follows_later_writes_and_disappears_with_it(table: str) -> None:
    first = put_page(slug="/", title="Home", status="Published", version=1)
    follow(first)
    _page, card = load_page_and_card(**_names())
    assert card is not None and (card.title, card.slug, card.status, card.version) == ("Home", "/", "Published", 1)
    assert card.updated_at == card.created_at and not wrong_keys(dict(card.raw))
    second = put_page(slug="/start", title="Start", status="Draft", version=2, updatedAt="2026-02-04T08:00:00.000Z")
    follow(second, first)
    # A repair of the older image is made later: the card keeps the newer values.
    follow(first)
    _page, card = load_page_and_card(**_names())
    assert card is not None and (card.title, card.slug, card.status, card.version) == ("Start", "/start", "Draft", 2)
    assert not wrong_keys(dict(card.raw))
    write.remove(keys.CONTENT.key(**PARTS))
    repair(ItemChange.of(Change(second, None)))
    assert load_page_and_card(**_names()) == (None, None)


def _names() -> dict[str, str]:
    return {"business": PARTS["tenant"], "node": NODE}
