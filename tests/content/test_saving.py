"""Saving a page: snapshot, version, card and audit entry together; nothing of an outside writer is lost."""

from __future__ import annotations

from typing import Any

import pytest

from content.items import Content
from content.queries.history import history_of
from content.queries.pages import load_page, load_page_and_card
from content.services import audit, pages
from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.table import keys
from dashboard.table.attributes import from_attribute
from dashboard.table.commands import new_command
from tests.adoption.outside import follow, put_raw
from tests.conftest import ACTOR, every_engine
from tests.content.site import BUSINESS, a_page, put_outside_page, raw_page, raw_version, save_page

# Numbers, nulls and nested lists as a document can have them.
BLOCKS: list[Any] = [
    {"type": "hero", "attrs": {"overlayOpacity": 0.35, "headlineColorToken": None, "rich": [[{"br": True}], []]}},
    {"type": "mapEmbed", "attrs": {"zoom": 12, "at": [{"lat": -33.4489, "digits": 123456789012345678}]}},
]
# What only the other service knows.
OWN: dict[str, Any] = {
    "themeOverride": {"colors": {"a": "#fff"}},
    "wordpressId": 77,
    "legacy": {"x": [1, None]},
    "seoTitle": None,
}


def put_page(**values: Any) -> Content:
    put_outside_page("node-1", blocks=BLOCKS, slug="/about", title="About", **OWN, **values)
    return load_page(BUSINESS, "node-1")


@every_engine
def test_a_save_is_the_next_version_and_keeps_everything_else(table: str) -> None:
    page = put_page()
    before = raw_page("node-1")
    saved = save_page(page, title="About us", tags=["a", "b"])
    assert (saved.number, saved.revision, saved.title) == (2, 2, "About us")
    after = raw_page("node-1")
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    assert changed == {
        *("title", "tags", "version", "revision", "updatedAt", "updatedBy", "updatedByName", "versionAction"),
    }
    snapshot = raw_version("node-1", 1)
    assert snapshot is not None
    at = snapshot.pop("snapshotCreatedAt")
    assert at["S"].endswith("Z")
    assert {**snapshot, "SK": before["SK"]} == before
    _page, card = load_page_and_card(BUSINESS, "node-1")
    assert card is not None
    assert (card.title, card.version, card.tags, card.search_text) == ("About us", 2, ["a", "b"], "about us /about")
    (entry,) = history_of(BUSINESS, "node-1")
    assert (entry.action, entry.before or {}, (entry.after or {})["title"]) == (
        "page.edit",
        {"title": "About", "slug": "/about"},
        "About us",
    )


@every_engine
def test_changed_blocks_keep_every_digit_and_every_null(table: str) -> None:
    page = put_page()
    stored = raw_page("node-1")["blocks"]["L"]
    blocks = list(page.blocks or [])
    saved = save_page(page, [*blocks, {"type": "paragraph"}])
    found = raw_page("node-1")["blocks"]["L"]
    assert found[:2] == stored and from_attribute(found[2]) == {"type": "paragraph"}
    # Blocks that are equal make no version.
    again = save_page(saved, list(load_page(BUSINESS, "node-1").blocks or []))
    assert again.outcome.is_no_change and again.number == 2


def test_an_outside_save_is_a_conflict_although_it_counts_no_revision(table: str) -> None:
    page = save_page(put_page(), title="Ours")
    outside = raw_page("node-1") | {"version": {"N": "3"}, "title": {"S": "Theirs"}}
    put_raw(keys.CONTENT.key(tenant=BUSINESS, node="node-1"), **{n: from_attribute(v) for n, v in outside.items()})
    with pytest.raises(Conflict) as caught:
        save_page(page, title="Ours again")
    assert caught.value.item.title == "Theirs"
    assert save_page(load_page(BUSINESS, "node-1"), title="Both").number == 4


