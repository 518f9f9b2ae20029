"""Our response parser gives the same results as botocore's parser, on real answers of the engines."""

from __future__ import annotations

import base64
import copy
import json
from typing import Any

import botocore.session
import pytest
from botocore.exceptions import ClientError
from botocore.parsers import JSONParser
from hypothesis import given
from hypothesis import strategies as st

from dashboard.table import connection
from dashboard.table.parser import ItemParser
from tests.conftest import every_engine
from tests.table.notes import add_note, load_raw, put

BYTES = b"\x00\x01\xfe\xff"
EVERYTHING: dict[str, dict[str, Any]] = {
    "PK": {"S": "NOTE#ana"},
    "SK": {"S": "NOTE#00000001"},
    "GSIStatusPK": {"S": "SHELF#sky"},
    "GSIStatusSK": {"S": "ana"},
    "text": {"S": "Ñandú ☂"},
    "number": {"N": "12345678901234567890.5"},
    "yes": {"BOOL": True},
    "nothing": {"NULL": True},
    "texts": {"SS": ["a", "b"]},
    "numbers": {"NS": ["1", "2.5"]},
    "bytes": {"B": BYTES},
    "many bytes": {"BS": [BYTES, b"\x02"]},
    "map": {"M": {"b": {"B": BYTES}, "bs": {"BS": [BYTES]}, "deep": {"L": [{"M": {"b": {"B": b"x"}}}]}}},
    "list": {"L": [{"B": BYTES}, {"S": "B"}, {"L": [{"BS": [b"y"]}]}, {"M": {"B": {"S": "a name, not a type"}}}]},
    "S": {"M": {"S": {"N": "1"}}},
    "empty map": {"M": {}},
    "empty list": {"L": []},
}


