"""Making the table: idempotent, and with whatever safety the engine knows."""

from __future__ import annotations

import time
from typing import Any

from botocore.exceptions import ClientError
from django.conf import settings

from dashboard.table import schema
from dashboard.table.connection import client

# What an engine answers to a call it does not have.
_UNKNOWN = {"UnknownOperationException", "UnknownOperation", "ValidationException", "NotImplemented", "404"}
_UNKNOWN |= {"InternalFailure", "SerializationException"}


def _lacks(error: ClientError) -> bool:
    """Whether a test engine does not know a call. AWS knows them all: there a refusal is a refusal."""
    on_aws = "amazonaws." in client().meta.endpoint_url
    return not on_aws and _code(error) in _UNKNOWN


def create_table() -> list[str]:
    """Create what is missing; says in a line each what was done."""
    name = settings.DYNAMODB_TABLE
    said = []
    if not _exists(name):
        try:
            client().create_table(**schema.definition(name), SSESpecification={"Enabled": True})
        except ClientError as error:
            if not _lacks(error):
                raise
            client().create_table(**schema.definition(name))
            said.append("encryption: this engine has none to switch on")
        said.insert(0, f"table {name}: created")
    else:
        said.append(f"table {name}: there already")
    _wait(name)
    said += _missing_indexes(name)
    said.append("expiry by ttl: " + _switch_on_ttl(name))
    said.append("point-in-time recovery: " + _switch_on_recovery(name))
    return said


def _code(error: ClientError) -> str:
    return str(error.response["Error"].get("Code", ""))


def _exists(name: str) -> bool:
    try:
        client().describe_table(TableName=name)
        return True
    except ClientError as error:
        if _code(error) == "ResourceNotFoundException":
            return False
        raise


def _wait(name: str) -> None:
    for _ in range(240):
        found: dict[str, Any] = client().describe_table(TableName=name)["Table"]
        indexes = found.get("GlobalSecondaryIndexes", [])
        # A table is active while DynamoDB still fills its new index, and takes no other meanwhile.
        if {found["TableStatus"], *(index.get("IndexStatus", "ACTIVE") for index in indexes)} == {"ACTIVE"}:
            return
        time.sleep(0.5)
    raise TimeoutError(f"The table {name} did not become active within two minutes.")


def _missing_indexes(name: str) -> list[str]:
    """Add indexes that an older table lacks, one at a time as DynamoDB wants it."""
    described: dict[str, Any] = client().describe_table(TableName=name)["Table"]
    present = {index["IndexName"] for index in described.get("GlobalSecondaryIndexes", [])}
    whole: Any = schema.definition(name)
    said = []
    for index in whole["GlobalSecondaryIndexes"]:
        if index["IndexName"] in present:
            continue
        client().update_table(
            TableName=name,
            AttributeDefinitions=whole["AttributeDefinitions"],
            GlobalSecondaryIndexUpdates=[{"Create": index}],
        )
        _wait(name)
        said.append(f"index {index['IndexName']}: added")
    return said


def _switch_on_ttl(name: str) -> str:
    try:
        status = client().describe_time_to_live(TableName=name)["TimeToLiveDescription"]["TimeToLiveStatus"]
        if status in {"ENABLED", "ENABLING"}:
            return "on"
        wanted = {"Enabled": True, "AttributeName": schema.TTL}
        client().update_time_to_live(TableName=name, TimeToLiveSpecification=wanted)
        return "switched on"
    except ClientError as error:
        if not _lacks(error):
            raise
        return "not on this engine"


def _switch_on_recovery(name: str) -> str:
    try:
        described = client().describe_continuous_backups(TableName=name)["ContinuousBackupsDescription"]
        if described["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED":
            return "on"
        wanted = {"PointInTimeRecoveryEnabled": True}
        client().update_continuous_backups(TableName=name, PointInTimeRecoverySpecification=wanted)
        return "switched on"
    except ClientError as error:
        if not _lacks(error):
            raise
        return "not on this engine"
