"""`create_table`: makes what is missing, says what it did, and may be run at any time."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from dashboard.core.ids import new_id
from dashboard.table import admin, connection, read, schema
from tests.conftest import as_on_aws, every_engine
from tests.faults import bad_network, build_reply
from tests.table.notes import SHELF, Note, add, note_at, on_dynoxide, put_note

# Indexes that a table from before them lacks.
LATER = ("GSI_Status", "GSI_Domain")


@pytest.fixture
def no_table(table: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An engine, and the name of a table that it does not have."""
    name = f"test-{new_id()}"
    with monkeypatch.context() as patch:
        patch.setattr(settings, "DYNAMODB_TABLE", name)
        yield name
        connection.client().delete_table(TableName=name)


def described(name: str) -> dict[str, Any]:
    found: dict[str, Any] = connection.client().describe_table(TableName=name)["Table"]
    return found


def shape(definition: dict[str, Any]) -> dict[str, Any]:
    """What a table is, whether asked for or described."""
    attributes = definition["AttributeDefinitions"]
    return {
        "keys": definition["KeySchema"],
        "attributes": sorted((each["AttributeName"], each["AttributeType"]) for each in attributes),
        "indexes": {
            each["IndexName"]: (each["KeySchema"], each["Projection"]["ProjectionType"])
            for each in definition["GlobalSecondaryIndexes"]
        },
    }


@every_engine
def test_the_table_is_what_the_schema_says(no_table: str) -> None:
    report = admin.create_table()
    assert report[0] == f"table {no_table}: created"
    wanted: Any = schema.definition(no_table)
    found = described(no_table)
    assert shape(found) == shape(wanted)
    assert found["TableStatus"] == "ACTIVE"
    mode = found.get("BillingModeSummary", {}).get("BillingMode")
    assert mode in {"PAY_PER_REQUEST", None}, "DynamoDB Local of this age knows no billing"


@every_engine
def test_twice_is_as_good_as_once(table: str, no_table: str) -> None:
    admin.create_table()
    add("ana")
    before = described(no_table)
    report = admin.create_table()
    assert report[0] == f"table {no_table}: exists"
    assert not [line for line in report if "added" in line or "created" in line]
    assert shape(described(no_table)) == shape(before)
    assert note_at("ana") is not None
    if table == "moto":
        assert "point-in-time recovery: on" in report


@every_engine
def test_items_expire_where_the_engine_can(table: str, no_table: str) -> None:
    report = admin.create_table()
    (line,) = [line for line in report if line.startswith("expiry by ttl: ")]
    if line.endswith("not supported by this engine"):
        assert table == "dynamodb_local"
        return
    ttl = connection.client().describe_time_to_live(TableName=no_table)["TimeToLiveDescription"]
    assert (ttl["TimeToLiveStatus"], ttl["AttributeName"]) == ("ENABLED", "ttl")
    assert "expiry by ttl: on" in admin.create_table()


@every_engine
def test_an_older_table_gets_the_indexes_it_lacks(no_table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what stands in it: an item written before is found through the new index."""
    monkeypatch.setattr(admin, "time", SimpleNamespace(sleep=lambda _: time.sleep(0.02)))
    older: Any = schema.definition(no_table)
    older["GlobalSecondaryIndexes"] = [
        index for index in older["GlobalSecondaryIndexes"] if index["IndexName"] not in LATER
    ]
    used = {key["AttributeName"] for index in older["GlobalSecondaryIndexes"] for key in index["KeySchema"]}
    older["AttributeDefinitions"] = [
        each for each in older["AttributeDefinitions"] if each["AttributeName"] in {"PK", "SK"} | used
    ]
    connection.client().create_table(**older)
    put_note("ana", GSIStatusPK={"S": "SHELF#sky"}, GSIStatusSK={"S": "ana"})

    report = admin.create_table()
    assert [line for line in report if "added" in line] == [f"index {name}: added" for name in LATER]
    wanted: Any = schema.definition(no_table)
    assert shape(described(no_table))["indexes"] == shape(wanted)["indexes"]
    assert [item.title for item in read.page(SHELF.collection(shelf="sky"), Note).items] == ["ana 1"]
    assert not [line for line in admin.create_table() if "added" in line]


@as_on_aws
def test_on_a_service_that_has_all_of_it_everything_is_on(no_table: str) -> None:
    """moto plays AWS here: encryption, recovery, expiry."""
    report = admin.create_table()
    assert "point-in-time recovery: enabled" in report
    assert not [line for line in report if "encryption" in line], "nothing to say where it is simply on"
    assert described(no_table)["SSEDescription"]["Status"] == "ENABLED"
    backups = connection.client().describe_continuous_backups(TableName=no_table)["ContinuousBackupsDescription"]
    assert backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED"


def _still_filling(times: int) -> list[Any]:
    def fault(send: Any, request: Any) -> Any:
        found = json.loads(send(request).content)
        found["Table"]["GlobalSecondaryIndexes"][0]["IndexStatus"] = "CREATING"
        return build_reply(request, 200, json.dumps(found).encode())

    return [fault] * times


@on_dynoxide
def test_an_index_that_is_still_being_filled_is_waited_for(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table itself is active meanwhile, and DynamoDB refuses to make the next index."""
    waits: list[float] = []
    monkeypatch.setattr(admin, "time", SimpleNamespace(sleep=waits.append))
    with bad_network() as network:
        network.next("DescribeTable", *_still_filling(4))
        admin.create_table()
    assert len(waits) == 3, "the first description only says that the table is there"


@on_dynoxide
def test_waiting_ends_with_a_sentence(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin, "time", SimpleNamespace(sleep=lambda _: None))
    with bad_network() as network, pytest.raises(TimeoutError, match="did not become active"):
        network.next("DescribeTable", *_still_filling(999))
        admin.create_table()


def test_the_command_says_what_was_done(no_table: str) -> None:
    out = io.StringIO()
    call_command("create_table", stdout=out)
    assert out.getvalue().splitlines()[0] == f"table {no_table}: created"


def test_the_schema_names_each_attribute_once_and_only_those_of_keys() -> None:
    """DynamoDB refuses a definition that no key uses."""
    wanted: Any = schema.definition("any")
    names = [each["AttributeName"] for each in wanted["AttributeDefinitions"]]
    indexed = [key["AttributeName"] for each in wanted["GlobalSecondaryIndexes"] for key in each["KeySchema"]]
    assert sorted(names) == sorted(["PK", "SK", *indexed])
    assert set(schema.BY_NAME) == {"GSI1", "GSI2", "GSI3", "GSI4", "GSI_Type", "GSI_Status", "GSI_Domain"}
    assert [index.projection for index in schema.INDEXES] == ["ALL"] * 6 + ["KEYS_ONLY"]
