"""The shared table is restored after each test."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.table import connection
from tests.tables import SharedTable


def item(name: str, text: str = "") -> dict[str, Any]:
    return {"PK": {"S": f"NOTE#{name}"}, "SK": {"S": "NOTE"}, "text": {"S": text or name}}


@pytest.fixture
def shared(dynoxide_endpoint: str) -> SharedTable:
    table = SharedTable("dynoxide", dynoxide_endpoint).create()
    with table.in_use():
        connection.client().put_item(TableName=table.name, Item=item("kept"))
        table.save_baseline()
    return table


def stored_texts(table: SharedTable) -> dict[str, str]:
    return {raw["PK"]["S"]: raw["text"]["S"] for raw in table._scan()}


def test_writes_of_a_test_are_undone(shared: SharedTable) -> None:
    with shared.in_use():
        client = connection.client()
        client.put_item(TableName=shared.name, Item=item("put"))
        client.put_item(TableName=shared.name, Item=item("kept", "changed"))
        client.batch_write_item(RequestItems={shared.name: [{"PutRequest": {"Item": item("batch")}}]})
        client.transact_write_items(TransactItems=[{"Put": {"TableName": shared.name, "Item": item("transaction")}}])
        key = {name: item("update")[name] for name in ("PK", "SK")}
        values = {"#t": "text"}, {":t": {"S": "x"}}
        client.update_item(
            TableName=shared.name,
            Key=key,
            UpdateExpression="SET #t = :t",
            ExpressionAttributeNames=values[0],
            ExpressionAttributeValues=values[1],
        )
        assert len(stored_texts(shared)) == 5
    assert stored_texts(shared) == {"NOTE#kept": "kept"}


def test_an_item_that_a_test_deleted_is_restored(shared: SharedTable) -> None:
    with shared.in_use():
        connection.client().delete_item(TableName=shared.name, Key={name: item("kept")[name] for name in ("PK", "SK")})
        assert stored_texts(shared) == {}
    assert stored_texts(shared) == {"NOTE#kept": "kept"}


def test_a_table_that_a_test_dropped_is_created_again(shared: SharedTable) -> None:
    with shared.in_use():
        connection.client().delete_table(TableName=shared.name)
    assert stored_texts(shared) == {"NOTE#kept": "kept"}


def test_items_that_another_process_wrote_into_an_empty_table_are_removed(dynoxide_endpoint: str) -> None:
    empty = SharedTable("dynoxide", dynoxide_endpoint).create()
    with empty.in_use():
        # Without the client that records writes.
        empty._write([{"PutRequest": {"Item": item("unseen")}}])
    assert stored_texts(empty) == {}
    empty.drop()


def test_items_added_to_the_baseline_stay(shared: SharedTable) -> None:
    with shared.in_use():
        connection.client().put_item(TableName=shared.name, Item=item("session"))
        shared.add_written_to_baseline()
    assert stored_texts(shared) == {"NOTE#kept": "kept", "NOTE#session": "session"}
