"""A hash of what a person saw of an item. Outside writers count no revisions, so a revision alone is not enough."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from dashboard.table import schema
from dashboard.table.items import Item

# They change without a change of the content: who wrote when, the revision, and the keys in the indexes.
_UNSEEN = frozenset(
    {"revision", "updatedAt", "updatedBy", "updatedByName"}
    | {name for each in schema.INDEXES for name in (each.pk, each.sk) if each.sk}
)


def digest_of(item: Item) -> str:
    """A short hash of the content of an item."""
    content = {name: _ordered(value) for name, value in item.raw.items() if name not in _UNSEEN}
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=repr).encode()).hexdigest()[:32]


def _ordered(value: Any) -> Any:
    """The members of a set in one order: an engine may return them in any."""
    kind, content = next(iter(value.items()))
    if kind == "M":
        return {"M": {name: _ordered(each) for name, each in content.items()}}
    if kind == "L":
        return {"L": [_ordered(each) for each in content]}
    return {kind: sorted(content)} if kind in {"SS", "NS", "BS"} else value
