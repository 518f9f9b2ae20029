"""Changes of a stock: the number, its movements, the totals, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.core.errors import Conflict, NotFound, Refused
from dashboard.table import keys, read
from franchises.causes import Cause, CauseKind
from franchises.items import Movement
from franchises.queries import ledger as queries
from franchises.queries.movement_filters import MovementFilter, filtered_movements
from franchises.queries.totals import totals
from franchises.reasons import MovementReason
from franchises.services.stock import change_stock, set_stock, undo_movement
from tests.conftest import every_engine
from tests.franchises.chain import (
    BUSINESS,
    CENTRO,
    NORTE,
    PRODUCT,
    assert_index_keys_are_right,
    command,
    head_of,
    ledger_of,
    numbers_of,
    put_franchise,
    put_product,
    raw_product,
    set_raw,
)

pytestmark = pytest.mark.usefixtures("table")
SALE, DELIVERY, CORRECTION = MovementReason.SALE, MovementReason.DELIVERY, MovementReason.CORRECTION


def change(number: int, reason: MovementReason = SALE, **options: Any) -> Any:
    return change_stock(BUSINESS, PRODUCT, change=number, reason=reason, **({"command": command()} | options))


@every_engine
def test_a_sale_writes_stock_head_movement_and_total(table: Any) -> None:
    put_product(extra="kept")
    movement = change(-3, note=" till 2 ", cause=Cause(CauseKind.FILE, "f1", "sales.csv"))
    assert (movement.seq, movement.before, movement.change, movement.after) == (1, 10, -3, 7)
    assert movement.outcome.result == {"after": 7, "isNegative": False}
    stored = ledger_of()[0]
    assert (stored.reason, stored.note, stored.branch_id, stored.name) == ("sale", "till 2", CENTRO, "Big Mac")
    assert stored.actor == {"email": "alma@example.com", "name": "Alma Ríos"}
    assert stored.cause == {"kind": "file", "id": "f1", "title": "sales.csv"}
    raw = raw_product()
    assert raw["stock"] == {"N": "7"} and raw["extra"] == {"S": "kept"} and "revision" not in raw
    assert raw["GSI1SK"] == {"S": f"{BUSINESS}#S#0000000007"} and raw["GSITypeSK"] == {"S": "0000000007"}
    assert_index_keys_are_right(raw)
    head = head_of()
    assert (head.seq, head.last_after, head.opening_balance, head.branch_id) == (1, 7, 10, CENTRO)
    assert totals(BUSINESS) == {CENTRO: (1, 7)}


def test_movements_are_numbered_without_gaps_and_explain_the_stock() -> None:
    put_product()
    for number, reason in ((-3, SALE), (5, DELIVERY), (-1, MovementReason.LOSS)):
        change(number, reason)
    assert [each.seq for each in ledger_of()] == [1, 2, 3]
    assert numbers_of() == [(10, -3, 7), (7, 5, 12), (12, -1, 11)]
    assert totals(BUSINESS) == {CENTRO: (1, 11)}
    assert head_of().opening_balance == 10


def test_a_repeated_command_changes_the_stock_once() -> None:
    put_product()
    same = command()
    first, second = change(-10, command=same), change(-10, command=same)
    assert (first.seq, second.seq, second.after, second.outcome.result["after"]) == (1, 1, 0, 0)
    assert numbers_of() == [(10, -10, 0)]


def test_stock_does_not_go_below_zero() -> None:
    put_product(stock=2)
    with pytest.raises(Refused, match="only 2 of Big Mac") as error:
        change(-3)
    assert error.value.field == "change"
    assert raw_product()["stock"] == {"N": "2"} and ledger_of() == []


def test_where_the_franchise_allows_it_the_result_states_the_number_below_zero() -> None:
    put_franchise(allows_negative_stock=True)
    put_product(stock=2)
    assert change(-5).outcome.result == {"after": -3, "isNegative": True}
    assert raw_product()["GSITypeSK"] == {"S": "-9999999997"}
    assert totals(BUSINESS) == {CENTRO: (1, -3)}


def test_a_delivery_to_a_stock_below_zero_is_accepted() -> None:
    put_product(stock=-5)
    assert change(2, DELIVERY).after == -3


@pytest.mark.parametrize(
    ("stored", "seen"),
    [("12", 12), ("a dozen", None), (None, None), (-4, -4), (1.5, 1.5), ({"n": 1}, None), (True, None), (10**20, None)],
)
def test_any_stock_of_an_outside_writer_can_be_corrected(stored: Any, seen: float | None) -> None:
    put_product(stock=stored)
    movement = set_stock(BUSINESS, PRODUCT, stock=8, seen=seen, reason=CORRECTION, command=command())
    opening = seen or 0
    assert (movement.before, movement.after) == (opening, 8)
    assert raw_product()["stock"] == {"N": "8"}
    assert_index_keys_are_right(raw_product())
    assert totals(BUSINESS) == {CENTRO: (1, 8)}


def test_a_number_stored_as_text_becomes_a_number_even_if_it_is_equal() -> None:
    put_product(stock="8")
    set_stock(BUSINESS, PRODUCT, stock=8, seen=8, reason=MovementReason.COUNT, command=command())
    assert raw_product()["stock"] == {"N": "8"} and numbers_of() == [(8, 0, 8)]


def test_a_stock_that_differs_from_what_the_person_saw_is_a_conflict() -> None:
    put_product(stock=10)
    change(-1)
    with pytest.raises(Conflict, match=r"was 10 .* now 9"):
        set_stock(BUSINESS, PRODUCT, stock=20, seen=10, reason=CORRECTION, command=command())
    assert raw_product()["stock"] == {"N": "9"}


def test_a_correction_of_a_text_does_not_overwrite_another_one() -> None:
    put_product(stock="a dozen")
    set_stock(BUSINESS, PRODUCT, stock=12, seen=None, reason=CORRECTION, command=command())
    with pytest.raises(Conflict, match=r"was – .* now 12"):
        set_stock(BUSINESS, PRODUCT, stock=10, seen=None, reason=CORRECTION, command=command())
    assert raw_product()["stock"] == {"N": "12"}


def test_a_direct_change_of_an_outside_writer_is_recorded_before_ours() -> None:
    put_product()
    change(-1)
    set_raw((BUSINESS, PRODUCT), stock=4)
    change(-1)
    assert numbers_of() == [(10, -1, 9), (9, -5, 4), (4, -1, 3)]
    outside = ledger_of()[1]
    assert outside.reason == "outside" and outside.is_outside
    assert totals(BUSINESS) == {CENTRO: (1, 3)}


def test_the_movement_of_an_unreadable_stock_notes_what_was_stored() -> None:
    put_product()
    change(-1)
    set_raw((BUSINESS, PRODUCT), stock="sold out")
    change(6, DELIVERY)
    assert [(each.change, each.note) for each in ledger_of()] == [(-1, None), (-9, "sold out"), (6, None)]


def test_a_product_that_an_outside_writer_moved_counts_in_its_new_branch() -> None:
    put_product()
    change(-1)
    set_raw((BUSINESS, PRODUCT), branchId=NORTE)
    change(-1)
    assert totals(BUSINESS) == {CENTRO: (0, 0), NORTE: (1, 8)}
    assert [each.branch_id for each in ledger_of()] == [CENTRO, NORTE]


def test_a_retired_product_cannot_be_changed() -> None:
    put_product(retiredAt="2026-01-01T00:00:00Z")
    with pytest.raises(Refused, match="retired"):
        change(1)


@pytest.mark.parametrize("product_id", ["product-404", "product-", "branch-001", "x", "product-a#b"])
def test_an_unknown_product_is_not_found(product_id: str) -> None:
    with pytest.raises(NotFound):
        change_stock(BUSINESS, product_id, change=1, reason=SALE, command=command())


def test_a_change_of_nothing_or_beyond_ten_digits_is_refused() -> None:
    put_product()
    for number in (0, 10**10):
        with pytest.raises(Refused):
            change(number)


def test_low_stock_is_in_its_index_while_the_stock_is_at_the_minimum() -> None:
    put_product(minStock=5)
    change(-4)
    assert read.page(keys.LOW_STOCK.collection(tenant=BUSINESS)).items == []
    change(-1)
    assert [each.key for each in read.page(keys.LOW_STOCK.collection(tenant=BUSINESS)).items] == [head_of().key]
    change(1, DELIVERY)
    assert read.page(keys.LOW_STOCK.collection(tenant=BUSINESS)).items == []


def test_a_movement_is_undone_once() -> None:
    put_product()
    sale = change(-3)
    inverse = undo_movement(BUSINESS, PRODUCT, sale.seq, command=command())
    assert (inverse.change, inverse.after, inverse.undoes, inverse.reason) == (3, 10, 1, "sale")
    assert ledger_of()[0].undone_by == 2
    with pytest.raises(Refused, match="already"):
        undo_movement(BUSINESS, PRODUCT, sale.seq, command=command())
    undo_movement(BUSINESS, PRODUCT, inverse.seq, command=command())
    assert numbers_of() == [(10, -3, 7), (7, 3, 10), (10, -3, 7)]


def test_undo_of_a_delivery_that_is_sold_already_is_refused() -> None:
    put_product(stock=0)
    delivery = change(5, DELIVERY)
    change(-4)
    with pytest.raises(Refused, match="only 1"):
        undo_movement(BUSINESS, PRODUCT, delivery.seq, command=command())


def test_what_an_outside_writer_changed_can_be_undone() -> None:
    put_product()
    change(-1)
    set_raw((BUSINESS, PRODUCT), stock=4)
    change(-1)
    inverse = undo_movement(BUSINESS, PRODUCT, 2, command=command())
    assert (inverse.change, inverse.after, inverse.reason) == (5, 8, "correction")


def filtered(**filters: str) -> list[Movement]:
    return filtered_movements(BUSINESS, MovementFilter(**filters)).items


def test_movements_are_listed_by_branch_reason_cause_and_person() -> None:
    put_product()
    change(-1, cause=Cause(CauseKind.COUNT, "c1"))
    change(4, DELIVERY)
    assert [each.change for each in filtered()] == [4, -1]
    assert [each.change for each in filtered(branch=CENTRO)] == [4, -1]
    assert [each.change for each in filtered(reason="sale")] == [-1]
    assert [each.change for each in queries.movements_of_cause(BUSINESS, "c1").items] == [-1]
    assert [each.change for each in queries.movements_by(BUSINESS, "alma@example.com").items] == [4, -1]
    assert filtered(since="2999") == []
    assert filtered(branch="a#b") == []
