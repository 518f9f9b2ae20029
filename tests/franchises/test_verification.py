"""`verify_stock` replays the movements and reports the first inconsistent one."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from django.core.management import call_command

from dashboard.table import connection, keys
from franchises.queries.stock import item_key
from franchises.reasons import MovementReason
from franchises.services.stock import change_stock
from tests.bookings.outside import OutsideWriter
from tests.conftest import every_engine
from tests.faults import bad_network, lose_request
from tests.franchises.chain import BUSINESS, CENTRO, PRODUCT, command, put_franchise, set_raw

KEY = item_key(BUSINESS, PRODUCT)


@pytest.fixture
def outside(table: str) -> OutsideWriter:
    """A writer that has put a product, of which two were sold."""
    outside = OutsideWriter()
    outside.put(keys.FRANCHISE.key(tenant=BUSINESS), name="Andina")
    outside.put(KEY, branchId=CENTRO, name="Big Mac", stock=10)
    outside.follow()
    for _ in range(2):
        change_stock(BUSINESS, PRODUCT, change=-1, reason=MovementReason.SALE, command=command())
    return outside


def verify(**options: Any) -> tuple[int, dict[str, Any]]:
    code, out = run(json=True, **options)
    report: dict[str, Any] = json.loads(out)
    return code, report


def run(**options: Any) -> tuple[int, str]:
    out = io.StringIO()
    try:
        call_command("verify_stock", stdout=out, **options)
    except SystemExit as exit:
        return int(str(exit.code)), out.getvalue()
    return 0, out.getvalue()


def movement(seq: int) -> tuple[str, str]:
    return keys.MOVEMENT.key(tenant=BUSINESS, product=PRODUCT, seq=seq)


@every_engine
def test_a_consistent_ledger(table: Any, outside: OutsideWriter) -> None:
    code, report = verify()
    assert (code, report) == (0, {"franchises": 1, "products": 1, "movements": 2, "problems": []})
    assert run() == (0, "2 movements of 1 products in 1 franchises: consistent.\n")


@pytest.mark.parametrize(
    ("key", "values", "number", "text"),
    [
        (movement(1), {"after": 8}, 1, "do not give 8"),
        (movement(2), {"before": 7, "after": 6}, 2, "begins with 7, but the stock before it was 9"),
        (movement(2), {"GSI1SK": "elsewhere"}, 2, "GSI1SK"),
        (KEY, {"stock": 5}, None, "end with 8, the head with 8, the stock is 5"),
        (KEY, {"branchId": "branch-9"}, None, "branch-9"),
        (KEY, {"GSITypeSK": "0000000099"}, None, "GSITypeSK"),
        (keys.STOCK_HEAD.key(tenant=BUSINESS, product=PRODUCT), {"seq": 3}, 3, "2 movements"),
        (keys.STOCK_HEAD.key(tenant=BUSINESS, product=PRODUCT), {"GSITypeSK": "x"}, None, "GSITypeSK"),
        (keys.STOCK_HEAD.key(tenant=BUSINESS, product=PRODUCT), {"openingBalance": 11}, 1, "before it was 11"),
    ],
)
def test_the_first_inconsistency_of_a_product_is_reported(
    outside: OutsideWriter, key: Any, values: dict[str, Any], number: int | None, text: str
) -> None:
    set_raw(key, **values)
    code, report = verify(business=BUSINESS)
    (problem,) = [each for each in report["problems"] if each["product"]]
    assert code == 1 and (problem["product"], problem["movement"]) == (PRODUCT, number) and text in problem["text"]
    assert run()[0] == 1 and text in run()[1]


def test_a_missing_movement_is_reported(outside: OutsideWriter) -> None:
    outside.delete(keys.MOVEMENT.key(tenant=BUSINESS, product=PRODUCT, seq=1))
    (problem,) = verify()[1]["problems"]
    assert (problem["movement"], problem["text"]) == (1, "it is missing: the next one has the number 2")


def test_wrong_totals_are_reported(outside: OutsideWriter) -> None:
    table = connection.table().table_name
    (total,) = connection.client().query(
        TableName=table,
        KeyConditionExpression="PK = :pk AND begins_with(SK, :sk)",
        ExpressionAttributeValues={":pk": {"S": f"FRANCHISE#{BUSINESS}"}, ":sk": {"S": "TOTAL#"}},
    )["Items"]
    set_raw((total["PK"]["S"], total["SK"]["S"]), units=99)
    (problem,) = verify()[1]["problems"]
    assert problem["branch"] == CENTRO and "1 products and 99 units, the ledgers 1 and 8" in problem["text"]


def test_a_product_without_a_ledger_and_an_open_ledger_without_a_product_are_reported(outside: OutsideWriter) -> None:
    outside.put(item_key(BUSINESS, "product-7"), branchId=CENTRO, name="Fries", stock=3)
    outside.delete(KEY)
    assert {
        (each["product"], each["text"].partition(":")[0]) for each in verify()[1]["problems"] if each["product"]
    } == {
        ("product-7", "it has no ledger yet"),
        (PRODUCT, "it was deleted, but its ledger is still open"),
    }
    outside.follow()
    assert verify()[0] == 0


@pytest.mark.usefixtures("table")
def test_a_franchise_without_products_is_consistent() -> None:
    put_franchise()
    assert verify(business=BUSINESS)[1]["problems"] == []


def test_a_table_that_does_not_answer_has_an_exit_code_of_its_own(dynoxide_endpoint: str, table: str) -> None:
    with bad_network() as network:
        network.add_random_fault(1, lose_request)
        assert run(business=BUSINESS)[0] == 2
        assert "error" in verify(business=BUSINESS)[1]