class ParserComparison:
    """Parses every answer of a test with both parsers and compares the results."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.compared: list[str] = []
        self._theirs = JSONParser()
        parse = ItemParser.parse

        def compared(ours: ItemParser, response: Any, shape: Any) -> Any:
            theirs = self._theirs.parse(copy.deepcopy(response), shape)
            parsed = parse(ours, response, shape)
            assert parsed == theirs
            self.compared.append(shape.name if shape else "")
            return parsed

        monkeypatch.setattr(ItemParser, "parse", compared)


@every_engine
def test_real_answers_are_parsed_like_botocore(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put(EVERYTHING)
    add_note("ana", 2, shelf="sky", about={"x": [1, {"y": None}]})
    comparison = ParserComparison(monkeypatch)
    client, name = connection.client(), connection.table().table_name
    key = {"PK": {"S": "NOTE#ana"}, "SK": {"S": "NOTE#00000001"}}
    values = {":pk": {"S": "NOTE#ana"}}

    item = client.get_item(TableName=name, Key=key, ReturnConsumedCapacity="TOTAL")["Item"]
    assert item["bytes"] == {"B": BYTES}
    assert item["map"]["M"]["deep"] == {"L": [{"M": {"b": {"B": b"x"}}}]}
    assert item["list"]["L"][2] == {"L": [{"BS": [b"y"]}]}

    client.get_item(TableName=name, Key=key | {"SK": {"S": "none"}})
    client.batch_get_item(RequestItems={name: {"Keys": [key]}})
    page = client.query(
        TableName=name,
        KeyConditionExpression="PK = :pk",
        ExpressionAttributeValues=values,
        Limit=1,
        ReturnConsumedCapacity="INDEXES",
    )
    assert page["LastEvaluatedKey"] == key
    client.query(
        TableName=name,
        IndexName="GSI_Status",
        KeyConditionExpression="GSIStatusPK = :pk",
        ExpressionAttributeValues={":pk": {"S": "SHELF#sky"}},
    )
    client.query(TableName=name, KeyConditionExpression="PK = :pk", ExpressionAttributeValues=values, Select="COUNT")
    client.update_item(
        TableName=name,
        Key=key,
        UpdateExpression="SET n = :n",
        ExpressionAttributeValues={":n": {"B": b"new"}},
        ReturnValues="ALL_NEW",
    )
    client.describe_table(TableName=name)
    client.put_item(TableName=name, Item=EVERYTHING, ReturnValues="ALL_OLD")
    client.delete_item(TableName=name, Key=key, ReturnValues="ALL_OLD")
    assert len(comparison.compared) == 10


@every_engine
def test_items_in_refusals_are_parsed_like_botocore(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put(EVERYTHING)
    client, name = connection.client(), connection.table().table_name
    comparison = ParserComparison(monkeypatch)
    refused = {
        "Put": {
            "TableName": name,
            "Item": EVERYTHING,
            "ConditionExpression": "attribute_not_exists(PK)",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }
    }
    with pytest.raises(ClientError) as caught:
        client.transact_write_items(TransactItems=[refused])
    response: Any = caught.value.response
    (reason,) = response["CancellationReasons"]
    assert reason["Code"] == "ConditionalCheckFailed"
    assert reason["Item"]["map"] == EVERYTHING["map"]
    with pytest.raises(ClientError):
        client.get_item(TableName="no-such-table", Key={"PK": {"S": "x"}, "SK": {"S": "y"}})
    assert comparison.compared


def test_the_connection_uses_our_parser(table: str) -> None:
    """If botocore changes to another protocol for DynamoDB, this test fails."""
    client = connection.client()
    protocol = client.meta.service_model.resolved_protocol
    assert isinstance(client._endpoint._response_parser_factory.create_parser(protocol), ItemParser)


def test_other_answers_are_parsed_by_botocore(table: str) -> None:
    put(EVERYTHING)
    raw = load_raw(add_note("ana", 2).key)
    assert raw is not None
    description = connection.client().describe_table(TableName=connection.table().table_name)["Table"]
    assert description["CreationDateTime"].year > 2000  # A map that is not an item, with a timestamp in it.


def _encode(value: dict[str, Any]) -> dict[str, Any]:
    """An attribute value as it is sent: bytes in base64."""
    ((kind, content),) = value.items()
    if kind == "B":
        return {"B": base64.b64encode(content).decode()}
    if kind == "BS":
        return {"BS": [base64.b64encode(each).decode() for each in content]}
    if kind == "M":
        return {"M": {name: _encode(each) for name, each in content.items()}}
    if kind == "L":
        return {"L": [_encode(each) for each in content]}
    return value


names = st.sampled_from(["a", "B", "BS", "M", "L", "S"])
values = st.recursive(
    st.sampled_from([{"S": "x"}, {"N": "1"}, {"BOOL": False}, {"NULL": True}, {"SS": ["a"]}, {"NS": ["1"]}])
    | st.binary(max_size=4).map(lambda b: {"B": b})
    | st.lists(st.binary(max_size=4), min_size=1, max_size=3).map(lambda bs: {"BS": bs}),
    lambda inner: (
        st.dictionaries(names, inner, max_size=3).map(lambda m: {"M": m})
        | st.lists(inner, max_size=3).map(lambda each: {"L": each})
    ),
    max_leaves=6,
)
SHAPE = botocore.session.get_session().get_service_model("dynamodb").operation_model("GetItem").output_shape


@given(st.dictionaries(names, values, max_size=4))
def test_any_item_is_parsed_like_botocore(item: dict[str, Any]) -> None:
    body = json.dumps({"Item": {name: _encode(value) for name, value in item.items()}}).encode()
    response: Any = {"status_code": 200, "headers": {}, "body": body, "context": {"operation_name": "GetItem"}}
    ours = ItemParser().parse(copy.deepcopy(response), SHAPE)  # type: ignore[arg-type]
    assert ours == JSONParser().parse(response, SHAPE)  # type: ignore[arg-type]
    assert ours["Item"] == item
