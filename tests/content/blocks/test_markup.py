"""Text blocks as markup, and back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from content.blocks.inline_markup import Originals
from content.blocks.markup import keep_originals, parse_markup, to_markup
from content.blocks.nodes import bullets, heading, paragraph, quote, text_node
from tests.content.blocks.documents import exact, text_blocks


def round_trip(node: Any) -> list[Any]:
    originals = Originals([node])
    return keep_originals([node], parse_markup(to_markup([node], originals), originals), originals)


@settings(max_examples=500, deadline=None)
@given(text_blocks())
def test_reading_the_markup_of_a_block_gives_the_block(node: Any) -> None:
    assert exact(round_trip(node)) == exact([node])


@pytest.mark.parametrize(
    ("markup", "nodes"),
    [
        ("Plain", [paragraph("Plain")]),
        ("a **b** c", [paragraph("a ", text_node("b", {"type": "bold"}), " c")]),
        ("[x](/y)", [paragraph(text_node("x", {"type": "link", "attrs": {"href": "/y"}}))]),
        ("one\n\ntwo", [paragraph("one"), paragraph("two")]),
        ("one\ntwo", [paragraph("one", {"type": "hardBreak"}, "two")]),
        ("## Title\ntext", [heading(2, "Title"), paragraph("text")]),
        ("- a\n- b\n\nc", [bullets("a", "b"), paragraph("c")]),
        ("- a\n\n- b", [bullets("a", "b")]),
        ("> a", [quote("a")]),
        ("---", [{"type": "horizontalRule"}]),
        # What is never closed is text.
        ("2 ** 3 and ~~", [paragraph("2 ** 3 and ~~")]),
        ("a](b) [c", [paragraph("a](b) [c")]),
        ("{#9} {9} {9:", [paragraph("{#9} {9} {9:")]),
        ("____", [paragraph("____")]),
        (r"\# no title", [paragraph("# no title")]),
    ],
)
def test_markup_that_a_person_types(markup: str, nodes: list[Any]) -> None:
    assert parse_markup(markup, Originals([])) == nodes


def test_deep_markup_stays_within_the_depth_that_the_table_allows() -> None:
    nodes = parse_markup("> " * 100 + "deep", Originals([]))

    depth, found = 0, nodes
    while found and found[0].get("content"):
        depth, found = depth + 1, found[0]["content"]
    assert depth < 12


def test_a_changed_word_keeps_everything_else_of_the_block() -> None:
    """Unknown marks, attributes of links and items, and unknown blocks inside a quote."""
    link = {"type": "link", "attrs": {"href": "/a", "target": "_blank", "class": None}}
    glow = {"type": "glow", "attrs": {"by": 2}}
    node: dict[str, Any] = {
        "type": "blockquote",
        "attrs": {"cite": "x"},
        "content": [
            {
                "type": "paragraph",
                "attrs": {"textAlign": "center"},
                "content": [text_node("old", link), text_node("g", glow)],
            },
            {"type": "mapEmbed", "attrs": {"lat": 1}},
        ],
    }
    originals = Originals([node])
    markup = to_markup([node], originals).replace("old", "new")

    changed = keep_originals([node], parse_markup(markup, originals), originals)

    first = node["content"][0] | {"content": [text_node("new", link), text_node("g", glow)]}
    assert changed == [node | {"content": [first, node["content"][1]]}]
