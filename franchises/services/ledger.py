"""Writes the ledger of a stock item: the item, the head, its new movements and the totals, in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TypeVar

from pynamodb.expressions.operand import Path

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, DomainError, NotFound, StaleRevision
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import Command
from dashboard.table.items import Item
from dashboard.table.retries import retry_on
from dashboard.table.transactions import Transaction, idempotent
from dashboard.web.requests import request_id_or_none
from franchises.causes import Cause
from franchises.errors import StockIsBusy
from franchises.items import Movement, StockHead, StockItem
from franchises.ledger import HEAD_BASIS, ITEM_BASIS, StockLedger, Units
from franchises.queries import stock as queries
from franchises.reasons import MovementReason

R = TypeVar("R")
TRIES = 12


def retry_while_busy(attempt: Callable[[], R]) -> R:
    """Read and write again while others change the same stock. Raises StockIsBusy after the last try."""
    try:
        return retry_on(StaleRevision, attempt, tries=TRIES)
    except StaleRevision as error:
        raise StockIsBusy from error


def add_actor(movement: Movement, command: Command) -> Movement:
    """Add who caused the movement."""
    movement.actor = {"email": command.by.email} | ({"name": command.by.name} if command.by.name else {})
    movement.operation, movement.request_id = command.id, request_id_or_none()
    return movement


def write_ledger(transaction: Transaction, ledger: StockLedger, *, revision: int | None = None) -> None:
    """Add the item, the head, its new movements and the totals: four steps, one more per movement beyond the first.

    With `revision` the item has edits of a person, who saw this revision. Otherwise only its stock has changed.
    """
    item = ledger.item
    if item is not None and revision is not None:
        # Outside writers do not count revisions, so the values that the ledger copies must be unchanged too.
        condition = item.unchanged("stock", *_changed_by_outside_writers(item))
        transaction.save(item, revision=revision, condition=condition, on_failure=_conflict_or_retry(revision))
    elif item is not None:
        always = ["stock"] if any(not each.is_outside for each in ledger.movements) else []
        transaction.save_unversioned(item, item.unchanged(*ITEM_BASIS), StaleRevision, always=always)
    _write_head(transaction, ledger)
    for movement in ledger.movements:
        transaction.create(movement, on_failure=StaleRevision)
    _write_totals(transaction, ledger)


def _changed_by_outside_writers(item: StockItem) -> list[str]:
    return ["branchId", "name"] if item.raw else []


def _conflict_or_retry(revision: int) -> Callable[[Item | None], DomainError]:
    def error_of(current: Item | None) -> DomainError:
        is_edited = current is None or current.revision != revision
        return Conflict(current) if is_edited else StaleRevision(current)

    return error_of


def open_ledger(
    transaction: Transaction,
    business: str,
    item: StockItem,
    stock: Units,
    reason: MovementReason,
    *,
    note: str = "",
    cause: Cause | None = None,
) -> Movement | None:
    """Add a new stock item with its ledger: three to four steps. Its first stock is a movement from 0."""
    item.stock = 0
    ledger = StockLedger(business, item.sk, item, None)
    ledger.catch_up(now())
    movement = ledger.move(stock, reason, at=now(), note=note, cause=cause) if stock else None
    transaction.create(item)
    _write_head(transaction, ledger)
    if movement is not None:
        transaction.create(add_actor(movement, transaction.command), on_failure=StaleRevision)
    _write_totals(transaction, ledger)
    return movement


@idempotent
def catch_up(business: str, product_id: str, *, command: Command) -> StockHead:
    """Record what outside writers have changed, in a transaction of its own."""

    def attempt() -> StockHead:
        state = queries.load_stock_state(business, product_id)
        ledger = state.ledger
        ledger.catch_up(now())
        transaction = Transaction(command)
        write_ledger(transaction, ledger)
        return transaction.commit(ledger.head)

    return retry_while_busy(attempt)


def ensure_caught_up(ledger: StockLedger, at: datetime, command: Command, *, is_alone: bool) -> None:
    """Record what outside writers changed before a change of ours.

    A transaction has no room for that on both sides of a transfer: there it is recorded first, then all is read again.
    """
    if not is_alone and ledger.is_behind:
        part = command.part(f"catch up {ledger.product_id} {ledger.head.seq}")
        catch_up(ledger.business, ledger.product_id, command=part)
        raise StaleRevision
    ledger.catch_up(at)


def link_counterparts(movements: Sequence[Movement]) -> None:
    """Let the two sides of a transfer name each other."""
    if len(movements) == 2:
        for one, other in (movements, movements[::-1]):
            one.counterpart = {"product": other.product_id, "seq": other.seq}


def ensure_exists(state: queries.StockState) -> StockItem:
    if state.item is None:
        raise NotFound
    return state.item


def _write_head(transaction: Transaction, ledger: StockLedger) -> None:
    head = ledger.head
    if ledger.is_new:
        transaction.create(head, on_failure=StaleRevision)
    else:
        transaction.save_unversioned(head, head.unchanged(*HEAD_BASIS), StaleRevision)


def _write_totals(transaction: Transaction, ledger: StockLedger) -> None:
    for key, products, units in ledger.total_changes():
        added: Iterable[tuple[str, Units]] = (("products", products), ("units", units))
        actions = [Path([name]).add(to_attribute(number)) for name, number in added]
        transaction.update(key, actions, None, StaleRevision)
