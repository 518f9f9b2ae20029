"""What the product asks of the trail."""

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
# The end of an action that stands for all that begin like it.
ALL = ".*"


@dataclass(frozen=True)
class AuditFilter:
    """What someone looks for in a trail. The bounds are how a sort key begins, both included."""

    person: str = ""
    target: str = ""
    action: str = ""
    since: str | None = None
    until: str | None = None

    @property
    def scope(self) -> tuple[str, ...]:
        """What a cursor into this is good for."""
        return (self.person, self.target, self.action, self.since or "", self.until or "")


@access_pattern("What was done to this, newest first?", keys.SYSTEM_AUDIT_BY_TARGET)
def history(target: str, limit: int = 20) -> list[AuditEntry]:
    where = keys.SYSTEM_AUDIT_BY_TARGET.under(target=target)
    return read.page(where, AuditEntry, newest_first=True, limit=limit).items


@access_pattern("What happened on the platform lately?", keys.SYSTEM_AUDIT, partition=True)
def latest(limit: int = 10) -> list[AuditEntry]:
    where = keys.SYSTEM_AUDIT.under()
    return read.page(where, AuditEntry, newest_first=True, limit=limit).items


@access_pattern("What happened in this business lately?", keys.AUDIT, partition=True)
def latest_of(business: str, limit: int = 10) -> list[AuditEntry]:
    return read.page(keys.AUDIT.under(tenant=business), AuditEntry, newest_first=True, limit=limit).items


@access_pattern(
    "Which entries of a trail are asked for, newest first?",
    keys.SYSTEM_AUDIT,
    keys.SYSTEM_AUDIT_BY_ACTOR,
    keys.SYSTEM_AUDIT_BY_TARGET,
    keys.AUDIT,
    keys.AUDIT_BY_ACTOR,
    keys.AUDIT_BY_TARGET,
    partition=True,
)
def trail(
    business: str, wanted: AuditFilter, start: Any = None, *, limit: int = PAGE, looks: int = read.LOOKS
) -> read.Page[AuditEntry]:
    """Of a business, or with none of the platform; what no index serves is sifted, and says how far it looked."""
    where, keep = _where(business, wanted), _left_to_check(wanted)
    if where is None or read.is_empty(wanted.since, wanted.until):
        return read.Page([])
    asked: dict[str, Any] = {"since": wanted.since, "until": wanted.until, "newest_first": True}
    asked |= {"start": start, "limit": limit}
    if keep is None:
        return read.page(where, AuditEntry, **asked)
    return read.filter_page(where, AuditEntry, keep, looks=looks, **asked)


@access_pattern("Which entry of a trail is this?", keys.SYSTEM_AUDIT, keys.AUDIT)
def entry(business: str, at: str, id: str) -> AuditEntry:
    try:
        key = keys.AUDIT.key(tenant=business, at=at, id=id) if business else keys.SYSTEM_AUDIT.key(at=at, id=id)
    except BadKey:
        raise NotFound from None
    found = read.get(AuditEntry, key)
    if found is None:
        raise NotFound
    return found


def _where(business: str, wanted: AuditFilter) -> Collection | None:
    """The target's index, else the person's, else the whole trail; none where no key can be what is asked for."""
    place = {"tenant": business} if business else {}
    try:
        if wanted.target:
            by_target = keys.AUDIT_BY_TARGET if business else keys.SYSTEM_AUDIT_BY_TARGET
            return by_target.under(target=wanted.target, **place)
        if wanted.person:
            by_actor = keys.AUDIT_BY_ACTOR if business else keys.SYSTEM_AUDIT_BY_ACTOR
            return by_actor.under(email=wanted.person, **place)
    except BadKey:
        return None
    return (keys.AUDIT if business else keys.SYSTEM_AUDIT).under(**place)


def _left_to_check(wanted: AuditFilter) -> Condition | None:
    """What the chosen index does not answer."""
    action: Path = Path([AuditEntry.action.attr_name])
    conditions: list[Condition] = []
    if wanted.action.endswith(ALL):
        conditions.append(action.startswith(wanted.action.removesuffix("*")))
    elif wanted.action:
        conditions.append(action == wanted.action)
    if wanted.person and wanted.target:
        conditions.append(Path([AuditEntry.actor.attr_name, "email"]) == wanted.person)
    return functools.reduce(operator.and_, conditions) if conditions else None
