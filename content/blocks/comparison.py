"""The comparison of two versions of a page, block by block and word by word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise

from content.blocks.alignment import align
from content.blocks.fingerprints import is_same
from content.blocks.labels import label_of
from content.blocks.nodes import Document, type_of
from content.blocks.words import TextPiece, compare_words, texts_of

SAME, CHANGED, ADDED, REMOVED = "same", "changed", "added", "removed"


@dataclass(frozen=True)
class FieldDifference:
    """A field of a block that differs, word by word."""

    label: str | Promise
    pieces: list[TextPiece]


@dataclass(frozen=True)
class BlockDifference:
    """A block in one or both versions. `kind` is one of the names above."""

    kind: str
    type: str
    label: str | Promise
    # The number of the block in each version, from 1; None where it does not exist.
    old_number: int | None
    new_number: int | None
    is_moved: bool = False
    fields: list[FieldDifference] = field(default_factory=list)

    @property
    def is_changed(self) -> bool:
        return self.kind != SAME or self.is_moved


def compare(old: Document | None, new: Document | None) -> list[BlockDifference]:
    """All blocks in the order of the new version; a removed one stands where it was."""
    old, new = old or [], new or []
    pairs = align(old, new)
    before = {new_index: old_index for old_index, new_index in pairs.items()}
    moved = _moved(pairs)
    differences: list[BlockDifference] = []
    removed = [index for index in range(len(old)) if index not in pairs]
    for index, node in enumerate(new):
        old_index = before.get(index)
        while removed and old_index is not None and old_index not in moved and removed[0] < old_index:
            differences.append(_one_sided(REMOVED, old[removed[0]], removed.pop(0), None))
        if old_index is None:
            differences.append(_one_sided(ADDED, node, None, index))
        else:
            differences.append(_paired(old[old_index], node, old_index, index, is_moved=old_index in moved))
    return differences + [_one_sided(REMOVED, old[index], index, None) for index in removed]


def _moved(pairs: dict[int, int]) -> set[int]:
    """The old positions of the blocks outside the longest run that kept its order."""
    runs: list[tuple[int, ...]] = []
    for old_index in sorted(pairs):
        before = [run for run in runs if pairs[run[-1]] < pairs[old_index]]
        runs.append((*_longest(before), old_index))
    return set(pairs) - set(_longest(runs))


def _longest(runs: list[tuple[int, ...]]) -> tuple[int, ...]:
    return max(runs, key=len) if runs else ()


def _one_sided(kind: str, node: Any, old_index: int | None, new_index: int | None) -> BlockDifference:
    texts = [each for each in texts_of(node) if each.text]
    fields = [FieldDifference(each.label, [TextPiece(each.text, kind)]) for each in texts]
    return BlockDifference(kind, type_of(node), label_of(node), _number(old_index), _number(new_index), fields=fields)


def _paired(old: Any, new: Any, old_index: int, new_index: int, *, is_moved: bool) -> BlockDifference:
    fields = [] if is_same(old, new) else list(_field_differences(old, new))
    kind = SAME if is_same(old, new) else CHANGED
    numbers = (_number(old_index), _number(new_index))
    return BlockDifference(kind, type_of(new), label_of(new), *numbers, is_moved=is_moved, fields=fields)


def _field_differences(old: Any, new: Any) -> Iterator[FieldDifference]:
    before = {each.name: each for each in texts_of(old)}
    after = {each.name: each for each in texts_of(new)}
    for name, each in (before | after).items():
        texts = (before[name].text if name in before else "", after[name].text if name in after else "")
        if texts[0] != texts[1]:
            yield FieldDifference(each.label, compare_words(*texts))


def _number(index: int | None) -> int | None:
    return None if index is None else index + 1
