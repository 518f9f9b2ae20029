"""Transfers: both sides in one transaction, and undone together."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.core.errors import NotFound, Refused
from franchises.queries.totals import totals
from franchises.reasons import MovementReason
from franchises.services.stock import change_stock, undo_movement
from franchises.services.transfers import transfer
from tests.conftest import every_engine
from tests.franchises.chain import (
    BUSINESS,
    CENTRO,
    IN_NORTE,
    NORTE,
    PRODUCT,
    command,
    ledger_of,
    numbers_of,
    put_product,
    raw_product,
    set_raw,
)

pytestmark = pytest.mark.usefixtures("table")


def move(units: int = 4, source: str = PRODUCT, target: str = IN_NORTE, **options: Any) -> Any:
    return transfer(BUSINESS, source, target, units=units, **({"command": command()} | options))


def put_both(**values: Any) -> None:
    put_product(**values)
    put_product(IN_NORTE, branch=NORTE, stock=1)


@every_engine
def test_a_transfer_changes_both_branches(table: Any) -> None:
    put_both()
    outgoing, incoming = move(note="for Saturday")
    assert (outgoing.product_id, outgoing.change, outgoing.after) == (PRODUCT, -4, 6)
    assert (incoming.product_id, incoming.change, incoming.after) == (IN_NORTE, 4, 5)
    assert outgoing.cause == incoming.cause and outgoing.cause["kind"] == "transfer"
    assert outgoing.counterpart == {"product": IN_NORTE, "seq": 1}
    assert incoming.counterpart == {"product": PRODUCT, "seq": 1}
    assert totals(BUSINESS) == {CENTRO: (1, 6), NORTE: (1, 5)}


def test_a_repeated_transfer_happens_once() -> None:
    put_both(stock=4)
    same = command()
    assert [each.seq for each in move(command=same)] == [each.seq for each in move(command=same)]
    assert raw_product()["stock"] == {"N": "0"} and raw_product(IN_NORTE)["stock"] == {"N": "5"}


@every_engine
@pytest.mark.parametrize("undone", [PRODUCT, IN_NORTE])
def test_undo_from_either_side_reverses_both(table: Any, undone: str) -> None:
    put_both()
    move()
    inverse = undo_movement(BUSINESS, undone, 1, command=command())
    assert (inverse.product_id, inverse.undoes) == (undone, 1)
    assert numbers_of() == [(10, -4, 6), (6, 4, 10)] and numbers_of(IN_NORTE) == [(1, 4, 5), (5, -4, 1)]
    assert totals(BUSINESS) == {CENTRO: (1, 10), NORTE: (1, 1)}
    for side in (PRODUCT, IN_NORTE):
        with pytest.raises(Refused, match="already"):
            undo_movement(BUSINESS, side, 1, command=command())
    undo_movement(BUSINESS, undone, inverse.seq, command=command())
    assert raw_product()["stock"] == {"N": "6"} and raw_product(IN_NORTE)["stock"] == {"N": "5"}


@every_engine
def test_direct_changes_on_both_sides_are_recorded_first(table: Any) -> None:
    put_both()
    move()
    set_raw((BUSINESS, PRODUCT), stock=20)
    set_raw((BUSINESS, IN_NORTE), stock="2")
    move()
    assert numbers_of() == [(10, -4, 6), (6, 14, 20), (20, -4, 16)]
    assert numbers_of(IN_NORTE) == [(1, 4, 5), (5, -3, 2), (2, 4, 6)]
    assert totals(BUSINESS) == {CENTRO: (1, 16), NORTE: (1, 6)}


def test_units_that_are_not_there_cannot_be_transferred() -> None:
    put_both()
    with pytest.raises(Refused, match="only 10"):
        move(11)
    assert ledger_of() == ledger_of(IN_NORTE) == []


@pytest.mark.parametrize("units", [0, -4])
def test_a_transfer_of_nothing_is_refused(units: int) -> None:
    put_both()
    with pytest.raises(Refused):
        move(units)


def test_a_transfer_to_another_product_or_within_a_branch_is_refused() -> None:
    put_both()
    put_product("product-003", branch=NORTE, name="Fries")
    put_product("product-004", branch=CENTRO)
    for target in ("product-003", "product-004", PRODUCT):
        with pytest.raises(Refused):
            move(target=target)
    with pytest.raises(NotFound):
        move(target="product-404")


def test_units_that_were_sold_meanwhile_cannot_be_transferred_back() -> None:
    put_both()
    move()
    change_stock(BUSINESS, IN_NORTE, change=-5, reason=MovementReason.SALE, command=command())
    with pytest.raises(Refused, match="only 0"):
        undo_movement(BUSINESS, PRODUCT, 1, command=command())
