"""Changes to documents: what a change does not concern stays the same, value for value."""

from __future__ import annotations

import copy
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.blocks.edits import (
    BlockChange,
    add_block,
    block_text,
    change_block,
    duplicate_block,
    is_editable,
    move_block,
    new_block,
    remove_block,
    set_block,
)
from content.blocks.fields import BlockFlag, BlockItems
from content.blocks.nodes import HEADING, TEXT_NODES, attrs_of, heading_level, paragraph, type_of
from content.blocks.plugins import PLUGINS
from dashboard.table.attributes import ExactListAttribute
from tests.content.blocks.documents import blocks, documents, exact

Sent = dict[str, list[str]]
SAMPLES = Path(__file__).parent.parent / "outside_pages.jsonl"


def sent_unchanged(node: Any) -> Sent:
    """What a browser sends for a block in which nothing was changed."""
    if not is_editable(node):
        return {}
    if type_of(node) in TEXT_NODES:
        level = {"level": [str(heading_level(node))]} if type_of(node) == HEADING else {}
        return level | {"text": [as_sent(block_text(node) or "")]}
    return fields_unchanged(attrs_of(node), PLUGINS[type_of(node)].fields)


def fields_unchanged(values: dict[str, Any], fields: Any) -> Sent:
    sent: Sent = {}
    for field in fields:
        stored = values.get(field.name)
        text = field.form_text(stored)
        if text is None:
            continue
        if isinstance(field, BlockItems):
            sent[field.name] = [str(index) for index in range(len(stored or []))]
            for index, item in enumerate(stored or []):
                own = fields_unchanged(item, field.fields)
                sent |= {f"{field.name}-{index}-{name}": texts for name, texts in own.items()}
        elif not isinstance(field, BlockFlag) or text:
            sent[field.name] = [as_sent(text)]
    return {name: texts for name, texts in sent.items() if texts}


