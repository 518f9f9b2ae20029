"""The demo's stores: added once, with something in every list."""

from __future__ import annotations

import pytest

from dashboard.core.clock import now
from franchises.demo import stores as demo
from franchises.queries import products
from franchises.queries.branches import branches_of
from franchises.queries.counts import lines_of, sheets
from franchises.queries.movement_filters import MovementFilter, filtered_movements
from franchises.queries.totals import totals
from franchises.reasons import MovementReason
from franchises.verification import StockCount, verify
from tests.conftest import add_business

OTHERS = (MovementReason.TRANSFER, MovementReason.OUTSIDE)


@pytest.mark.parametrize("table", ["dynoxide"], indirect=True)
def test_the_demo_has_something_in_every_list_and_is_added_once(table: str) -> None:
    assert demo.seed() == (0, 0), "there is no business yet"
    add_business("andina", "Coca-Cola Andina")
    added, moved = demo.seed()
    assert added > 50 and moved > 150
    branches = branches_of("andina")
    assert len(branches) == 6 and [each.is_closed for each in branches].count(True) == 1
    assert products.low_stock("andina").items and products.negative_stock("andina").items
    assert products.unmoved_since("andina", now()).items
    for reason in (MovementReason.SALE, MovementReason.DELIVERY, MovementReason.LOSS, *OTHERS):
        assert filtered_movements("andina", MovementFilter(reason=reason)).items, reason
    for sku in (True, False):
        group = next(each.group for each in products.products_by_name("andina").items if bool(each.sku) is sku)
        assert group is not None and len(products.stock_of_group("andina", group)) > 1
    (sheet,) = sheets("andina").items
    assert sheet.is_open and sum(line.is_counted for line in lines_of("andina", sheet.id)) > 2
    assert sum(bool(line.difference) for line in lines_of("andina", sheet.id)) == 2
    assert sum(each.products for each in totals("andina").values()) == added
    assert list(verify(["andina"], StockCount())) == []
    assert demo.seed() == (0, 0)
