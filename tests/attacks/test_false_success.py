"""A reply that is not DynamoDB's, such as a proxy's page, is a lost reply and never a success."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import HTTPClientError
from django.test import Client

from dashboard.core.errors import Conflict, Unavailable
from dashboard.platform.accounts import queries
from dashboard.platform.accounts.items import Person
from dashboard.table import connection, guards, read, retries, write
from dashboard.table.items import Item
from dashboard.table.transactions import Transaction
from tests.conftest import real_engines, sign_in
from tests.faults import Fault, Network, bad_network, error_reply, foreign_reply
from tests.table.notes import SHELF, Note, add_note, command, key, load_note, on_dynoxide

HTML = b"<html><body><h1>Please sign in to the network</h1></body></html>"
DYNAMODB = {"Content-Type": "application/x-amz-json-1.0"}
REPLIES: dict[str, Fault] = {
    "a page of a proxy": foreign_reply(200, HTML, **{"Content-Type": "text/html"}),
    "a page with DynamoDB's content type": foreign_reply(200, HTML, **DYNAMODB),
    "no body": foreign_reply(200, b"", **DYNAMODB),
    "no content type": foreign_reply(200, b"{}"),
    "the JSON of another service": foreign_reply(200, b'{"ok": true}', **{"Content-Type": "application/json"}),
    "JSON that is cut off": foreign_reply(200, b'{"Item": {"PK": {"S": "NOTE#a', **DYNAMODB),
    "a list": foreign_reply(200, b"[]", **DYNAMODB),
    "null": foreign_reply(200, b"null", **DYNAMODB),
    "bytes that are not text": foreign_reply(200, b"\xff\xfe\x00", **DYNAMODB),
    "a wrong checksum": foreign_reply(200, b"{}", **DYNAMODB, **{"x-amz-crc32": str(zlib.crc32(b"{ }"))}),
    "another success": foreign_reply(204, b"", **DYNAMODB),
    "a redirect": foreign_reply(302, HTML, Location="https://example.com/"),
    "a refusal of a proxy": foreign_reply(403, HTML, **{"Content-Type": "text/html"}),
    "a missing page": foreign_reply(404, b'{"message": "no route"}', **DYNAMODB),
    "an error of a gateway": foreign_reply(502, HTML, **{"Content-Type": "text/html"}),
    "an empty error": foreign_reply(503, b""),
}
every_reply = pytest.mark.parametrize("fault", REPLIES.values(), ids=REPLIES)


@pytest.fixture(autouse=True)
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "time", SimpleNamespace(sleep=lambda _: None))


@pytest.fixture
def network(table: str) -> Iterator[Network]:
    add_note("ana", text="one", shelf="sky")
    with bad_network() as network:
        yield network


# --- Below PynamoDB, for every call ----------------------------------------------------------------
KEY = {"PK": {"S": "NOTE#ana"}, "SK": {"S": "NOTE#00000001"}}
CALLS: dict[str, Callable[[str], dict[str, Any]]] = {
    "GetItem": lambda name: {"TableName": name, "Key": KEY},
    "BatchGetItem": lambda name: {"RequestItems": {name: {"Keys": [KEY]}}},
    "Query": lambda name: {
        "TableName": name,
        "KeyConditionExpression": "PK = :pk",
        "ExpressionAttributeValues": {":pk": KEY["PK"]},
    },
    "Scan": lambda name: {"TableName": name},
    "PutItem": lambda name: {"TableName": name, "Item": KEY},
    "UpdateItem": lambda name: {
        "TableName": name,
        "Key": KEY,
        "UpdateExpression": "SET n = :n",
        "ExpressionAttributeValues": {":n": {"N": "1"}},
    },
    "DeleteItem": lambda name: {"TableName": name, "Key": KEY},
    "BatchWriteItem": lambda name: {"RequestItems": {name: [{"PutRequest": {"Item": KEY}}]}},
    "TransactWriteItems": lambda name: {"TransactItems": [{"Put": {"TableName": name, "Item": KEY}}]},
    "DescribeTable": lambda name: {"TableName": name},
    "DescribeTimeToLive": lambda name: {"TableName": name},
}


@real_engines
@every_reply
def test_no_call_succeeds_with_a_reply_that_is_not_dynamodbs(network: Network, fault: Fault) -> None:
    client, name = connection.client(), connection.table().table_name
    for operation, parameters in CALLS.items():
        network.next(operation, *[fault] * 3)
        with guards.offline(), pytest.raises(HTTPClientError, match="is not DynamoDB's"):
            client._make_api_call(operation, parameters(name))
        assert len(network.calls(operation)) == 3, f"{operation} is tried again like after a lost reply"


@real_engines
def test_replies_of_the_engine_are_accepted_for_every_call(network: Network) -> None:
    client, name = connection.client(), connection.table().table_name
    for operation, parameters in CALLS.items():
        with guards.offline():
            client._make_api_call(operation, parameters(name))
        assert len(network.calls(operation)) == 1, operation


# --- Reads -----------------------------------------------------------------------------------------
@on_dynoxide
@every_reply
def test_a_read_is_unavailable(network: Network, fault: Fault) -> None:
    reads: dict[str, Callable[[], Any]] = {
        "GetItem": lambda: read.get(Note, key("ana")),
        "BatchGetItem": lambda: read.get_many([key("ana")]),
        "Query": lambda: read.page(SHELF.collection(shelf="sky"), Note),
    }
    for operation, ask in reads.items():
        network.next(operation, *[fault] * 3)
        with pytest.raises(Unavailable):
            ask()
        assert ask(), "and afterwards the item is found"


@on_dynoxide
def test_a_read_is_repeated_after_one_false_reply(network: Network) -> None:
    network.next("GetItem", REPLIES["a page of a proxy"], REPLIES["JSON that is cut off"])
    found = read.get(Note, key("ana"))
    assert found is not None
    assert found.text == "one"


# --- Writes ----------------------------------------------------------------------------------------
def write_two() -> Note:
    ana = load_note("ana")
    assert ana is not None
    ana.text = "two"
    transaction = Transaction(command())
    transaction.save(ana, revision=1)
    transaction.update(key("counter"), [Note.total.add(1)], None, Conflict)
    return transaction.commit(ana)


def stored() -> tuple[Any, Any]:
    ana, counter = load_note("ana"), load_note("counter")
    return ana and ana.text, counter and counter.total


@real_engines
@every_reply
def test_a_write_that_happened_is_found_by_its_record_and_not_made_twice(network: Network, fault: Fault) -> None:
    network.next("TransactWriteItems", *[fault] * 3)
    assert write_two().revision == 2
    assert stored() == ("two", 1)


def not_executed(fault_reply: Fault) -> Fault:
    """The proxy answers and passes nothing on."""
    return lambda _, request: fault_reply(lambda _: None, request)  # type: ignore[arg-type, return-value]


@on_dynoxide
@every_reply
def test_a_write_that_did_not_happen_is_no_success(network: Network, fault: Fault) -> None:
    network.next("TransactWriteItems", *[not_executed(fault)] * 6)
    with pytest.raises(Unavailable):
        write_two()
    assert stored() == ("one", None)


@on_dynoxide
@every_reply
def test_a_small_write_that_did_not_happen_is_no_success(network: Network, fault: Fault) -> None:
    network.next("UpdateItem", *[not_executed(fault)] * 3)
    with pytest.raises(Unavailable):
        write.update(key("counter"), [Note.total.add(1)], Item.pk.does_not_exist())
    network.next("DeleteItem", *[not_executed(fault)] * 3)
    with pytest.raises(Unavailable):
        write.remove(key("ana"))
    assert stored() == ("one", None)


@on_dynoxide
def test_errors_of_dynamodb_stay_errors_of_dynamodb(network: Network) -> None:
    network.next("UpdateItem", error_reply(400, "ConditionalCheckFailedException"))
    assert write.update(key("counter"), [Note.total.add(1)]) is None


# --- What a person sees ----------------------------------------------------------------------------
@on_dynoxide
def test_a_page_answers_503_and_a_form_reports_the_write_that_happened(people_by_role: dict[str, Person]) -> None:
    browser: Client = sign_in(people_by_role["admin"])
    person = people_by_role["staff"]
    page_of_proxy = REPLIES["a page of a proxy"]
    with bad_network() as network:
        network.next("BatchGetItem", *[page_of_proxy] * 3)
        assert browser.get("/people/").status_code == 503
        network.next("TransactWriteItems", *[page_of_proxy] * 3)
        sent = browser.post(f"/people/{person.email}/disable/", {"revision": str(person.revision)})
        assert sent.status_code == 303, "it happened, and the record of the command proves it"
    assert queries.load_person(person.email).disabled_at is not None
