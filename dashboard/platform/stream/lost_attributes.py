"""Attributes of ours that an outside writer's Put of a whole item removed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dashboard.platform.stream.changes import Change, Write, revision_of


def is_replaced(change: Change) -> bool:
    """Whether a Put without our attributes replaced the item: its revision is lower than before."""
    return change.new is not None and revision_of(change.new) < revision_of(change.old)


def restore_lost(change: Change, names: Iterable[str]) -> Iterator[Write]:
    """Set attributes again, named as on the wire, that only this product writes and that a Put removed."""
    if not is_replaced(change):
        return
    old, new = change.old or {}, change.new or {}
    values = {name: old[name] for name in names if name in old and name not in new}
    if values:
        yield Write(change.key, values)
