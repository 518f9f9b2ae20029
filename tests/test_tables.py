"""A test finds its table as if nobody had used it before."""

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


def names(table: SharedTable) -> dict[str, str]:
    return {raw["PK"]["S"]: raw["text"]["S"] for raw in table._scan()}


def test_whatever_a_test_wrote_is_undone(shared: SharedTable) -> None:
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
        assert len(names(shared)) == 5
    assert names(shared) == {"NOTE#kept": "kept"}


def test_what_a_test_deleted_is_there_again(shared: SharedTable) -> None:
    with shared.in_use():
        connection.client().delete_item(TableName=shared.name, Key={name: item("kept")[name] for name in ("PK", "SK")})
        assert names(shared) == {}
    assert names(shared) == {"NOTE#kept": "kept"}


def test_a_table_that_a_test_dropped_is_made_again(shared: SharedTable) -> None:
    with shared.in_use():
        connection.client().delete_table(TableName=shared.name)
    assert names(shared) == {"NOTE#kept": "kept"}


def test_what_another_process_wrote_into_an_empty_table_is_removed(dynoxide_endpoint: str) -> None:
    empty = SharedTable("dynoxide", dynoxide_endpoint).create()
    with empty.in_use():
        # Past the client that records what it writes.
        empty._write([{"PutRequest": {"Item": item("unseen")}}])
    assert names(empty) == {}
    empty.drop()


def test_what_is_to_stay_stays(shared: SharedTable) -> None:
    with shared.in_use():
        connection.client().put_item(TableName=shared.name, Item=item("session"))
        shared.add_written_to_baseline()
    assert names(shared) == {"NOTE#kept": "kept", "NOTE#session": "session"}
