"""The words of blocks, for comparisons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from content.blocks.edits import block_text
from content.blocks.nodes import HEADING, TEXT_NODES, attrs_of, heading_level, text_of, type_of
from content.blocks.plugins import PLUGINS

_WORD = re.compile(r"\s+|\w+|[^\w\s]")
LEVEL, TEXT = _("Level"), _("Text")
# Longer texts are compared line by line.
MAX_WORDS = 3_000


@dataclass(frozen=True)
class FieldText:
    """One field of a block as text."""

    name: str
    label: str | Promise
    text: str


def texts_of(node: Any) -> Iterator[FieldText]:
    """The fields of a block as text, also those that have no form."""
    kind = type_of(node)
    if kind in PLUGINS:
        attrs, fields = attrs_of(node), PLUGINS[kind].fields
        yield from (FieldText(each.name, each.label, each.plain_text(attrs.get(each.name))) for each in fields)
        known = {each.name for each in fields}
        yield from (FieldText(name, name, _plain(attrs[name])) for name in sorted(attrs) if name not in known)
    elif kind in TEXT_NODES:
        if kind == HEADING:
            yield FieldText("level", LEVEL, str(heading_level(node)))
        text = block_text(node)
        yield FieldText("text", TEXT, text_of(node) if text is None else text)
    else:
        attrs = attrs_of(node)
        yield from (FieldText(name, name, _plain(attrs[name])) for name in sorted(attrs))


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_plain(value[name])}" for name in sorted(value))
    if isinstance(value, list):
        return ", ".join(map(_plain, value))
    return "" if value is None else str(value)


def words_of(node: Any) -> list[str]:
    return [word for each in texts_of(node) for word in _WORD.findall(each.text) if not word.isspace()]


@dataclass(frozen=True)
class TextPiece:
    """A run of words: unchanged, added or removed."""

    text: str
    kind: str = ""

    @property
    def is_added(self) -> bool:
        return self.kind == "added"

    @property
    def is_removed(self) -> bool:
        return self.kind == "removed"


def compare_words(old: str, new: str) -> list[TextPiece]:
    """The words of both texts in order: removed ones before added ones."""
    left, right = _WORD.findall(old), _WORD.findall(new)
    if max(len(left), len(right)) > MAX_WORDS:
        left, right = old.splitlines(keepends=True), new.splitlines(keepends=True)
    pieces = []
    for kind, start, end, new_start, new_end in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if kind == "equal":
            pieces.append(TextPiece("".join(left[start:end])))
            continue
        pieces += [TextPiece("".join(left[start:end]), "removed")] if end > start else []
        pieces += [TextPiece("".join(right[new_start:new_end]), "added")] if new_end > new_start else []
    return pieces
