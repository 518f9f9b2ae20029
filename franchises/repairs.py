"""Repairs of what outside writers change: the ledger of a stock item, its totals, and attributes of ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dashboard.core.clock import now
from dashboard.platform.stream.changes import Change, Write
from dashboard.platform.stream.lost_attributes import restore_lost_attributes
from dashboard.platform.stream.rules import repairs_of
from franchises.items import StockItem
from franchises.ledger import HEAD_BASIS, StockLedger
from franchises.queries.stock import load_ledger


@repairs_of("branch")
def repair_branch(change: Change, loaded: None) -> Iterable[Write]:
    return restore_lost_attributes(change, ["closedAt"])


@repairs_of("franchise")
def repair_franchise(change: Change, loaded: None) -> Iterable[Write]:
    return restore_lost_attributes(change, ["allowNegativeStock"])


@repairs_of("stock item", load=lambda change: load_ledger(*change.key), on_delete=True)
def repair_stock(change: Change, ledger: StockLedger) -> Iterator[Write]:
    """Record what differs between the stock item and its ledger as they are now, which may be newer than the change.

    The writes are conditional on the item of the change and on the head. So a command that has recorded the change
    meanwhile makes them fail, and they are computed again.
    """
    is_deleted = change.new is None
    if is_deleted != (ledger.item is None):
        return  # The item was put again or deleted since, which has a record of its own.
    if is_deleted and (ledger.is_new or ledger.head.deleted_at):
        return  # Nothing was counted.
    lost = ledger.lost_values()
    if lost and ledger.item is not None:
        yield Write(change.key, lost)
        ledger.item = StockItem.of({**lost, **ledger.item.raw})
    yield from ledger_writes(ledger)


def ledger_writes(ledger: StockLedger) -> Iterator[Write]:
    """The writes that let the ledger catch up: head, movement and totals. None if it is not behind."""
    at = now()
    ledger.catch_up(at)
    if ledger.is_new:
        ledger.head.created_at = at
        yield Write.of_new(ledger.head)
    else:
        yield Write.of_changed(ledger.head, HEAD_BASIS)
    for movement in ledger.movements:
        movement.created_at = at
        yield Write.of_new(movement)
    for key, products, units in ledger.total_changes():
        yield Write(key, added={"products": products, "units": units})
