"""Branches: add, rename, close, reopen, and remove an empty one."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, DomainError, Refused
from dashboard.core.ids import new_id
from dashboard.table import keys
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.transactions import Transaction, idempotent, report_unchanged
from franchises.fields import BRANCH_FIELDS
from franchises.items import Branch, Franchise
from franchises.queries import branches as queries
from franchises.queries.products import stock_of_branch
from franchises.services.audit import audit_values, record_change


@idempotent
def create(business: str, values: dict[str, Any], *, command: Command) -> Branch:
    branch = Branch.new(tenant=business, branch=new_id())
    branch.branch_id, branch.franchise_id = branch.id, business
    BRANCH_FIELDS.apply(branch, values)
    transaction = Transaction(command)
    transaction.create(branch)
    transaction.check(keys.FRANCHISE.key(tenant=business), Franchise.pk.exists(), _no_franchise)
    record_change(transaction, "create", branch, None, audit_values(branch))
    return transaction.commit(branch)


@idempotent
def edit(business: str, branch_id: str, values: dict[str, Any], *, revision: int, command: Command) -> Branch:
    branch = queries.load_branch(business, branch_id)
    before = audit_values(branch)
    BRANCH_FIELDS.apply(branch, values)
    after = audit_values(branch)
    states = {"before": before, "after": after}
    if after == before:
        return report_unchanged(branch, states, command)
    transaction = Transaction(command)
    transaction.save(branch, revision=revision)
    record_change(transaction, "edit", branch, before, after)
    return transaction.commit(branch, states)


@idempotent
def close(business: str, branch_id: str, *, revision: int, command: Command) -> Branch:
    """Close a branch: no product can be added or moved to it. Its products and movements stay."""
    branch = queries.load_branch(business, branch_id)
    if branch.is_closed:
        raise Conflict(branch, _("This branch is already closed."))
    branch.closed_at = now()
    return _commit(branch, "close", revision, command)


@idempotent
def reopen(business: str, branch_id: str, *, revision: int, command: Command) -> Branch:
    branch = queries.load_branch(business, branch_id)
    if not branch.is_closed:
        raise Conflict(branch, _("This branch is already open."))
    branch.closed_at = None
    return _commit(branch, "reopen", revision, command)


def _commit(branch: Branch, action: str, revision: int, command: Command) -> Branch:
    transaction = Transaction(command)
    transaction.save(branch, revision=revision)
    record_change(transaction, action, branch)
    return transaction.commit(branch)


@idempotent
def remove(business: str, branch_id: str, *, revision: int, command: Command) -> None:
    """Undo the creation of a branch that has no products yet."""
    branch = queries.load_branch(business, branch_id)
    if stock_of_branch(business, branch_id, limit=1).items:
        raise Refused(_("It has products, so it can't be removed. Close it instead."))
    transaction = Transaction(command)
    transaction.delete(branch, revision=revision)
    record_change(transaction, "remove", branch, audit_values(branch), None)
    transaction.commit(None)


def _no_franchise(_item: Item | None) -> DomainError:
    return Refused(_("Set up the stores of this business first."))
