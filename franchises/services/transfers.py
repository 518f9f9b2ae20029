"""Transfers of units between the branches of a franchise: both sides in one transaction."""

from __future__ import annotations

from django.utils.translation import gettext as _

from dashboard.core.clock import now
from dashboard.core.errors import Refused
from dashboard.core.ids import new_id
from dashboard.core.locks import queue_up
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent
from franchises.causes import Cause, CauseKind
from franchises.items import Movement, StockItem
from franchises.queries.ledger import load_movement
from franchises.queries.stock import load_stock_states
from franchises.reasons import MovementReason
from franchises.services.ledger import (
    add_actor,
    ensure_caught_up,
    ensure_exists,
    link_counterparts,
    retry_while_busy,
    write_ledger,
)
from franchises.services.stock import MAX_NOTE_LENGTH
from franchises.services.stock_rules import ensure_changeable, result_of


def transfer(
    business: str,
    source_product_id: str,
    target_product_id: str,
    *,
    units: int,
    note: str = "",
    cause: Cause | None = None,
    command: Command,
) -> tuple[Movement, Movement]:
    """Move units of a product from one branch to another. Returns the outgoing and the incoming movement."""
    if units <= 0:
        raise Refused(_("Enter a number above 0."), field="units")
    cause = cause or Cause(CauseKind.TRANSFER, new_id())
    outgoing = _transfer(
        business, source_product_id, target_product_id, units=units, note=note, cause=cause, command=command
    )
    other = outgoing.counterpart or {}
    return outgoing, load_movement(business, str(other.get("product")), int(other.get("seq", 0)))


@idempotent
def _transfer(
    business: str, source: str, target: str, *, units: int, note: str, cause: Cause, command: Command
) -> Movement:
    with queue_up((business, source), (business, target)):
        return retry_while_busy(lambda: _try_transfer(business, source, target, units, note, cause, command))


def _try_transfer(
    business: str, source: str, target: str, units: int, note: str, cause: Cause, command: Command
) -> Movement:
    states = load_stock_states(business, [source, target])
    _ensure_transferable(*(ensure_exists(state) for state in states))
    movements, at, transaction = [], now(), Transaction(command)
    ledgers = [state.ledger for state in states]
    for state, ledger, change in zip(states, ledgers, (-units, units), strict=True):
        ensure_caught_up(ledger, at, command, is_alone=False)
        ensure_changeable(ledger, change, allows_negative=state.allows_negative_stock, field="units")
        moved = ledger.move(change, MovementReason.TRANSFER, at=at, note=note[:MAX_NOTE_LENGTH], cause=cause)
        movements.append(add_actor(moved, command))
    link_counterparts(movements)
    for ledger in ledgers:
        write_ledger(transaction, ledger)
    return transaction.commit(movements[0], result_of(movements[0]))


def _ensure_transferable(source: StockItem, target: StockItem) -> None:
    if source.branch_id == target.branch_id:
        raise Refused(_("Choose another branch: the product is there already."), field="target")
    if source.group is None or source.group != target.group:
        raise Refused(_("These are two different products. Units move only between branches."), field="target")
