"""Queries for the audit trail."""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from dashboard.core.errors import NotFound
from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey, Collection
from dashboard.table.registry import access_pattern

PAGE = 50
# The end of an action filter that matches a whole kind.
ALL = ".*"


@dataclass(frozen=True)
class AuditFilter:
    """The filters of a trail. The bounds are prefixes of sort keys, inclusive."""

    person: str = ""
    target: str = ""
    action: str = ""
    since: str | None = None
    until: str | None = None

    @property
    def cursor_scope(self) -> tuple[str, ...]:
        """The filters as part of a cursor's scope."""
        return (self.person, self.target, self.action, self.since or "", self.until or "")


@access_pattern("What was done to this, newest first?", keys.SYSTEM_AUDIT_BY_TARGET, keys.AUDIT_BY_TARGET)
def history(target: str, limit: int = 20, *, business: str = "") -> list[AuditEntry]:
    """In the trail of a business, or without one in that of the platform."""
    pattern, parts = (keys.AUDIT_BY_TARGET, {"tenant": business}) if business else (keys.SYSTEM_AUDIT_BY_TARGET, {})
    collection = pattern.collection(**parts, target=target)
    return read.page(collection, AuditEntry, newest_first=True, limit=limit).items


@access_pattern("What are the latest entries of the platform?", keys.SYSTEM_AUDIT, partition=True)
def latest(limit: int = 10) -> list[AuditEntry]:
    collection = keys.SYSTEM_AUDIT.collection()
    return read.page(collection, AuditEntry, newest_first=True, limit=limit).items


@access_pattern("What are the latest entries of this business?", keys.AUDIT, partition=True)
def latest_of(business: str, limit: int = 10) -> list[AuditEntry]:
    return read.page(keys.AUDIT.collection(tenant=business), AuditEntry, newest_first=True, limit=limit).items


@access_pattern("Which entries were added to the trail of this business since?", keys.AUDIT, partition=True)
def entries_since(business: str, moment: str, limit: int = 100) -> read.Page[AuditEntry]:
    """The oldest first. Read consistently."""
    collection = keys.AUDIT.collection(tenant=business)
    return read.page(collection, AuditEntry, since=moment, limit=limit, consistent=True)


@access_pattern(
    "Which entries of a trail match the filters, newest first?",
    keys.SYSTEM_AUDIT,
    keys.SYSTEM_AUDIT_BY_ACTOR,
    keys.SYSTEM_AUDIT_BY_TARGET,
    keys.AUDIT,
    keys.AUDIT_BY_ACTOR,
    keys.AUDIT_BY_TARGET,
    partition=True,
)
def trail(
    business: str,
    filters: AuditFilter,
    start_key: Any = None,
    *,
    limit: int = PAGE,
    max_requests: int = read.MAX_FILTER_REQUESTS,
) -> read.Page[AuditEntry]:
    """The trail of a business, or without one of the platform. Filters without an index return a `Sifted` page."""
    collection, condition = _collection(business, filters), _filter_condition(filters)
    if collection is None or read.is_empty_range(filters.since, filters.until):
        return read.Page([])
    options: dict[str, Any] = {"since": filters.since, "until": filters.until, "newest_first": True}
    options |= {"start_key": start_key, "limit": limit}
    if condition is None:
        return read.page(collection, AuditEntry, **options)
    return read.filter_page(collection, AuditEntry, condition, max_requests=max_requests, **options)


@access_pattern("Which entry of a trail is this?", keys.SYSTEM_AUDIT, keys.AUDIT)
def load_entry(business: str, at: str, id: str) -> AuditEntry:
    try:
        key = keys.AUDIT.key(tenant=business, at=at, id=id) if business else keys.SYSTEM_AUDIT.key(at=at, id=id)
    except BadKey:
        raise NotFound from None
    found = read.get(AuditEntry, key)
    if found is None:
        raise NotFound
    return found


def _collection(business: str, filters: AuditFilter) -> Collection | None:
    """The target's index, else the person's, else the whole trail; None if no key can match."""
    business_part = {"tenant": business} if business else {}
    try:
        if filters.target:
            by_target = keys.AUDIT_BY_TARGET if business else keys.SYSTEM_AUDIT_BY_TARGET
            return by_target.collection(target=filters.target, **business_part)
        if filters.person:
            by_actor = keys.AUDIT_BY_ACTOR if business else keys.SYSTEM_AUDIT_BY_ACTOR
            return by_actor.collection(email=filters.person, **business_part)
    except BadKey:
        return None
    return (keys.AUDIT if business else keys.SYSTEM_AUDIT).collection(**business_part)


def _filter_condition(filters: AuditFilter) -> Condition | None:
    """The filters that the chosen index does not cover."""
    action: Path = Path([AuditEntry.action.attr_name])
    conditions: list[Condition] = []
    if filters.action.endswith(ALL):
        conditions.append(action.startswith(filters.action.removesuffix("*")))
    elif filters.action:
        conditions.append(action == filters.action)
    if filters.person and filters.target:
        conditions.append(Path([AuditEntry.actor.attr_name, "email"]) == filters.person)
    return functools.reduce(operator.and_, conditions) if conditions else None
