"""Movements by branch, reason, person, cause and time. One index serves each filter; the others narrow its pages."""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Collection
from dashboard.table.registry import access_pattern
from franchises.items import Movement

PAGE = 50


@dataclass(frozen=True)
class MovementFilter:
    """The filters of movements. The bounds are prefixes of sort keys, inclusive."""

    branch: str = ""
    reason: str = ""
    person: str = ""
    cause: str = ""
    since: str | None = None
    until: str | None = None

    @property
    def cursor_scope(self) -> tuple[str, ...]:
        return (self.branch, self.reason, self.person, self.cause, self.since or "", self.until or "")


@access_pattern(
    "Which movements match the filters, newest first?",
    keys.MOVEMENTS,
    keys.MOVEMENTS_OF_BRANCH,
    keys.MOVEMENTS_BY_REASON,
    keys.MOVEMENTS_OF_CAUSE,
    keys.MOVEMENTS_BY,
)
def filtered_movements(
    business: str, filters: MovementFilter, start_key: Any = None, limit: int = PAGE
) -> read.Page[Movement]:
    """Several filters return a `FilteredPage`, which may have stopped before the page was full."""
    try:
        collection, condition = _collection(business, filters)
    except BadKey:
        return read.Page([])
    if read.is_empty_range(filters.since, filters.until):
        return read.Page([])
    options: dict[str, Any] = {
        "since": filters.since,
        "until": filters.until,
        "newest_first": True,
        "start_key": start_key,
        "limit": limit,
    }
    if condition is None:
        return read.page(collection, Movement, **options)
    return read.filter_page(collection, Movement, condition, **options)


def _collection(business: str, filters: MovementFilter) -> tuple[Collection, Condition | None]:
    """The index of the filter that leaves the fewest movements, and the condition for the other filters."""
    indexes: dict[str, tuple[Any, str, Any]] = {
        "cause": (keys.MOVEMENTS_OF_CAUSE, "cause", Path(["cause", "id"])),
        "person": (keys.MOVEMENTS_BY, "email", Path(["actor", "email"])),
        "reason": (keys.MOVEMENTS_BY_REASON, "reason", Path(["reason"])),
        "branch": (keys.MOVEMENTS_OF_BRANCH, "branch", Path(["branchId"])),
    }
    given = [name for name in indexes if getattr(filters, name)]
    if not given:
        return keys.MOVEMENTS.collection(tenant=business), None
    index, part, _path = indexes[given[0]]
    others = [indexes[name][2] == getattr(filters, name) for name in given[1:]]
    collection: Collection = index.collection(tenant=business, **{part: getattr(filters, given[0])})
    return collection, functools.reduce(operator.and_, others) if others else None
