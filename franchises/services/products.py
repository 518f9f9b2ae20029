"""Products: add, change, move to another branch, retire and bring back. Each also writes the ledger of the stock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.core.ids import new_id
from dashboard.core.locks import queue_up
from dashboard.table.commands import Command
from dashboard.table.keypattern import BadKey
from dashboard.table.transactions import Transaction, idempotent, report_unchanged
from franchises.causes import Cause
from franchises.fields import PRODUCT_FIELDS
from franchises.items import Branch, StockItem
from franchises.queries.branches import branch_key, load_branch
from franchises.queries.stock import StockState, load_stock_state
from franchises.reasons import MovementReason
from franchises.services.audit import audit_values, record_change
from franchises.services.ledger import ensure_exists, open_ledger, retry_while_busy, write_ledger

CLOSED = _("This branch is closed. Reopen it, or choose another one.")
# A request adds a product to this many branches at most.
MAX_BRANCHES = 60


@idempotent
def create(
    business: str,
    branch_id: str,
    values: dict[str, Any],
    *,
    stock: int = 0,
    cause: Cause | None = None,
    command: Command,
) -> StockItem:
    """Add a product to a branch. Its first stock is the first movement."""
    product = StockItem.new(tenant=business, product=new_id())
    product.product_id, product.franchise_id, product.branch_id = product.id, business, branch_id
    PRODUCT_FIELDS.apply(product, values)
    transaction = Transaction(command)
    _require_open(transaction, business, branch_id)
    open_ledger(transaction, business, product, stock, MovementReason.DELIVERY, cause=cause)
    record_change(transaction, "create", product, None, audit_values(product))
    return transaction.commit(product)


def create_in(
    business: str, branch_ids: Sequence[str], values: dict[str, Any], *, stock: int = 0, command: Command
) -> list[StockItem]:
    """Add a product to several branches. Each is a command of its own, so that a repeated form continues."""
    if len(branch_ids) > MAX_BRANCHES:
        text = _("A product can be added to %(most)s branches at a time.")
        raise Refused(text % {"most": MAX_BRANCHES}, "branches")
    return [
        create(business, branch_id, values, stock=stock, command=command.part(f"create {branch_id}"))
        for branch_id in branch_ids
    ]


@idempotent
def edit(business: str, product_id: str, values: dict[str, Any], *, revision: int, command: Command) -> StockItem:
    def attempt() -> StockItem:
        state = load_stock_state(business, product_id)
        product = ensure_exists(state)
        before = audit_values(product)
        PRODUCT_FIELDS.apply(product, values)
        after = audit_values(product)
        states = {"before": before, "after": after}
        if after == before:
            return report_unchanged(product, states, command)
        transaction = _save(state, revision, command)
        record_change(transaction, "edit", product, before, after)
        return transaction.commit(product, states)

    return _in_queue(business, product_id, attempt)


@idempotent
def move(business: str, product_id: str, branch_id: str, *, revision: int, command: Command) -> StockItem:
    """Move a product with all its stock to another branch. A transfer moves a part of the stock."""

    def attempt() -> StockItem:
        state = load_stock_state(business, product_id)
        product = ensure_exists(state)
        if product.is_retired:
            raise Conflict(product, _("This product is retired. Bring it back first."))
        previous = product.branch_id
        if previous == branch_id:
            raise Conflict(product, _("It is already in this branch."))
        target = load_branch(business, branch_id)
        product.branch_id = branch_id
        transaction = _save(state, revision, command)
        _require_open(transaction, business, branch_id)
        record_change(transaction, "move", product, {"branch": previous}, {"branch": target.title})
        return transaction.commit(product, {"branch": previous})

    return _in_queue(business, product_id, attempt)


@idempotent
def retire(business: str, product_id: str, *, revision: int, command: Command) -> StockItem:
    """Take a product out of all lists and totals. Its movements stay."""

    def attempt() -> StockItem:
        state = load_stock_state(business, product_id)
        product = ensure_exists(state)
        if product.is_retired:
            raise Conflict(product, _("This product is already retired."))
        product.retired_at = now()
        transaction = _save(state, revision, command)
        record_change(transaction, "retire", product)
        return transaction.commit(product)

    return _in_queue(business, product_id, attempt)


@idempotent
def bring_back(business: str, product_id: str, *, revision: int, command: Command) -> StockItem:
    def attempt() -> StockItem:
        state = load_stock_state(business, product_id)
        product = ensure_exists(state)
        if not product.is_retired:
            raise Conflict(product, _("This product is not retired."))
        product.retired_at = None
        transaction = _save(state, revision, command)
        if product.branch_id:
            _require_open(transaction, business, product.branch_id)
        record_change(transaction, "bring_back", product)
        return transaction.commit(product)

    return _in_queue(business, product_id, attempt)


def retire_new(business: str, product_ids: Sequence[str], *, command: Command) -> int:
    """Undo of a product that was added to several branches: retire those that nobody has edited since."""
    count = 0
    for product_id in product_ids[:MAX_BRANCHES]:
        with suppress(Conflict):
            retire(business, product_id, revision=1, command=command.part(f"retire {product_id}"))
            count += 1
    return count


def _save(state: StockState, revision: int, command: Command) -> Transaction:
    """A transaction with the edited product, the head of its ledger and the totals that follow."""
    ledger = state.ledger
    ledger.follow_edit(now())
    transaction = Transaction(command)
    write_ledger(transaction, ledger, revision=revision)
    return transaction


def _in_queue(business: str, product_id: str, attempt: Callable[[], StockItem]) -> StockItem:
    with queue_up((business, product_id)):
        return retry_while_busy(attempt)


def _require_open(transaction: Transaction, business: str, branch_id: str) -> None:
    is_open = Branch.pk.exists() & Branch.closed_at.does_not_exist()
    try:
        key = branch_key(business, branch_id)
    except BadKey as error:
        raise Refused(CLOSED, "branch") from error
    transaction.check(key, is_open, lambda _branch: Refused(CLOSED, "branch"))
