"""A franchise with branches and stock, as the franchise service writes it, and a check of its ledger."""

from __future__ import annotations

from typing import Any

from dashboard.table import connection, keys, read
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import Command, new_command
from dashboard.table.index_keys import index_keys_of
from dashboard.table.items import Raw
from dashboard.table.schema import INDEXES
from franchises.items import Movement, StockHead, StockItem
from franchises.queries.ledger import movements_of
from franchises.queries.stock import load_stock_item
from tests.conftest import ACTOR

BUSINESS = "andina"
CENTRO, NORTE = "branch-001", "branch-002"
PRODUCT, IN_NORTE = "product-001", "product-002"


def command() -> Command:
    return new_command(ACTOR)


def put_raw(pk: str, sk: str, **values: Any) -> None:
    """Put a whole item without our attributes, as an outside writer does."""
    item = {"PK": {"S": pk}, "SK": {"S": sk}} | {name: to_attribute(value) for name, value in values.items()}
    connection.client().put_item(TableName=connection.table().table_name, Item=item)


def set_raw(key: tuple[str, str], **values: Any) -> None:
    """Set attributes, as an outside writer does."""
    names = {f"#{number}": name for number, name in enumerate(values)}
    placeholders = {f":{number}": to_attribute(value) for number, value in enumerate(values.values())}
    connection.client().update_item(
        TableName=connection.table().table_name,
        Key={"PK": {"S": key[0]}, "SK": {"S": key[1]}},
        UpdateExpression="SET " + ", ".join(f"#{number} = :{number}" for number in range(len(values))),
        ExpressionAttributeNames=names,
        ExpressionAttributeValues=placeholders,
    )


def put_product(product_id: str = PRODUCT, *, branch: str | None = CENTRO, **values: Any) -> None:
    """A product of the franchise service, without index keys and ledger."""
    made = {"id": product_id, "franchiseId": BUSINESS, "name": "Big Mac", "stock": 10} | values
    if branch is not None:
        made["branchId"] = branch
    put_raw(BUSINESS, product_id, **{name: value for name, value in made.items() if value is not None})


def put_franchise(*, allows_negative_stock: bool = False) -> None:
    put_raw(*keys.FRANCHISE.key(tenant=BUSINESS), name="Andina", allowNegativeStock=allows_negative_stock)


def raw_product(product_id: str = PRODUCT) -> Raw:
    found = read.raw_item(load_stock_item(BUSINESS, product_id).key)
    assert found is not None
    return found


def head_of(product_id: str = PRODUCT) -> StockHead:
    head = read.get(StockHead, keys.STOCK_HEAD.key(tenant=BUSINESS, product=product_id))
    assert head is not None
    return head


def ledger_of(product_id: str = PRODUCT) -> list[Movement]:
    """All movements, the first one first."""
    found: list[Movement] = []
    start_key = None
    while True:
        page = movements_of(BUSINESS, product_id, start_key, 1000, newest_first=False)
        found += page.items
        start_key = page.next_start_key
        if start_key is None:
            return found


def numbers_of(product_id: str = PRODUCT) -> list[tuple[float, float, float]]:
    return [(each.before, each.change, each.after) for each in ledger_of(product_id)]


def assert_index_keys_are_right(raw: Raw) -> None:
    computed = index_keys_of(raw, INDEXES)
    assert computed is not None
    assert computed.changes() == {}


def stored_stock(product_id: str = PRODUCT) -> Any:
    return StockItem.of(raw_product(product_id)).stock
