"""Attributes of ours that an outside writer's Put of a whole item removed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dashboard.platform.stream.changes import Change, Write
from dashboard.table.items import Raw


def lost_attributes(change: Change, names: Iterable[str]) -> Raw:
    """Those of the named attributes, which only this product writes, that a Put removed.

    The Put has also removed the revision, so no person removed them.
    """
    if not change.is_replaced:
        return {}
    old, new = change.old or {}, change.new or {}
    return {name: old[name] for name in names if name in old and name not in new}


def restore_lost_attributes(change: Change, names: Iterable[str]) -> Iterator[Write]:
    """Set the lost attributes again."""
    values = lost_attributes(change, names)
    if values:
        yield Write(change.key, values)
