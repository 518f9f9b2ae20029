"""Comparing two versions of a page."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from content.blocks.comparison import ADDED, CHANGED, REMOVED, SAME, compare
from content.blocks.nodes import heading, paragraph
from content.blocks.words import compare_words
from tests.content.blocks.documents import documents

HERO: dict[str, Any] = {
    "type": "hero",
    "attrs": {"headline": "Slow rugs", "subheadline": "Made by four people.", "effect": None},
}
BASE = [heading(1, "Title"), paragraph("One two three"), HERO, paragraph("Seven eight nine")]


def test_a_moved_block_is_not_a_removed_and_an_added_one() -> None:
    found = compare(BASE, [BASE[2], BASE[0], BASE[1], BASE[3]])

    assert [(each.kind, each.is_moved, each.old_number, each.new_number) for each in found] == [
        (SAME, True, 3, 1),
        (SAME, False, 1, 2),
        (SAME, False, 2, 3),
        (SAME, False, 4, 4),
    ]


def test_a_changed_word_is_shown_in_its_field() -> None:
    changed = {"type": "hero", "attrs": {**HERO["attrs"], "headline": "Quick rugs", "effect": {"type": "glow"}}}

    difference = compare(BASE, [BASE[0], BASE[1], changed, BASE[3]])[2]

    assert difference.kind == CHANGED
    pieces = {str(field.label): [(piece.text, piece.kind) for piece in field.pieces] for field in difference.fields}
    assert pieces == {
        "Headline": [("Slow", "removed"), ("Quick", "added"), (" rugs", "")],
        "effect": [("type: glow", "added")],
    }


def test_a_block_is_added_before_and_one_is_removed() -> None:
    found = compare(BASE, [paragraph("New at the top"), BASE[0], HERO, BASE[3]])

    assert [each.kind for each in found] == [ADDED, SAME, REMOVED, SAME, SAME]
    assert [each.old_number for each in found] == [None, 1, 2, 3, 4]


def test_a_changed_and_moved_block_is_recognised() -> None:
    found = compare(BASE, [BASE[1], HERO, BASE[3] | {"content": paragraph("Seven eight nine ten")["content"]}, BASE[0]])

    assert [(each.kind, each.old_number) for each in found] == [(SAME, 2), (SAME, 3), (CHANGED, 4), (SAME, 1)]


def test_a_page_without_blocks_is_compared() -> None:
    assert compare(None, None) == []
    assert [each.kind for each in compare(None, BASE)] == [ADDED] * 4


@settings(max_examples=200, deadline=None)
@given(documents(), documents())
def test_every_block_of_both_versions_is_in_the_comparison_once(old: list[Any], new: list[Any]) -> None:
    found = compare(old, new)

    numbers = [[getattr(each, name) for each in found if getattr(each, name)] for name in ("old_number", "new_number")]
    assert sorted(numbers[0]) == list(range(1, len(old) + 1))
    assert numbers[1] == list(range(1, len(new) + 1))
    assert not any(each.is_changed for each in compare(old, old))


def test_the_pieces_of_a_comparison_are_both_texts() -> None:
    pieces = compare_words("a b, c", "a x, c d")

    assert "".join(piece.text for piece in pieces if not piece.is_added) == "a b, c"
    assert "".join(piece.text for piece in pieces if not piece.is_removed) == "a x, c d"
