"""Undo of a movement: an inverse movement. Both sides of a transfer are undone together."""

from __future__ import annotations

from django.utils.translation import gettext as _

from dashboard.core.clock import now
from dashboard.core.errors import NotFound, Refused, StaleRevision
from dashboard.core.locks import queue_up
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent
from franchises.causes import Cause
from franchises.items import Movement
from franchises.queries.ledger import load_movement
from franchises.queries.stock import load_stock_states
from franchises.reasons import MovementReason
from franchises.services.ledger import (
    add_actor,
    ensure_caught_up,
    link_counterparts,
    retry_while_busy,
    write_ledger,
)
from franchises.services.stock_rules import ensure_changeable, result_of

Side = tuple[str, int]


@idempotent
def undo_movement(
    business: str, product_id: str, seq: int, *, cause: Cause | None = None, command: Command
) -> Movement:
    """Reverse a movement, once. The result is that of the inverse movement of this product."""
    movement = load_movement(business, product_id, seq)
    sides: list[Side] = [(product_id, seq)]
    if movement.counterpart:
        sides.append((str(movement.counterpart["product"]), int(movement.counterpart["seq"])))
    with queue_up(*((business, product) for product, _seq in sides)):
        return retry_while_busy(lambda: _try_undo(business, sides, cause, command))


def _try_undo(business: str, sides: list[Side], cause: Cause | None, command: Command) -> Movement:
    states = load_stock_states(business, [product for product, _seq in sides], sides)
    originals = [_ensure_found(state.movements.get(seq)) for state, (_product, seq) in zip(states, sides, strict=True)]
    # Of a transfer, only the outgoing side is marked: a transaction has ten steps.
    marked = min(originals, key=lambda each: each.change)
    if marked.undone_by:
        raise Refused(_("This movement has been undone already."))
    ledgers, at = [state.ledger for state in states], now()
    for state, ledger, original in zip(states, ledgers, originals, strict=True):
        if state.item is None:
            # Also the other side of a transfer: the page of this one still exists.
            raise Refused(_("This product no longer exists."))
        ensure_caught_up(ledger, at, command, is_alone=len(sides) == 1)
        ensure_changeable(ledger, -original.change, allows_negative=state.allows_negative_stock)
    inverses = [
        add_actor(ledger.move(-each.change, _reason(each), at=at, cause=cause, undoes=each.seq), command)
        for ledger, each in zip(ledgers, originals, strict=True)
    ]
    link_counterparts(inverses)
    marked.undone_by = inverses[originals.index(marked)].seq
    transaction = Transaction(command)
    for ledger in ledgers:
        write_ledger(transaction, ledger)
    transaction.save_unversioned(marked, marked.unchanged("undoneBy"), StaleRevision)
    return transaction.commit(inverses[0], result_of(inverses[0]))


def _ensure_found(movement: Movement | None) -> Movement:
    if movement is None:
        raise NotFound
    return movement


def _reason(original: Movement) -> MovementReason:
    """An undone sale counts against the sales; what an outside writer changed is corrected."""
    return MovementReason.CORRECTION if original.is_outside else MovementReason(original.reason)
