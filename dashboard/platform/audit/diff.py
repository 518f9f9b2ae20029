"""The changes of an audit entry, field by field."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.audit.labels import KindLabels, labels_of
from dashboard.platform.audit.sentences import value_label

# Replaces a value that was too large to store.
TOO_BIG = "…"
# Longer values are shortened and can be expanded.
SHORT = 160
# The time to compare lines grows with the square of their number.
MAX_LINES, MAX_COMPARED = 300, 30_000


@dataclass(frozen=True)
class Value:
    text: str

    @property
    def too_big(self) -> bool:
        return self.text == TOO_BIG

    @property
    def short(self) -> str:
        """The beginning of a long value; empty for a short one."""
        first = self.text.partition("\n")[0][:SHORT].rstrip()
        return "" if first == self.text else first


@dataclass(frozen=True)
class TextLine:
    """A line of a long text: `-` removed, `+` added, or unchanged."""

    sign: str
    text: str


@dataclass(frozen=True)
class FieldChange:
    name: str
    label: str
    before: Value
    after: Value
    lines: list[TextLine] = field(default_factory=list)


def changes(entry: AuditEntry) -> list[FieldChange]:
    """The fields that differ. Fields of nested maps are named by their path."""
    before, after = _flat(entry.before), _flat(entry.after)
    labels = labels_of(entry.action or "")
    # Maps of the table have no order: fields with a label come first, then the others by name.
    order = {name: number for number, name in enumerate(labels.fields)}
    names = sorted({*before, *after}, key=lambda name: (order.get(name, len(order)), name))
    return [_change(labels, name, before.get(name), after.get(name)) for name in names if _differs(name, before, after)]


def _differs(name: str, before: dict[str, Any], after: dict[str, Any]) -> bool:
    # Two values that were too large to store may differ.
    return before.get(name) != after.get(name) or (before.get(name) == TOO_BIG and after.get(name) == TOO_BIG)


def _flat(values: Any, path: str = "") -> dict[str, Any]:
    return dict(_leaves(values or {}, path))


def _leaves(values: dict[str, Any], path: str) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, dict) and value:
            yield from _leaves(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", None if value in ("", [], {}) else value


def _change(labels: KindLabels, name: str, before: Any, after: Any) -> FieldChange:
    values = Value(value_label(labels, name, before)), Value(value_label(labels, name, after))
    return FieldChange(name, labels.field_label(name), *values, _compared(*values))


def _compared(before: Value, after: Value) -> list[TextLine]:
    """The changed lines of long texts, each with one line of context."""
    old, new = before.text.splitlines(), after.text.splitlines()
    if not old or not new or max(len(old), len(new)) < 2:
        return []
    if max(len(old), len(new)) > MAX_LINES or len(before.text) + len(after.text) > MAX_COMPARED:
        return []
    found = [line for line in difflib.unified_diff(old, new, n=1, lineterm="") if not line.startswith("@@")]
    return [TextLine(line[0].strip(), line[1:]) for line in found[2:]]
