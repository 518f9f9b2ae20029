"""Documents as the website service stores them, and generated ones."""

from __future__ import annotations

import json
import string
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from content.blocks.fields import BlockCells, BlockChoice, BlockField, BlockFlag, BlockItems, BlockNumber
from content.blocks.nodes import BULLETS, HEADING, LIST_ITEM, NUMBERS, PARAGRAPH, QUOTE, RULE
from content.blocks.plugins import PLUGINS

# Texts with everything that markup treats specially.
TEXTS = st.one_of(
    st.text(st.sampled_from("ab *_+~`\\[](){}#->1.:|\n"), max_size=12),
    st.text(string.ascii_letters + " ñé¿漢😀", max_size=12),
    st.text(max_size=6),
)
UNKNOWN_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.just(Decimal("0.35")), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.sampled_from("xyz"), inner, max_size=2)),
    max_leaves=4,
)
MARKS = st.one_of(
    st.sampled_from(["bold", "italic", "underline", "strike", "code"]).map(lambda name: {"type": name}),
    st.builds(
        lambda href, more: {"type": "link", "attrs": {"href": href, **more}},
        st.sampled_from(["/contact", "https://example.test/a_(b)", "mailto:ana@example.test", "a b\\", ""]),
        st.sampled_from([{}, {"target": "_blank", "class": None}, {"rel": "noopener"}]),
    ),
    st.builds(lambda value: {"type": "glowing", "attrs": {"by": value}}, UNKNOWN_VALUES),
)
INLINE = st.lists(
    st.one_of(
        st.builds(lambda text: {"type": "text", "text": text}, TEXTS),
        st.builds(
            lambda text, marks: {"type": "text", "marks": marks, "text": text}, TEXTS, st.lists(MARKS, max_size=3)
        ),
        st.just({"type": "hardBreak"}),
        st.builds(lambda marks: {"type": "hardBreak", "marks": marks}, st.lists(MARKS, max_size=2)),
        st.builds(lambda value: {"type": "mention", "attrs": {"id": value}}, UNKNOWN_VALUES),
    ),
    max_size=5,
)
_ATTRS = st.sampled_from([{}, {"attrs": {"textAlign": "center"}}, {"attrs": {"textAlign": None}}])
PARAGRAPHS = st.one_of(
    st.just({"type": PARAGRAPH}),
    st.builds(lambda content, attrs: {"type": PARAGRAPH, **attrs, "content": content}, INLINE, _ATTRS),
)
HEADINGS = st.builds(
    lambda level, content: {"type": HEADING, "attrs": {"level": level}, "content": content}, st.integers(1, 6), INLINE
)


def _containers(inner: Any) -> Any:
    items = st.lists(
        st.builds(lambda content: {"type": LIST_ITEM, "content": content}, st.lists(inner, min_size=1, max_size=3)),
        max_size=3,
    )
    return st.one_of(
        st.builds(lambda content: {"type": BULLETS, "content": content}, items),
        st.builds(
            lambda content, attrs: {"type": NUMBERS, **attrs, "content": content},
            items,
            st.sampled_from([{}, {"attrs": {"start": 1, "type": None}}, {"attrs": {"start": 7}}]),
        ),
        st.builds(lambda content: {"type": QUOTE, "content": content}, st.lists(inner, max_size=3)),
    )


UNKNOWN = st.builds(lambda value: {"type": "mapEmbed", "attrs": {"pins": value}}, UNKNOWN_VALUES)
_TEXT_BLOCKS = st.recursive(
    st.one_of(PARAGRAPHS, HEADINGS, st.just({"type": RULE}), UNKNOWN), _containers, max_leaves=6
)


def _values(field: BlockField) -> Any:
    """Values of a field as the service and others store them: also missing (`...`), NULL and of other types."""
    if isinstance(field, BlockItems):
        members = {each.name: _values(each) for each in field.fields}
        item = st.fixed_dictionaries({"id": st.sampled_from(["1", "r1", "x"])}, optional=members).map(_without_missing)
        usual: Any = st.lists(item, max_size=3)
    elif isinstance(field, BlockCells):
        cell = st.builds(lambda text: {"id": "c", "content": text}, TEXTS)
        row = st.builds(lambda cells: {"id": "r", "cells": cells}, st.lists(cell, max_size=3))
        usual = st.lists(TEXTS, max_size=3) if field.is_header else st.lists(row, max_size=3)
    elif isinstance(field, BlockFlag):
        usual = st.booleans()
    elif isinstance(field, BlockNumber):
        usual = st.sampled_from([1, 3, 0.5, Decimal("0.4"), "2"])
    elif isinstance(field, BlockChoice):
        usual = st.sampled_from([*(key for key, _label in field.choices), "unheard-of"])
    else:
        usual = TEXTS
    return st.one_of(usual, usual, usual, st.none(), st.just(...), UNKNOWN_VALUES)


def _without_missing(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not ...}


def _plugin_blocks(type_: str) -> Any:
    known = {field.name: _values(field) for field in PLUGINS[type_].fields}
    others = {"effect": UNKNOWN_VALUES, "subheadlineRich": UNKNOWN_VALUES, "future": UNKNOWN_VALUES}
    attrs = st.fixed_dictionaries({}, optional=known | others).map(_without_missing)
    return st.builds(lambda values: {"type": type_, "attrs": values}, attrs)


_BLOCKS = st.one_of(_TEXT_BLOCKS, st.sampled_from(sorted(PLUGINS)).flatmap(_plugin_blocks), UNKNOWN_VALUES)


# Functions, because Hypothesis prints a strategy with all its parts.
@st.composite
def text_blocks(draw: Any) -> Any:
    return draw(_TEXT_BLOCKS)


@st.composite
def blocks(draw: Any) -> Any:
    return draw(_BLOCKS)


@st.composite
def documents(draw: Any) -> list[Any]:
    found: list[Any] = draw(st.lists(_BLOCKS, min_size=1, max_size=5))
    return found


def exact(value: Any) -> str:
    """A value with its types, so that True, 1 and "1" differ. The order of the entries of a map does not matter."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name!r}: {exact(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(exact, value)) + "]"
    return repr(value)


def readable(document: Any) -> str:
    return json.dumps(document, default=str, ensure_ascii=False, indent=1)
