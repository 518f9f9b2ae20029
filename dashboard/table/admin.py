"""Creates the table, and adds what an existing one lacks."""

from __future__ import annotations

import time
from typing import Any

from botocore.exceptions import ClientError
from django.conf import settings

from dashboard.table import schema
from dashboard.table.connection import client
from dashboard.table.differences import Aspect, Description, TableDifference, find_differences

# The error codes of engines for a call that they do not implement.
_UNKNOWN = {"UnknownOperationException", "UnknownOperation", "ValidationException", "NotImplemented", "404"}
_UNKNOWN |= {"InternalFailure", "SerializationException"}
# DynamoDB needs up to an hour to switch expiry on or off, and accepts no other attribute meanwhile.
EXPIRY_ON = {"ENABLED", "ENABLING", "DISABLING"}


class TableDiffers(Exception):
    """The table exists and is not ours: its keys, an index of ours or its expiry is defined differently."""

    def __init__(self, differences: list[TableDifference]) -> None:
        self.differences = differences
        super().__init__("; ".join(map(str, differences)))


def is_unsupported(error: ClientError) -> bool:
    """Whether a local engine does not implement the call. On AWS the error is a real one."""
    on_aws = "amazonaws." in client().meta.endpoint_url
    return not on_aws and _code(error) in _UNKNOWN


def create_table() -> list[str]:
    """Create missing parts of the table, and return a line about each step.

    Raises TableDiffers, and changes nothing, if the table has other keys, an index of ours with other keys or another
    projection, or expiry by another attribute: what is missing cannot be added to it.
    """
    name = settings.DYNAMODB_TABLE
    description = _describe(name)
    if description is None:
        report = _create(name, schema.INDEXES)
    else:
        _ensure_same(name, description)
        report = [f"table {name}: exists"]
    _wait_until_active(name)
    report += _add_missing_indexes(name)
    return report + _enable_options(name)


def create_log_table(name: str) -> list[str]:
    """Create the table with the activity of a month, and return a line about each step; empty if it is complete.

    Creating it takes DynamoDB some seconds. If another program has just created it, this one completes it.
    """
    description = _describe(name)
    if description is not None and _is_complete(name):
        return []
    report = [f"table {name}: exists"] if description is not None else []
    if description is None:
        try:
            report = _create(name, schema.ACTIVITY_INDEXES)
        except ClientError as error:
            if _code(error) != "ResourceInUseException":
                raise
    _wait_until_active(name)
    return report + _enable_options(name)


def _create(name: str, indexes: tuple[schema.Index, ...]) -> list[str]:
    definition: Any = schema.definition(name, indexes)
    try:
        client().create_table(**definition, SSESpecification={"Enabled": True})
    except ClientError as error:
        if not is_unsupported(error):
            raise
        client().create_table(**definition)
        return [f"table {name}: created", "encryption: not supported by this engine"]
    return [f"table {name}: created"]


def _is_complete(name: str) -> bool:
    """Whether nothing was left out, as after an interruption: expiry is switched on last."""
    description = _describe(name) or {}
    has_stream = bool((description.get("StreamSpecification") or {}).get("StreamEnabled"))
    return description.get("TableStatus") == "ACTIVE" and has_stream and _expiry_attribute(name) == schema.TTL


def _enable_options(name: str) -> list[str]:
    """Switch on what DynamoDB does not accept when it creates a table. Expiry comes last: it marks a complete table."""
    recovery, stream = _enable_recovery(name), _enable_stream(name)
    return [
        "expiry by ttl: " + _enable_ttl(name),
        "point-in-time recovery: " + recovery,
        "stream: " + stream,
    ]


def _code(error: ClientError) -> str:
    return str(error.response["Error"].get("Code", ""))


def _describe(name: str) -> Description | None:
    """The description of the table; None if it does not exist."""
    try:
        found: Description = client().describe_table(TableName=name)["Table"]
        return found
    except ClientError as error:
        if _code(error) == "ResourceNotFoundException":
            return None
        raise


def _ensure_same(name: str, description: Description) -> None:
    found = find_differences(description, _expiry_attribute(name))
    contradicting = [each for each in found if each.aspect != Aspect.MISSING]
    if contradicting:
        raise TableDiffers(contradicting)


def _expiry_attribute(name: str) -> str | None:
    """The attribute by which DynamoDB deletes expired items; None if expiry is off or not supported."""
    try:
        described = client().describe_time_to_live(TableName=name)["TimeToLiveDescription"]
    except ClientError as error:
        if not is_unsupported(error):
            raise
        return None
    return described.get("AttributeName") if described["TimeToLiveStatus"] in EXPIRY_ON else None


def _wait_until_active(name: str) -> None:
    for _ in range(240):
        described: dict[str, Any] = client().describe_table(TableName=name)["Table"]
        indexes = described.get("GlobalSecondaryIndexes", [])
        # A table is already active while DynamoDB builds a new index, but accepts no further index.
        if {described["TableStatus"], *(index.get("IndexStatus", "ACTIVE") for index in indexes)} == {"ACTIVE"}:
            return
        time.sleep(0.5)
    raise TimeoutError(f"The table {name} did not become active within two minutes.")


def _add_missing_indexes(name: str) -> list[str]:
    """Add indexes that an older table lacks, one at a time as DynamoDB requires."""
    described: dict[str, Any] = client().describe_table(TableName=name)["Table"]
    present = {index["IndexName"] for index in described.get("GlobalSecondaryIndexes", [])}
    definition: Any = schema.definition(name)
    report = []
    for index in definition["GlobalSecondaryIndexes"]:
        if index["IndexName"] in present:
            continue
        client().update_table(
            TableName=name,
            AttributeDefinitions=definition["AttributeDefinitions"],
            GlobalSecondaryIndexUpdates=[{"Create": index}],
        )
        _wait_until_active(name)
        report.append(f"index {index['IndexName']}: added")
    return report


def _enable_ttl(name: str) -> str:
    try:
        status = client().describe_time_to_live(TableName=name)["TimeToLiveDescription"]["TimeToLiveStatus"]
        if status in {"ENABLED", "ENABLING"}:
            return "on"
        setting = {"Enabled": True, "AttributeName": schema.TTL}
        client().update_time_to_live(TableName=name, TimeToLiveSpecification=setting)
        return "enabled"
    except ClientError as error:
        if not is_unsupported(error):
            raise
        return "not supported by this engine"


def _enable_recovery(name: str) -> str:
    try:
        described = client().describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
        if described["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED":
            return "on"
        setting = {"PointInTimeRecoveryEnabled": True}
        client().update_continuous_backups(TableName=name, PointInTimeRecoverySpecification=setting)
        return "enabled"
    except ClientError as error:
        if not is_unsupported(error):
            raise
        return "not supported by this engine"


def _enable_stream(name: str) -> str:
    """Enable the stream of an older table. DynamoDB cannot change the view of a stream that other programs read."""
    described: dict[str, Any] = client().describe_table(TableName=name)["Table"]
    present = described.get("StreamSpecification") or {}
    view = schema.STREAM["StreamViewType"]
    if present.get("StreamEnabled"):
        found = present.get("StreamViewType")
        return "on" if found == view else f"on, but with {found}; the stream follower needs {view}"
    try:
        client().update_table(TableName=name, StreamSpecification=schema.STREAM)
        _wait_until_active(name)
        return "enabled"
    except ClientError as error:
        if not is_unsupported(error):
            raise
        return "not supported by this engine"