def as_sent(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n").replace("\0", "\ufffd")


def change_everything(node: Any) -> BlockChange:
    """What becomes of a block if a person changes one of its fields."""
    sent = sent_unchanged(node)
    if "text" in sent and type_of(node) in TEXT_NODES:
        return change_block(node, sent | {"text": [f"{sent['text'][0]} changed"]})
    if "headline" in sent:
        return change_block(node, sent | {"headline": ["Changed headline"]})
    return change_block(node, sent | {"blockWidth": ["wide"]})


@settings(max_examples=2000, deadline=None)
@given(documents(), st.data())
def test_an_edit_of_one_block_leaves_the_others_as_they_were(document: list[Any], data: Any) -> None:
    """Value for value, after a save of every block as a form sends it."""
    before = exact(document)
    index = data.draw(st.integers(0, len(document) - 1))

    saved: list[Any] = []
    for position, node in enumerate(document):
        change = change_everything(node) if position == index else change_block(node, sent_unchanged(node))
        if position != index:
            assert exact(change.nodes) == exact([node])
        saved.append(change.nodes)

    assert exact(document) == before, "the edit changed the document that it was given"
    edited = set_block(document, index, saved[index])
    assert exact(edited[:index]) == exact(document[:index])
    assert exact(edited[len(edited) - len(document) + index + 1 :]) == exact(document[index + 1 :])


@settings(max_examples=500, deadline=None)
@given(blocks())
def test_a_changed_field_is_the_only_difference_of_a_block(node: Any) -> None:
    (changed,) = change_everything(node).nodes if type_of(node) in PLUGINS else [node]

    names = {
        name for name in attrs_of(changed) if exact(attrs_of(changed)[name]) != exact(attrs_of(node).get(name, ...))
    }
    assert names <= {"headline", "blockWidth"}
    assert set(attrs_of(node)) <= set(attrs_of(changed))


def outside_documents() -> list[list[Any]]:
    lines = SAMPLES.read_text().splitlines()
    return [ExactListAttribute().deserialize(json.loads(line)["L"]) for line in lines]


@pytest.mark.parametrize("document", outside_documents())
def test_documents_of_the_service_survive_the_form(document: list[Any]) -> None:
    for index, node in enumerate(document):
        assert exact(change_block(node, sent_unchanged(node)).nodes) == exact([node])
        changed = set_block(document, index, change_everything(node).nodes)
        rest = [each for position, each in enumerate(changed) if position != index]
        assert exact(rest) == exact([each for position, each in enumerate(document) if position != index])
        attribute = ExactListAttribute()
        assert exact(attribute.deserialize(attribute.serialize(changed))) == exact(changed)


def test_every_known_block_of_the_service_is_editable_and_the_unknown_ones_are_locked() -> None:
    nodes = [node for document in outside_documents() for node in document]

    locked = {type_of(node) for node in nodes if not is_editable(node)}
    assert {type_of(node) for node in nodes} >= {"hero", "pricing", "table", "mapEmbed", "bulletList"}
    assert locked == {"mapEmbed", "horizontalRule"}


def test_a_hero_keeps_null_missing_and_unknown_attributes() -> None:
    node = {"type": "hero", "attrs": {"headline": "Old", "effect": None, "overlayOpacity": Decimal("0.50"), "new": [1]}}

    changed = change_block(node, sent_unchanged(node) | {"headline": ["New"]}).nodes

    assert exact(changed) == exact([node | {"attrs": attrs_of(node) | {"headline": "New"}}])


def test_a_changed_subheadline_replaces_its_formatted_form() -> None:
    node = {"type": "hero", "attrs": {"subheadline": "Old", "subheadlineRich": [{"text": "Old", "bold": True}]}}

    changed = change_block(node, {"subheadline": ["New"]}).nodes[0]

    assert changed["attrs"] == {"subheadline": "New", "subheadlineRich": None}


def test_items_are_added_moved_and_removed_with_their_unknown_attributes() -> None:
    items: list[dict[str, Any]] = [{"id": "1", "question": "One", "rank": 5}, {"id": "2", "question": "Two"}]
    node: dict[str, Any] = {"type": "faq", "attrs": {"items": items}}

    sent = {"items": ["1", "0", "new"], "items-0-question": ["Two"], "items-1-question": ["Uno"]}
    sent |= {"items-2-question": ["Three"], "items-2-answer": ["Yes"]}
    changed = change_block(node, sent).nodes[0]["attrs"]["items"]

    assert changed[:2] == [items[1], items[0] | {"question": "Uno"}]
    assert changed[2] == {"id": changed[2]["id"], "question": "Three", "answer": "Yes"}
    assert node["attrs"]["items"] is items


def test_a_changed_cell_keeps_the_ids_of_its_table() -> None:
    rows: list[dict[str, Any]] = [
        {"id": "r1", "cells": [{"id": "c1", "content": "a | b"}, {"id": "c2", "content": "2"}]},
        {"id": "r2", "cells": [{"id": "c3", "content": "x"}], "height": 4},
    ]
    node: dict[str, Any] = {"type": "table", "attrs": {"headers": ["One"], "rows": rows}}
    shown = sent_unchanged(node)
    assert shown["rows"] == ["a \\| b | 2\r\nx"]

    changed = change_block(node, shown | {"rows": ["a \\| b | 3\r\nx\r\nnew"]}).nodes[0]["attrs"]["rows"]

    assert changed[0] == rows[0] | {"cells": [rows[0]["cells"][0], {"id": "c2", "content": "3"}]}
    assert changed[1] == rows[1]
    assert [cell["content"] for cell in changed[2]["cells"]] == ["new"]


@pytest.mark.parametrize(
    ("type_", "sent", "field"),
    [
        ("cta", {"buttonLink": ["javascript:alert(1)"]}, "buttonLink"),
        ("cta", {"buttonLink": ["java\tscript:alert(1)"]}, "buttonLink"),
        ("cta", {"style": ["unheard-of"]}, "style"),
        ("postGrid", {"limit": ["many"]}, "limit"),
        ("postGrid", {"limit": ["-1"]}, "limit"),
        ("postGrid", {"limit": ["nan"]}, "limit"),
        ("hero", {"headline": ["x" * 501]}, "headline"),
        ("heading", {"level": ["9"], "text": [""]}, "level"),
        ("carousel", {"items": ["new"], "items-0-link": ["data:text/html,x"]}, "items-0-link"),
    ],
)
def test_bad_input_is_refused_at_its_field(type_: str, sent: Sent, field: str) -> None:
    assert list(change_block(new_block(type_), sent).errors) == [field]


def test_one_text_field_can_become_several_blocks() -> None:
    node = paragraph("one")

    assert change_block(node, {"text": ["one\r\n\r\ntwo"]}).nodes == [node, paragraph("two")]
    assert change_block(node, {"text": [""]}).nodes == [paragraph()]


def test_blocks_are_added_moved_duplicated_and_removed() -> None:
    document = [paragraph("a"), paragraph("b"), paragraph("c")]
    before = copy.deepcopy(document)

    assert move_block(document, 0, 1) == [document[1], document[0], document[2]]
    assert move_block(document, 2, 9) == document
    assert move_block(document, 0, -1) == document
    assert remove_block(document, 1) == [document[0], document[2]]
    assert add_block(document, 3, paragraph("d"))[3] == paragraph("d")
    copied = duplicate_block(document, 0)
    assert copied == [document[0], document[0], document[1], document[2]]
    assert copied[0] is not copied[1]
    assert document == before


@pytest.mark.parametrize("type_", [*PLUGINS, "paragraph", "heading", "bulletList", "orderedList", "blockquote"])
def test_a_new_block_can_be_edited_at_once(type_: str) -> None:
    node = new_block(type_)

    assert is_editable(node)
    assert change_block(node, sent_unchanged(node)).nodes == [node]


def test_a_type_that_the_website_does_not_know_is_not_added() -> None:
    assert new_block("mapEmbed") is None
