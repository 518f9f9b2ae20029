"""Marks a business without an owner.

The mark is written in the transaction that creates the business or adds its owner, and after an owner's account was
disabled or enabled. The home page of admins lists these businesses.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from pynamodb.expressions.update import Action

from dashboard.core.clock import now
from dashboard.core.errors import Conflict
from dashboard.platform.businesses import queries
from dashboard.platform.businesses.items import Business, Member, OwnerlessBusiness
from dashboard.table import keys, write
from dashboard.table.read import gather, gather_all
from dashboard.table.transactions import Transaction


def mark(transaction: Transaction, business: Business) -> None:
    transaction.update(keys.OWNERLESS.key(tenant=business.id), _mark_actions(business), None, Conflict)


def unmark(transaction: Transaction, business: str) -> None:
    transaction.remove(keys.OWNERLESS.key(tenant=business))


def update_marks(changed: Iterable[Member]) -> None:
    """Update the marks of the businesses whose owners have changed."""
    gather_all([partial(_update_mark, each.business_id) for each in changed if each.is_owner])


def _update_mark(business_id: str) -> None:
    """Mark the business or remove its mark, as its members are now."""
    business, has_owner = gather(lambda: queries.find_business(business_id), lambda: _has_owner(business_id))
    key = keys.OWNERLESS.key(tenant=business_id)
    if business is not None and not has_owner:
        write.update(key, _mark_actions(business))
        has_owner = _has_owner(business_id)  # One may have been added since.
    if business is None or has_owner:
        write.remove(key)


def _has_owner(business_id: str) -> bool:
    return any(each.is_active_owner for each in queries.members(business_id))


def _mark_actions(business: Business) -> list[Action]:
    return [OwnerlessBusiness.name.set(business.title), OwnerlessBusiness.created_at.set(now())]
