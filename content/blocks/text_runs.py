"""The stored texts of a paragraph stay as they are where a person did not change them.

A paragraph is a list of runs: texts with their marks. Editors and markup join neighbouring runs with equal marks and
order marks in their own way. Comparing both versions character by character finds what was not changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from content.blocks.fingerprints import fingerprint, is_same
from content.blocks.nodes import LINE_BREAK, TEXT, marks_of, type_of

# Between the first and the last change, longer texts are not compared: it takes time for each pair of characters.
MAX_COMPARED = 1_000_000
TEXT_KEYS, BREAK_KEYS = {"type", "text", "marks"}, {"type", "marks"}


@dataclass(slots=True)
class TextUnit:
    """A character of a run, or a node that is not a text."""

    key: tuple[str, ...]
    node: Any
    # None for a node that is not a text.
    text: str | None
    # The position of the run.
    run: int
    # Its position in the stored paragraph, if it is there.
    origin: int | None = None


def is_plain_text(node: Any) -> bool:
    """Whether the node is a text and nothing else is stored with it."""
    is_text = type_of(node) == TEXT and set(node) <= TEXT_KEYS and isinstance(node.get("text"), str)
    return is_text and isinstance(node.get("marks", []), list)


def keep_runs(stored: list[Any], typed: list[Any]) -> list[Any]:
    """The nodes of `typed`; what is also in `stored` has the runs of `stored`, value for value."""
    old, new = list(_units(stored)), list(_units(typed))
    _find_origins(old, new)
    if not new:
        return [] if old else stored
    _inherit(old, new)
    return _join(stored, old, new)


def _units(nodes: list[Any]) -> Iterator[TextUnit]:
    for run, node in enumerate(nodes):
        if is_plain_text(node):
            marks = _marks_key(node)
            yield from (TextUnit((character, *marks), node, character, run) for character in node["text"])
        elif type_of(node) == LINE_BREAK and set(node) <= BREAK_KEYS:
            yield TextUnit((LINE_BREAK, *_marks_key(node)), node, None, run)
        else:
            yield TextUnit(("", fingerprint(node)), node, None, run)


def _marks_key(node: Any) -> tuple[str, ...]:
    """Equal for equal marks in any order."""
    return tuple(sorted(map(fingerprint, marks_of(node))))


def _find_origins(old: list[TextUnit], new: list[TextUnit]) -> None:
    old_keys, new_keys = [unit.key for unit in old], [unit.key for unit in new]
    shorter, start, end = min(len(old), len(new)), 0, 0
    while start < shorter and old_keys[start] == new_keys[start]:
        new[start].origin = start
        start += 1
    while end < shorter - start and old_keys[-1 - end] == new_keys[-1 - end]:
        new[-1 - end].origin = len(old) - 1 - end
        end += 1
    between = old_keys[start : len(old) - end], new_keys[start : len(new) - end]
    if len(between[0]) * len(between[1]) > MAX_COMPARED:
        return
    for block in SequenceMatcher(None, *between, autojunk=False).get_matching_blocks():
        for step in range(block.size):
            new[start + block.b + step].origin = start + block.a + step


def _inherit(old: list[TextUnit], new: list[TextUnit]) -> None:
    """A stored unit is as it was stored; a typed character continues the run next to it that has the same marks."""
    for unit in new:
        if unit.origin is not None:
            unit.node = old[unit.origin].node
    for units in (new, new[::-1]):
        is_near, before = False, units[0]
        for unit in units:
            if unit.origin is not None:
                is_near = unit.text is not None
            elif is_near and unit.text is not None and unit.key[1:] == before.key[1:]:
                unit.node = before.node
            else:
                is_near = False
            before = unit


def _join(stored: list[Any], old: list[TextUnit], new: list[TextUnit]) -> list[Any]:
    first, last = new[0], new[-1]
    # Runs without a character are kept at the edges, and between two runs that are kept.
    nodes: list[Any] = list(stored[: old[0].run]) if first.origin == 0 else []
    before, has_stored = first, False
    for position, unit in enumerate(new):
        is_adjacent = position > 0 and unit.origin is not None and before.origin == unit.origin - 1
        if is_adjacent and before.origin is not None and unit.origin is not None:
            runs = old[before.origin].run, old[unit.origin].run
            joins = unit.text is not None and runs[0] == runs[1]
            nodes += stored[runs[0] + 1 : runs[1]] if runs[0] != runs[1] else []
        else:
            starts_run = unit.origin is not None and (
                unit.origin == 0 or old[unit.origin - 1].run != old[unit.origin].run
            )
            joins = position > 0 and not (starts_run and has_stored) and _can_join(before, unit)
        if joins:
            nodes[-1] = nodes[-1] | {"text": nodes[-1]["text"] + unit.text}
        else:
            nodes.append(unit.node if unit.text is None else unit.node | {"text": unit.text})
            has_stored = False
        has_stored = has_stored or unit.origin is not None
        before = unit
    return nodes + (stored[old[-1].run + 1 :] if last.origin is not None and last.origin == len(old) - 1 else [])


def _can_join(before: TextUnit, unit: TextUnit) -> bool:
    if before.text is None or unit.text is None:
        return False
    return before.node is unit.node or is_same(before.node | {"text": ""}, unit.node | {"text": ""})
