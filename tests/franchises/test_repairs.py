"""What outside writers change directly: the follower records it in the ledger, once, and keeps the totals right."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.core.clock import now
from dashboard.platform.stream import writer
from dashboard.platform.stream.changes import Change
from dashboard.platform.stream.repairs import compute_repairs
from dashboard.platform.stream.rules import load_context, rules_for_stored
from dashboard.table import keys, read
from dashboard.table.transactions import Transaction
from franchises.items import Branch, Franchise, StockHead
from franchises.queries.movement_filters import MovementFilter, filtered_movements
from franchises.queries.stock import item_key, load_stock_state
from franchises.queries.totals import totals
from franchises.reasons import MovementReason
from franchises.services.ledger import write_ledger
from franchises.services.stock import change_stock
from tests.bookings.outside import OutsideWriter
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
    raw_product,
)

pytestmark = pytest.mark.usefixtures("table")
KEY = item_key(BUSINESS, PRODUCT)
VALUES = {"id": PRODUCT, "franchiseId": BUSINESS, "branchId": CENTRO, "name": "Big Mac", "stock": 10}


@pytest.fixture
def outside(table: str) -> OutsideWriter:
    return OutsideWriter()


def put(outside: OutsideWriter, **values: Any) -> int:
    outside.put(KEY, **{name: value for name, value in (VALUES | values).items() if value is not None})
    return outside.follow().repairs


def sell(number: int = 1) -> None:
    change_stock(BUSINESS, PRODUCT, change=-number, reason=MovementReason.SALE, command=command())


def edit(**values: Any) -> None:
    """Edit the product as a person does."""
    state = load_stock_state(BUSINESS, PRODUCT)
    assert state.item is not None
    for name, value in values.items():
        setattr(state.item, name, value)
    ledger, transaction = state.ledger, Transaction(command())
    ledger.follow_edit(now())
    write_ledger(transaction, ledger, revision=state.item.revision)
    transaction.commit(state.item)


@every_engine
def test_a_new_product_gets_an_opening_balance_and_counts_in_its_branch(table: Any) -> None:
    outside = OutsideWriter()
    assert put(outside) == 1
    assert_index_keys_are_right(raw_product())
    assert (head_of().opening_balance, head_of().last_after, head_of().seq) == (10, 10, 0)
    assert ledger_of() == [] and totals(BUSINESS) == {CENTRO: (1, 10)}
    outside.update(KEY, stock=4)
    assert outside.follow().repairs == 1
    assert numbers_of() == [(10, -6, 4)] and totals(BUSINESS) == {CENTRO: (1, 4)}
    assert_index_keys_are_right(raw_product())


def test_a_change_becomes_a_movement_of_the_outside_writer(outside: OutsideWriter) -> None:
    put(outside)
    sell()
    outside.update(KEY, stock=12)
    outside.follow()
    movement = ledger_of()[-1]
    assert (movement.before, movement.change, movement.after, movement.reason) == (9, 3, 12, "outside")
    assert movement.is_outside and movement.branch_id == CENTRO
    assert [each.key for each in filtered_movements(BUSINESS, MovementFilter(), limit=1).items] == [movement.key]


def test_a_record_that_is_processed_again_changes_nothing(outside: OutsideWriter) -> None:
    put(outside)
    outside.update(KEY, stock=4)
    records = list(outside.records)
    assert outside.follow().repairs == 1
    outside.records = records
    assert outside.follow().repairs == 0
    assert numbers_of() == [(10, -6, 4)]


def test_a_change_that_a_command_has_recorded_is_not_recorded_again(outside: OutsideWriter) -> None:
    put(outside)
    outside.update(KEY, stock=4)
    sell()
    assert outside.follow().repairs == 0
    assert numbers_of() == [(10, -6, 4), (4, -1, 3)] and totals(BUSINESS) == {CENTRO: (1, 3)}


def test_our_own_changes_need_no_repair(outside: OutsideWriter) -> None:
    put(outside)
    before = raw_product()
    sell()
    change = Change(before, raw_product())
    context = load_context(change, rules_for_stored(raw_product()))
    assert compute_repairs(change.old, change.new, context) == []


@pytest.mark.parametrize("during", ["a sale", "another direct change"])
def test_a_repair_that_was_computed_before_another_change_is_not_written(outside: OutsideWriter, during: str) -> None:
    put(outside)
    before = raw_product()
    outside.update(KEY, stock=4)
    change = Change(before, raw_product())
    writes = compute_repairs(change.old, change.new, load_context(change, rules_for_stored(raw_product())))
    if during == "a sale":
        sell()
    else:
        outside.update(KEY, stock=5)
    assert not writer.apply(writes)
    outside.follow()
    assert numbers_of() == ([(10, -6, 4), (4, -1, 3)] if during == "a sale" else [(10, -5, 5)])
    assert totals(BUSINESS) == {CENTRO: (1, 3 if during == "a sale" else 5)}


@pytest.mark.parametrize("stock", ["sold out", None, True])
def test_an_unreadable_stock_counts_as_zero(outside: OutsideWriter, stock: Any) -> None:
    put(outside)
    outside.update(KEY, stock=stock)
    outside.follow()
    assert numbers_of() == [(10, -10, 0)] and totals(BUSINESS) == {CENTRO: (1, 0)}
    sold_out = {"sold out": "sold out", None: None, True: "True"}
    assert ledger_of()[0].note == sold_out[stock]
    outside.update(KEY, stock=3)
    outside.follow()
    assert numbers_of() == [(10, -10, 0), (0, 3, 3)]


def test_a_put_restores_what_only_this_product_writes(outside: OutsideWriter) -> None:
    put(outside)
    edit(sku="BM-1", min_stock=5, price=3900)
    put(outside, stock=4)
    raw = raw_product()
    assert (raw["sku"], raw["minStock"], raw["price"]) == ({"S": "BM-1"}, {"N": "5"}, {"N": "3900"})
    assert raw["revision"] == {"N": "2"}
    assert_index_keys_are_right(raw)
    assert [each.key for each in read.page(keys.LOW_STOCK.collection(tenant=BUSINESS)).items] == [head_of().key]
    assert numbers_of() == [(10, -6, 4)]


def test_a_put_does_not_bring_a_retired_product_back(outside: OutsideWriter) -> None:
    put(outside)
    edit(retired_at=now())
    assert totals(BUSINESS) == {CENTRO: (0, 0)}
    put(outside, stock=7)
    assert "retiredAt" in raw_product() and totals(BUSINESS) == {CENTRO: (0, 0)}
    assert numbers_of() == [(10, -3, 7)]
    edit(retired_at=None)
    assert "retiredAt" not in raw_product() and totals(BUSINESS) == {CENTRO: (1, 7)}


def test_a_moved_product_counts_in_its_new_branch(outside: OutsideWriter) -> None:
    put(outside)
    outside.update(KEY, branchId=NORTE, stock=8)
    outside.follow()
    assert totals(BUSINESS) == {CENTRO: (0, 0), NORTE: (1, 8)}
    outside.update(KEY, branchId=None)
    outside.follow()
    assert totals(BUSINESS) == {CENTRO: (0, 0), NORTE: (0, 0)}


def test_a_deleted_product_leaves_its_ledger_and_no_units(outside: OutsideWriter) -> None:
    put(outside)
    edit(min_stock=50)
    outside.delete(KEY)
    records = list(outside.records)
    assert outside.follow().repairs == 1
    outside.records = records
    assert outside.follow().repairs == 0
    assert numbers_of() == [(10, -10, 0)] and totals(BUSINESS) == {CENTRO: (0, 0)}
    for collection in (keys.LOW_STOCK, keys.STOCK_BY_LAST_MOVEMENT):
        assert read.page(collection.collection(tenant=BUSINESS)).items == []
    put(outside, stock=3)
    assert numbers_of() == [(10, -10, 0), (0, 3, 3)] and totals(BUSINESS) == {CENTRO: (1, 3)}


def test_a_product_that_was_deleted_before_it_was_counted_has_no_ledger(outside: OutsideWriter) -> None:
    outside.put(KEY, **VALUES)
    outside.delete(KEY)
    outside.follow()
    assert read.get(StockHead, keys.STOCK_HEAD.key(tenant=BUSINESS, product=PRODUCT)) is None
    assert totals(BUSINESS) == {}


def test_branches_and_franchises_are_listed_and_keep_our_attributes(outside: OutsideWriter) -> None:
    branch, franchise = keys.BRANCH.key(tenant=BUSINESS, branch="001"), keys.FRANCHISE.key(tenant=BUSINESS)
    outside.put(branch, id=CENTRO, name="Centro", revision=1, closedAt="2026-01-01T00:00:00Z")
    outside.put(franchise, id=BUSINESS, name="Andina", revision=1, allowNegativeStock=True)
    outside.follow()
    assert [each.key for each in read.page(keys.BRANCHES.collection(tenant=BUSINESS)).items] == [branch]
    assert [each.key for each in read.page(keys.FRANCHISES.collection()).items] == [franchise]
    outside.put(branch, id=CENTRO, name="Centro 2")
    outside.put(franchise, id=BUSINESS, name="Andina 2")
    outside.follow()
    stored, rules = read.get(Branch, branch), read.get(Franchise, franchise)
    assert stored is not None and stored.is_closed and stored.name == "Centro 2"
    assert rules is not None and rules.allows_negative_stock
