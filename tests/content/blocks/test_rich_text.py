"""Text blocks in the rich text editor: what it shows, and what becomes of what it sends."""

from __future__ import annotations

import copy
import json
from itertools import dropwhile
from typing import Any

import pytest
from hypothesis import given, settings

from content.blocks.edits import change_block
from content.blocks.inline_markup import Originals
from content.blocks.nodes import PARAGRAPH, bullets, heading, paragraph, quote, text_node, type_of
from content.blocks.rich_text import KEPT_BLOCK, KEPT_MARK, KEPT_TEXT, from_rich, to_rich
from tests.content.blocks.documents import documents, exact, text_blocks

LINK = {"type": "link", "attrs": {"href": "/contact", "target": None, "class": "x"}}
GLOW = {"type": "glowing", "attrs": {"by": 3}}
MENTION = {"type": "mention", "attrs": {"id": "7"}}


def shown(document: list[Any], index: int = 0) -> tuple[list[Any], Originals]:
    """A block as the editor gets it, which may change it."""
    originals = Originals(document)
    return copy.deepcopy([to_rich(document[index], originals)]), originals


def saved(nodes: list[Any], originals: Originals) -> list[Any]:
    return from_rich(json.dumps(nodes), originals)


@settings(max_examples=2000, deadline=None)
@given(documents())
def test_what_the_editor_returns_unchanged_is_what_was_stored(document: list[Any]) -> None:
    originals = Originals(document)
    for node in document:
        rich = to_rich(node, originals)
        if rich is not None:
            assert exact(saved([rich], originals)) == exact([node])


@settings(max_examples=500, deadline=None)
@given(text_blocks())
def test_a_typed_character_is_the_only_change(node: Any) -> None:
    """Also where the editor joins texts and orders marks in its own way."""
    (rich,), originals = shown([node])
    if rich is None or type_of(rich) not in (PARAGRAPH, "heading"):
        return
    content = rich.setdefault("content", [])
    content.append({"type": "text", "text": "!", "marks": [{"type": "code"}]})
    for inline in content:
        inline["marks"] = list(reversed(inline.get("marks", [])))

    (changed,) = saved([rich], originals)

    added = text_node("!", {"type": "code"})
    # Texts without a character are kept only where nothing changes.
    before = list(dropwhile(lambda each: each.get("text") == "", reversed(node.get("content", []))))[::-1]
    last = before[-1] if before else None
    if last is None or last.get("marks") != [{"type": "code"}] or type_of(last) != "text":
        assert exact(changed) == exact(node | {"content": [*before, added]})


def test_unknown_parts_stay_in_their_place() -> None:
    node = paragraph("One ", text_node("two", GLOW, LINK), MENTION) | {"attrs": {"textAlign": "center"}}
    (rich,), originals = shown([{"type": "mapEmbed"}, node], 1)

    assert [each["type"] for each in rich["content"]] == ["text", "text", KEPT_TEXT]
    assert [mark["type"] for mark in rich["content"][1]["marks"]] == [KEPT_MARK, "link"]
    rich["content"] = [rich["content"][2], rich["content"][1]]

    assert exact(saved([rich], originals)) == exact([node | {"content": [MENTION, node["content"][1]]}])


def test_a_text_that_moves_to_another_block_keeps_its_unknown_marks() -> None:
    document = [paragraph("One"), paragraph(text_node("two", GLOW))]
    first, originals = shown(document)
    second, _same = shown(document, 1)
    first[0]["content"] += second[0]["content"]

    assert saved(first, originals) == [paragraph("One", text_node("two", GLOW))]


def test_a_split_paragraph_keeps_its_attributes_and_becomes_two_blocks() -> None:
    node = paragraph("One two") | {"attrs": {"textAlign": "center"}}
    (rich,), originals = shown([node])
    parts = [rich | {"content": [{"type": "text", "text": text}]} for text in ("One", " two")]

    assert saved(parts, originals) == [node | {"content": [text_node(text)]} for text in ("One", " two")]


def test_lists_keep_the_items_that_were_not_changed() -> None:
    node = bullets("One", "Two")
    node["content"][0]["attrs"] = {"color": "red"}
    (rich,), originals = shown([node])
    rich["content"][1]["content"][0]["content"][0]["text"] = "2"
    rich["content"].append({"type": "listItem", "content": [{"type": "paragraph"}]})

    (changed,) = saved([rich], originals)

    assert changed["content"][0] is node["content"][0]
    assert changed["content"][1:] == [
        *bullets("2")["content"],
        {"type": "listItem", "content": [{"type": "paragraph"}]},
    ]


def test_a_block_that_the_editor_cannot_show_is_kept_inside_another() -> None:
    node = quote("One") | {"content": [paragraph("One"), {"type": "mapEmbed", "attrs": {"pins": []}}]}
    (rich,), originals = shown([node])

    assert rich["content"][1]["type"] == KEPT_BLOCK
    rich["content"].reverse()
    assert saved([rich], originals) == [node | {"content": node["content"][::-1]}]
    assert to_rich({"type": "mapEmbed"}, originals) is None
    assert to_rich({"type": "bulletList", "content": []}, originals) is None


def test_a_changed_type_and_level() -> None:
    (rich,), originals = shown([heading(2, "One")])

    assert saved([rich | {"attrs": rich["attrs"] | {"level": 3}}], originals) == [heading(3, "One")]
    assert saved([{"type": "paragraph", "content": rich["content"]}], originals) == [paragraph("One")]


@pytest.mark.parametrize(
    "sent",
    [
        "",
        "{}",
        "[" * 100_000,
        '["x"]',
        '[{"type":"hero"}]',
        '[{"type":"bulletList"}]',
        '[{"type":"bulletList","content":[{"type":"paragraph"}]}]',
        '[{"type":"heading","attrs":{"level":9}}]',
        '[{"type":"heading","attrs":{"level":"1"}}]',
        '[{"type":"keptBlock","attrs":{"n":99}}]',
        '[{"type":"keptBlock","attrs":{"n":-1}}]',
        '[{"type":"paragraph","content":[{"type":"text","text":7}]}]',
        '[{"type":"paragraph","content":[{"type":"text","text":"x","marks":[{"type":"glowing"}]}]}]',
        '[{"type":"paragraph","content":[{"type":"text","text":"x","marks":[{"type":"link","attrs":'
        '{"href":"java\\tscript:alert(1)"}}]}]}]',
        '[{"type":"paragraph","content":[{"type":"text","text":"x","marks":[{"type":"link"}]}]}]',
        json.dumps([quote("x") | {"content": [quote("y")]}]).replace('"y"', '"z"')[:-1],
    ],
)
def test_bad_input_changes_nothing_and_is_named(sent: str) -> None:
    node = paragraph("One")

    change = change_block(node, {"rich": [sent], "text": ["One"]})

    assert change.nodes == [node]
    assert bool(change.errors) == bool(sent)


def test_nesting_is_limited_and_control_characters_are_replaced() -> None:
    deep = paragraph("x")
    for _level in range(12):
        deep = {"type": "blockquote", "content": [deep]}

    assert change_block(paragraph(), {"rich": [json.dumps([deep])]}).errors
    sent = json.dumps([paragraph("a\x00b\ud800")])
    assert change_block(paragraph(), {"rich": [sent]}).nodes == [paragraph("a\ufffdb\ufffd")]
