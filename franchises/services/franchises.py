"""Franchises: create, change, and remove an empty one."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Conflict, DomainError, Refused
from dashboard.platform.businesses.items import Business
from dashboard.platform.businesses.queries import find_business
from dashboard.table import keys
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.transactions import Transaction, idempotent, report_unchanged
from franchises.fields import FRANCHISE_FIELDS
from franchises.items import Franchise
from franchises.queries import franchises as queries
from franchises.queries.branches import branches_of
from franchises.services.audit import audit_values, record_change

UNKNOWN_BUSINESS = _("There is no business with this id.")
EXISTS = _("This business already has stores.")


@idempotent
def create(business: str, values: dict[str, Any], *, command: Command) -> Franchise:
    """Create the franchise of a business. It has the id of the business."""
    if find_business(business) is None:
        raise Refused(UNKNOWN_BUSINESS, "business")
    franchise = Franchise.new(tenant=business)
    franchise.franchise_id = business
    FRANCHISE_FIELDS.apply(franchise, values)
    transaction = Transaction(command)
    transaction.create(franchise, on_failure=_already_exists)
    transaction.check(keys.TENANT.key(tenant=business), Business.pk.exists(), _no_business)
    record_change(transaction, "create", franchise, None, audit_values(franchise))
    return transaction.commit(franchise)


@idempotent
def edit(business: str, values: dict[str, Any], *, revision: int, command: Command) -> Franchise:
    franchise = queries.load_franchise(business)
    before = audit_values(franchise)
    FRANCHISE_FIELDS.apply(franchise, values)
    after = audit_values(franchise)
    states = {"before": before, "after": after}
    if after == before:
        return report_unchanged(franchise, states, command)
    transaction = Transaction(command)
    transaction.save(franchise, revision=revision)
    record_change(transaction, "edit", franchise, before, after)
    return transaction.commit(franchise, states)


@idempotent
def remove(business: str, *, revision: int, command: Command) -> None:
    """Undo the creation of a franchise that has no branches yet."""
    franchise = queries.find_franchise(business)
    if franchise is None:
        raise Refused(_("This business has no stores."))
    if branches_of(business, limit=1):
        raise Refused(_("It has branches, so it can't be removed."))
    transaction = Transaction(command)
    transaction.delete(franchise, revision=revision)
    record_change(transaction, "remove", franchise, audit_values(franchise), None)
    transaction.commit(None)


def _already_exists(item: Item | None) -> DomainError:
    return Refused(EXISTS, "business") if item is None else Conflict(item, EXISTS)


def _no_business(_item: Item | None) -> DomainError:
    return Refused(UNKNOWN_BUSINESS, "business")
