"""The patch changes only the cost: the same transactions give the same answers and the same table."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from dashboard.dev import moto_patch
from tests.dev.clients import TABLE, client_for, create_table, key

Command = dict[str, dict[str, Any]]


def put(pk: str, sk: str, /, condition: str = "", table: str = TABLE, **attributes: Any) -> Command:
    return _with({"TableName": table, "Item": key(pk, sk) | attributes}, "Put", condition)


def delete(pk: str, sk: str, /, condition: str = "") -> Command:
    return _with({"TableName": TABLE, "Key": key(pk, sk)}, "Delete", condition)


def check(pk: str, sk: str, /, condition: str) -> Command:
    return _with({"TableName": TABLE, "Key": key(pk, sk)}, "ConditionCheck", condition)


def update(pk: str, sk: str, /, expression: str, condition: str = "", **values: Any) -> Command:
    body: dict[str, Any] = {"TableName": TABLE, "Key": key(pk, sk), "UpdateExpression": expression}
    if values:
        body["ExpressionAttributeValues"] = {f":{name}": value for name, value in values.items()}
    return _with(body, "Update", condition)


def _with(body: dict[str, Any], kind: str, condition: str) -> Command:
    if condition:
        body |= {"ConditionExpression": condition, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    return {kind: body}


ONE = {"N": "1"}
ABSENT, PRESENT = "attribute_not_exists(PK)", "attribute_exists(PK)"
TRANSACTIONS: dict[str, list[Command]] = {
    "all kinds": [
        put("a", "new", n=ONE),
        update("a", "1", "ADD n :one SET kind = :kind", one=ONE, kind={"S": "x"}),
        delete("a", "2", PRESENT),
        check("b", "1", PRESENT),
    ],
    "put fails": [put("a", "new"), put("a", "1", ABSENT)],
    "update fails": [
        update("a", "1", "ADD n :one", one=ONE),
        update("a", "2", "ADD n :one", ABSENT, one=ONE),
    ],
    "delete fails": [delete("a", "1"), delete("a", "none", PRESENT)],
    "check fails": [put("a", "1", n=ONE), delete("a", "2"), put("c", "new"), check("b", "1", ABSENT)],
    "two fail": [put("a", "1", ABSENT), put("c", "1"), check("b", "none", PRESENT), delete("b", "1")],
    "update makes an item, then fails": [
        update("d", "new", "SET n = :one", one=ONE),
        check("a", "1", ABSENT),
    ],
    "nested change, then fails": [
        update("a", "1", "SET deep.list[0] = :one REMOVE deep.gone", one=ONE),
        check("b", "1", ABSENT),
    ],
    "delete keeps the order when it fails": [delete("a", "1"), delete("a", "2"), check("b", "1", ABSENT)],
    "same item twice": [put("a", "new"), update("a", "1", "ADD n :one", one=ONE), delete("a", "1")],
    "two tables, one fails": [put("a", "1", n=ONE), put("z", "1", table="other"), check("b", "1", ABSENT)],
    "no such table": [put("a", "new"), put("z", "1", table="missing")],
    "key is missing": [put("a", "new"), {"Put": {"TableName": TABLE, "Item": {"PK": {"S": "a"}}}}],
    "wrong type": [update("a", "2", "SET n = :one", one=ONE), update("a", "1", "ADD deep :one", one=ONE)],
    "update makes an item, then cannot": [update("d", "new", "SET a.b = :one", one=ONE)],
    "index key of a wrong type": [put("a", "new"), put("a", "1", kind=ONE)],
    "too many": [put("m", str(number)) for number in range(101)],
}


@pytest.fixture(autouse=True)
def without_patch() -> Iterator[None]:
    """Remove the patch for each test of this file; all other files use it."""
    moto_patch.remove()
    yield
    moto_patch.apply()


def outcome(transactions: list[list[Command]]) -> list[Any]:
    """The answer to each transaction, and both tables after it."""
    with mock_aws():
        client = client_for()
        create_table(client)
        create_table(client, "other")
        for pk, sk in [("a", "2"), ("b", "1"), ("a", "1")]:
            deep = {"M": {"list": {"L": [{"S": "first"}]}, "gone": {"BOOL": True}}}
            client.put_item(TableName=TABLE, Item=key(pk, sk) | {"n": {"N": "5"}, "deep": deep})
        results: list[Any] = []
        for operations in transactions:
            try:
                answer = client.transact_write_items(TransactItems=operations)
            except ClientError as error:
                answer = error.response
            answer.pop("ResponseMetadata")
            results.append(answer)
            results.append([client.scan(TableName=name)["Items"] for name in (TABLE, "other")])
        return results


@pytest.mark.parametrize("operations", TRANSACTIONS.values(), ids=TRANSACTIONS.keys())
def test_each_transaction_gives_the_same_result(operations: list[Command]) -> None:
    plain = outcome([operations])
    moto_patch.apply()
    assert outcome([operations]) == plain


def test_all_transactions_in_a_row_give_the_same_results() -> None:
    transactions = list(TRANSACTIONS.values()) * 2
    plain = outcome(transactions)
    moto_patch.apply()
    assert outcome(transactions) == plain


VALUES: dict[str, Any] = {
    "text": {"S": "x"},
    "empty text": {"S": ""},
    "number": {"N": "-1.5E+3"},
    "bytes": {"B": b"\x00\xff"},
    "true": {"BOOL": True},
    "false": {"BOOL": False},
    "null": {"NULL": True},
    "texts": {"SS": ["a", "b"]},
    "numbers": {"NS": ["1", "2.5"]},
    "several bytes": {"BS": [b"a", b"\x00"]},
    "empty list": {"L": []},
    "empty map": {"M": {}},
    "list": {"L": [{"S": "x"}, {"L": [{"NULL": True}]}, {"M": {"n": ONE}}]},
    "map": {"M": {"S": {"S": "named as a type"}, "M": {"M": {"B": {"B": b"deep"}}}}},
}


def answers() -> list[Any]:
    """Every type of value in every kind of answer."""
    with mock_aws():
        client = client_for()
        create_table(client)
        item_key = key("a", "1")
        for item in (item_key | VALUES, key("a", "2")):
            client.put_item(TableName=TABLE, Item=item)
        condition = {"KeyConditionExpression": "PK = :pk", "ExpressionAttributeValues": {":pk": item_key["PK"]}}
        change = {"UpdateExpression": "SET more = :more", "ExpressionAttributeValues": {":more": VALUES["map"]}}
        return [
            client.get_item(TableName=TABLE, Key=item_key)["Item"],
            client.get_item(TableName=TABLE, Key=key("a", "none")).get("Item"),
            client.query(TableName=TABLE, **condition)["Items"],
            client.query(TableName=TABLE, Limit=1, **condition)["LastEvaluatedKey"],
            client.scan(TableName=TABLE)["Items"],
            client.batch_get_item(RequestItems={TABLE: {"Keys": [item_key]}})["Responses"],
            client.transact_get_items(TransactItems=[{"Get": {"TableName": TABLE, "Key": item_key}}])["Responses"],
            client.update_item(TableName=TABLE, Key=item_key, ReturnValues="ALL_NEW", **change)["Attributes"],
            client.update_item(TableName=TABLE, Key=item_key, ReturnValues="ALL_OLD", **change)["Attributes"],
            client.delete_item(TableName=TABLE, Key=item_key, ReturnValues="ALL_OLD")["Attributes"],
        ]


def test_each_kind_of_answer_is_the_same() -> None:
    plain = answers()
    moto_patch.apply()
    assert answers() == plain
    assert plain[0] == key("a", "1") | VALUES


def test_the_cost_does_not_grow_with_the_table() -> None:
    moto_patch.apply()
    with mock_aws():
        client = client_for()
        create_table(client)
        for number in range(1000):
            client.put_item(TableName=TABLE, Item=key(f"p{number}", "1") | {"text": {"S": "x" * 200}})
        started = time.process_time()
        client.transact_write_items(TransactItems=[put("new", str(number)) for number in range(20)])
        # Unpatched it is 20 copies of the table, over a second.
        assert time.process_time() - started < 0.5


def test_every_type_is_read_as_without_the_patch() -> None:
    every = {
        "S": {"S": "ñandú"},
        "empty": {"S": ""},
        "N": {"N": "1.50"},
        "B": {"B": b"\x00\xff"},
        "BOOL": {"BOOL": False},
        "NULL": {"NULL": True},
        "SS": {"SS": ["a", "b"]},
        "NS": {"NS": ["1", "2.5"]},
        "BS": {"BS": [b"\x01", b"\xfe"]},
        "L": {"L": [{"S": "x"}, {"M": {"deep": {"B": b"\x02"}}}, {"L": []}]},
        "M": {"M": {"S": {"N": "3"}, "none": {"M": {}}}},
    }

    def read() -> list[Any]:
        with mock_aws():
            client = client_for()
            create_table(client)
            client.put_item(TableName=TABLE, Item=key("a", "1") | every)
            answers = [
                client.get_item(TableName=TABLE, Key=key("a", "1"))["Item"],
                client.batch_get_item(RequestItems={TABLE: {"Keys": [key("a", "1")]}})["Responses"],
                client.scan(TableName=TABLE)["Items"],
                client.update_item(
                    TableName=TABLE,
                    Key=key("a", "1"),
                    UpdateExpression="SET more = :one",
                    ExpressionAttributeValues={":one": ONE},
                    ReturnValues="ALL_NEW",
                )["Attributes"],
            ]
            with pytest.raises(ClientError) as refused:
                client.put_item(
                    TableName=TABLE,
                    Item=key("a", "1"),
                    ConditionExpression=ABSENT,
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                )
            return [*answers, dict(refused.value.response)["Item"]]

    plain = read()
    moto_patch.apply()
    assert read() == plain
    assert plain[0] == key("a", "1") | every
