"""The runs of a paragraph that a person did not change stay as they are stored."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.blocks.nodes import text_node, text_of
from content.blocks.text_runs import keep_runs
from tests.content.blocks.documents import INLINE, exact

BOLD, ITALIC = {"type": "bold"}, {"type": "italic"}


def runs(*texts: str, marks: tuple[dict[str, str], ...] = ()) -> list[Any]:
    return [text_node(text, *marks) for text in texts]


@pytest.mark.parametrize(
    ("stored", "typed", "saved"),
    [
        (runs("One ", "two ", "three"), runs("One two three four"), runs("One ", "two ", "three four")),
        (runs("One ", "two"), runs("Zero One two"), runs("Zero One ", "two")),
        (runs("One ", "two"), runs("One and two"), runs("One and ", "two")),
        (runs("One ", "two"), runs("One "), runs("One ")),
        (runs("a", "b", "c", "d"), runs("aXbcYd"), runs("aX", "b", "cY", "d")),
        (runs("One two"), [], []),
        ([], runs("One"), runs("One")),
        (runs("One", "", "two"), runs("Onetwo!"), runs("One", "", "two!")),
        (
            runs("bold", marks=(ITALIC, BOLD)),
            runs("bolder", marks=(BOLD, ITALIC)),
            runs("bolder", marks=(ITALIC, BOLD)),
        ),
        (
            [{"type": "text", "marks": [], "text": "a"}],
            runs("ab"),
            [{"type": "text", "marks": [], "text": "ab"}],
        ),
    ],
)
def test_a_change_leaves_the_other_runs(stored: list[Any], typed: list[Any], saved: list[Any]) -> None:
    assert exact(keep_runs(stored, typed)) == exact(saved)


@settings(max_examples=500, deadline=None)
@given(INLINE, INLINE, INLINE)
def test_what_is_typed_between_two_runs_changes_neither(before: list[Any], typed: list[Any], after: list[Any]) -> None:
    first, added, last = ({"type": "mention", "attrs": {"id": name}} for name in ("first", "added", "last"))
    stored, edited = [*before, first, last, *after], [*before, first, added, last, *after]

    assert exact(keep_runs(stored, stored)) == exact(stored)
    assert exact(keep_runs(stored, edited)) == exact(edited)
    found = keep_runs(stored, typed)
    assert "".join(map(text_of, found)) == "".join(map(text_of, typed))


@settings(max_examples=200, deadline=None)
@given(st.text("ab ", max_size=12), st.text("ab ", max_size=12))
def test_the_text_is_what_was_typed(stored: str, typed: str) -> None:
    found = keep_runs([text_node(each) for each in stored], runs(typed) if typed else [])

    assert "".join(map(text_of, found)) == typed