def test_an_outside_save_between_our_read_and_our_write_is_a_conflict(
    table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = put_page()
    check, calls = audit.audit_values, list[Any]()

    def write_meanwhile(current: Content) -> dict[str, Any]:
        if not calls:
            calls.append(put_outside_page("node-1", title="Meanwhile", version=2, is_followed=False))
        return check(current)

    monkeypatch.setattr(pages, "audit_values", write_meanwhile)
    with pytest.raises(Conflict):
        save_page(page, title="Ours")
    assert raw_page("node-1")["title"] == {"S": "Meanwhile"}
    assert raw_version("node-1", 1) is None


def test_two_people_cannot_save_over_each_other(table: str) -> None:
    page = a_page()
    save_page(page, title="First")
    with pytest.raises(Conflict):
        save_page(page, title="Second")
    assert load_page(BUSINESS, page.node).title == "First"


def test_the_same_command_saves_once(table: str) -> None:
    page, command = a_page(), new_command(ACTOR)
    for _ in range(2):
        saved = pages.save(BUSINESS, page.node, {"title": "Once"}, revision=1, command=command)
        assert (saved.title, saved.number) == ("Once", 2)


def test_a_number_that_another_service_has_used_before_is_not_overwritten(table: str) -> None:
    """An import writes the page again as version 1, and version 1 exists already."""
    page = save_page(save_page(put_page(), title="Two"), title="Three")
    first = raw_version("node-1", 1)
    put_outside_page("node-1", title="Imported again", version=1)
    saved = save_page(load_page(BUSINESS, "node-1"), title="Edited")
    assert raw_version("node-1", 1) == first
    kept = raw_version("node-1", 3)
    assert kept is not None and kept["title"] == {"S": "Imported again"}
    assert saved.number == 4 and page.number == 3


def test_a_page_without_a_version_number_is_saved_as_the_second_version(table: str) -> None:
    put_raw(keys.CONTENT.key(tenant=BUSINESS, node="bare"), title="Bare")
    assert save_page(load_page(BUSINESS, "bare"), title="Edited").number == 2
    assert raw_version("bare", 1) is not None


def test_the_card_of_an_older_change_does_not_replace_that_of_our_save(table: str) -> None:
    older = put_outside_page("node-1")
    save_page(load_page(BUSINESS, "node-1"), title="Ours")
    follow(older)
    _page, card = load_page_and_card(BUSINESS, "node-1")
    assert card is not None and card.title == "Ours"


def test_a_copy_has_the_blocks_and_the_unknown_attributes_but_its_own_identity(table: str) -> None:
    page = put_page(status="Published")
    values = {"title": "Copy", "slug": "/copy"}
    copy = pages.create(BUSINESS, values, source=page.node, command=new_command(ACTOR))
    raw, source = raw_page(copy.node), raw_page("node-1")
    assert {name: raw[name] for name in ("blocks", "legacy", "wordpressId", "themeOverride")} == {
        name: source[name] for name in ("blocks", "legacy", "wordpressId", "themeOverride")
    }
    assert (raw["status"], raw["slug"], raw["version"]) == ({"S": "Draft"}, {"S": "/copy"}, {"N": "1"})
    assert raw["nodeId"] == {"S": copy.node} != source["nodeId"]
    with pytest.raises(NotFound):
        pages.create(BUSINESS, {"title": "x", "slug": "/x"}, source="nobody", command=new_command(ACTOR))


def test_another_business_has_no_such_page(table: str) -> None:
    page = a_page()
    with pytest.raises(NotFound):
        pages.save("harbour", page.node, {"title": "x"}, revision=1, command=new_command(ACTOR))
    with pytest.raises(Refused):
        a_page("Same address", slug="/about-us")


def test_a_value_that_only_changes_its_type_is_a_change(table: str) -> None:
    """In Python, True == 1."""
    page = a_page(blocks=[{"type": "mapEmbed", "attrs": {"zoom": True}}])
    saved = save_page(page, [{"type": "mapEmbed", "attrs": {"zoom": 1}}])
    assert saved.number == 2
    assert load_page(BUSINESS, page.node).blocks[0]["attrs"]["zoom"] is not True
    assert save_page(saved, [{"type": "mapEmbed", "attrs": {"zoom": 1.0}}]).number == 2
