"""`create_table`: creates what is missing, reports it, and can be run again at any time."""

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
from tests.table.notes import SHELF, Note, add_note, load_note, on_dynoxide, put_note

# Indexes that an older table does not have.
NEW_INDEXES = ("GSI_Status", "GSI_Domain")


@pytest.fixture
def no_table(table: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An engine, and the name of a table that it does not have."""
    name = f"test-{new_id()}"
    with monkeypatch.context() as patch:
        patch.setattr(settings, "DYNAMODB_TABLE", name)
        yield name
        connection.client().delete_table(TableName=name)


def describe_table(name: str) -> dict[str, Any]:
    found: dict[str, Any] = connection.client().describe_table(TableName=name)["Table"]
    return found


def shape(definition: dict[str, Any]) -> dict[str, Any]:
    """The keys, attributes, indexes and stream of a definition or of a description."""
    attributes = definition["AttributeDefinitions"]
    return {
        "keys": definition["KeySchema"],
        "attributes": sorted((each["AttributeName"], each["AttributeType"]) for each in attributes),
        "indexes": {
            each["IndexName"]: (each["KeySchema"], each["Projection"]["ProjectionType"])
            for each in definition["GlobalSecondaryIndexes"]
        },
        "stream": (definition.get("StreamSpecification") or {}).get("StreamViewType"),
    }


@every_engine
def test_the_created_table_has_the_schema(no_table: str) -> None:
    report = admin.create_table()
    assert report[0] == f"table {no_table}: created"
    definition: Any = schema.definition(no_table)
    found = describe_table(no_table)
    assert shape(found) == shape(definition)
    assert found["TableStatus"] == "ACTIVE"
    mode = found.get("BillingModeSummary", {}).get("BillingMode")
    assert mode in {"PAY_PER_REQUEST", None}, "this version of DynamoDB Local reports no billing mode"


@every_engine
def test_running_it_twice_changes_nothing(table: str, no_table: str) -> None:
    admin.create_table()
    add_note("ana")
    before = describe_table(no_table)
    report = admin.create_table()
    assert report[0] == f"table {no_table}: exists"
    assert not [line for line in report if "added" in line or "created" in line]
    assert shape(describe_table(no_table)) == shape(before)
    assert load_note("ana") is not None
    if table == "moto":
        assert "point-in-time recovery: on" in report


@every_engine
def test_expiry_is_enabled_if_the_engine_supports_it(table: str, no_table: str) -> None:
    report = admin.create_table()
    (line,) = [line for line in report if line.startswith("expiry by ttl: ")]
    if line.endswith("not supported by this engine"):
        assert table == "dynamodb_local"
        return
    ttl = connection.client().describe_time_to_live(TableName=no_table)["TimeToLiveDescription"]
    assert (ttl["TimeToLiveStatus"], ttl["AttributeName"]) == ("ENABLED", "ttl")
    assert "expiry by ttl: on" in admin.create_table()


@every_engine
def test_an_older_table_gets_its_missing_indexes(no_table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An item that was written before is found through the new index."""
    monkeypatch.setattr(admin, "time", SimpleNamespace(sleep=lambda _: time.sleep(0.02)))
    older: Any = schema.definition(no_table)
    older["GlobalSecondaryIndexes"] = [
        index for index in older["GlobalSecondaryIndexes"] if index["IndexName"] not in NEW_INDEXES
    ]
    used = {key["AttributeName"] for index in older["GlobalSecondaryIndexes"] for key in index["KeySchema"]}
    older["AttributeDefinitions"] = [
        each for each in older["AttributeDefinitions"] if each["AttributeName"] in {"PK", "SK"} | used
    ]
    connection.client().create_table(**older)
    put_note("ana", GSIStatusPK={"S": "SHELF#sky"}, GSIStatusSK={"S": "ana"})

    report = admin.create_table()
    assert [line for line in report if "added" in line] == [f"index {name}: added" for name in NEW_INDEXES]
    definition: Any = schema.definition(no_table)
    assert shape(describe_table(no_table))["indexes"] == shape(definition)["indexes"]
    assert [item.title for item in read.page(SHELF.collection(shelf="sky"), Note).items] == ["ana 1"]
    assert not [line for line in admin.create_table() if "added" in line]


@every_engine
def test_an_older_table_gets_a_stream(no_table: str) -> None:
    older: Any = schema.definition(no_table)
    del older["StreamSpecification"]
    connection.client().create_table(**older)
    assert "stream: enabled" in admin.create_table()
    assert shape(describe_table(no_table))["stream"] == "NEW_AND_OLD_IMAGES"
    assert describe_table(no_table)["LatestStreamArn"]
    assert "stream: on" in admin.create_table()


@every_engine
def test_a_stream_of_others_with_another_view_is_reported_and_kept(no_table: str) -> None:
    older: Any = schema.definition(no_table) | {
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    }
    connection.client().create_table(**older)
    (line,) = [line for line in admin.create_table() if line.startswith("stream:")]
    assert line == "stream: on, but with KEYS_ONLY; the stream follower needs NEW_AND_OLD_IMAGES"
    assert shape(describe_table(no_table))["stream"] == "KEYS_ONLY"


@as_on_aws
def test_on_aws_encryption_and_recovery_are_enabled(no_table: str) -> None:
    """moto answers like AWS here."""
    report = admin.create_table()
    assert "point-in-time recovery: enabled" in report
    assert not [line for line in report if "encryption" in line], "encryption is on by default and not reported"
    assert describe_table(no_table)["SSEDescription"]["Status"] == "ENABLED"
    backups = connection.client().describe_continuous_backups(TableName=no_table)["ContinuousBackupsDescription"]
    assert backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED"


def _report_creating(times: int) -> list[Any]:
    def fault(send: Any, request: Any) -> Any:
        found = json.loads(send(request).content)
        found["Table"]["GlobalSecondaryIndexes"][0]["IndexStatus"] = "CREATING"
        return build_reply(request, 200, json.dumps(found).encode())

    return [fault] * times


@on_dynoxide
def test_the_command_waits_until_an_index_is_active(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is active meanwhile, but DynamoDB refuses to create another index."""
    waits: list[float] = []
    monkeypatch.setattr(admin, "time", SimpleNamespace(sleep=waits.append))
    with bad_network() as network:
        network.next("DescribeTable", *_report_creating(4))
        admin.create_table()
    assert len(waits) == 3, "the first description only checks that the table exists"


@on_dynoxide
def test_waiting_too_long_raises_a_timeout(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin, "time", SimpleNamespace(sleep=lambda _: None))
    with bad_network() as network, pytest.raises(TimeoutError, match="did not become active"):
        network.next("DescribeTable", *_report_creating(999))
        admin.create_table()


def test_the_command_prints_what_it_did(no_table: str) -> None:
    out = io.StringIO()
    call_command("create_table", stdout=out)
    assert out.getvalue().splitlines()[0] == f"table {no_table}: created"


def test_the_schema_defines_exactly_the_key_attributes() -> None:
    """DynamoDB refuses the definition of an attribute that no key uses."""
    definition: Any = schema.definition("any")
    names = [each["AttributeName"] for each in definition["AttributeDefinitions"]]
    indexed = [key["AttributeName"] for each in definition["GlobalSecondaryIndexes"] for key in each["KeySchema"]]
    assert sorted(names) == sorted(["PK", "SK", *indexed])
    assert set(schema.BY_NAME) == {"GSI1", "GSI2", "GSI3", "GSI4", "GSI_Type", "GSI_Status", "GSI_Domain"}
    assert [index.projection for index in schema.INDEXES] == ["ALL"] * 6 + ["KEYS_ONLY"]
