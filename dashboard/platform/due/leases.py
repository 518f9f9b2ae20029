"""Conditions for people who change an item that `run_due` may be handling right now."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, DomainError, Refused
from dashboard.table.due_times import LEASE_FOR, LEASE_UNTIL
from dashboard.table.items import Item
from dashboard.table.timestamps import to_wire

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def is_not_leased() -> Condition:
    until, leased_for = Path([LEASE_UNTIL]), Path([LEASE_FOR])
    condition: Condition = until.does_not_exist() | (until <= to_wire(now())) | (leased_for != Path(Item.gsistatussk))
    return condition


def refuse_leased(revision: int, text: str | _StrPromise) -> Callable[[Item | None], DomainError]:
    """The error of a step with the condition `is_not_leased`: at the same revision, the item is being handled."""

    def error(current: Item | None) -> DomainError:
        if current is not None and current.revision == revision:
            return Refused(text)
        return Conflict(current)

    return error
