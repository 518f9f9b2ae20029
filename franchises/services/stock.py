"""Changes of one stock, and their undo. A movement is the audit entry of a change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from django.utils.translation import gettext as _

from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused
from dashboard.core.locks import queue_up
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent
from franchises.causes import Cause
from franchises.items import Movement
from franchises.ledger import Units, add, countable_stock, units_of
from franchises.queries.stock import StockState, load_stock_state
from franchises.reasons import MovementReason
from franchises.services.ledger import add_actor, ensure_exists, open_ledger, retry_while_busy, write_ledger
from franchises.services.stock_rules import ensure_changeable, result_of
from franchises.services.undo import undo_movement

__all__ = ["change_stock", "open_ledger", "set_stock", "undo_movement"]

MAX_NOTE_LENGTH = 500


@idempotent
def change_stock(
    business: str,
    product_id: str,
    *,
    change: int,
    reason: MovementReason,
    note: str = "",
    cause: Cause | None = None,
    command: Command,
) -> Movement:
    """Add units to a stock, or take them. The result has the stock after it, and whether it is below zero."""
    if not change:
        raise Refused(_("Enter a number other than 0."), field="change")
    return _move(business, product_id, lambda state: change, reason, note, cause, "change", command)


@idempotent
def set_stock(
    business: str,
    product_id: str,
    *,
    stock: int,
    seen: Units | Literal["any"] | None,
    reason: MovementReason,
    note: str = "",
    cause: Cause | None = None,
    command: Command,
) -> Movement:
    """Set a stock to a number, if it still is what the person saw: a number, or None for what is none; or `any`.

    An equal number is recorded as a movement of 0: someone has confirmed it.
    """

    def change_of(state: StockState) -> Units:
        item = ensure_exists(state)
        current = units_of(item)
        if seen != "any" and seen != countable_stock(item):
            text = _("The stock was %(seen)s when you opened the page and is now %(current)s. Nothing was changed.")
            raise Conflict(item, text % {"seen": "–" if seen is None else seen, "current": current})
        return add(stock, -current)

    return _move(business, product_id, change_of, reason, note, cause, "stock", command)


def _move(
    business: str,
    product_id: str,
    change_of: Callable[[StockState], Units],
    reason: MovementReason,
    note: str,
    cause: Cause | None,
    field: str,
    command: Command,
) -> Movement:
    def attempt() -> Movement:
        state = load_stock_state(business, product_id)
        change = change_of(state)
        ledger, at = state.ledger, now()
        ledger.catch_up(at)
        ensure_changeable(ledger, change, allows_negative=state.allows_negative_stock, field=field)
        movement = add_actor(ledger.move(change, reason, at=at, note=note[:MAX_NOTE_LENGTH], cause=cause), command)
        transaction = Transaction(command)
        write_ledger(transaction, ledger)
        return transaction.commit(movement, result_of(movement))

    with queue_up((business, product_id)):
        return retry_while_busy(attempt)
