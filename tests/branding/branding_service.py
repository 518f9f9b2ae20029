"""The branding service, as an outside writer: its items and its transactions, with raw calls.

The expressions and conditions are those of the service. It knows nothing of revisions.
"""

from __future__ import annotations

import itertools
from typing import Any

from botocore.exceptions import ClientError

from dashboard.table import connection, keys
from dashboard.table.attributes import from_attribute, to_attribute

BUSINESS = "andina"
USER = "user-314"
METADATA = {"palette.primary": "#B5651D", "palette.secondary": "#FFF4E0", "metadata.version": "1"}
LOGO = {"assetId": "logo-sol", "assetType": "logo", "uri": "s3://branding-dev/logo-sol.png", "metadata": {"w": "96"}}
_seconds = itertools.count()


def timestamp() -> str:
    """`Instant.toString` has 0, 3, 6 or 9 digits of a second."""
    second = next(_seconds)
    fraction = ("", ".500", ".123456", ".123456789")[second % 4]
    return f"2025-10-08T{second // 3600 % 24:02d}:{second // 60 % 60:02d}:{second % 60:02d}{fraction}Z"


def put_draft(version: int, *, overwrite: bool = False, sort_key: str | None = None, **attributes: Any) -> None:
    """`putDraft`: a condition, unless it overwrites the whole item."""
    item: dict[str, Any] = {
        "PK": f"BUS#{BUSINESS}",
        "SK": sort_key or f"THEME#{version:08d}",
        "type": "THEME",
        "status": "DRAFT",
        "version": version,
        "updatedAt": timestamp(),
        "metadata": METADATA,
        "assets": [LOGO],
    } | attributes
    raw = {name: to_attribute(value) for name, value in item.items() if value not in (None, [], {})}
    condition = {} if overwrite else {"ConditionExpression": "attribute_not_exists(PK)"}
    connection.client().put_item(TableName=_table(), Item=raw, **condition)


def list_drafts() -> list[int]:
    """`listDrafts`: the numbers, from the keys."""
    found = connection.client().query(
        TableName=_table(),
        ConsistentRead=True,
        KeyConditionExpression="PK = :pk and begins_with(SK, :prefix)",
        FilterExpression="#status = :draft",
        ExpressionAttributeNames={"#status": "status"},
        ExpressionAttributeValues={
            ":pk": {"S": f"BUS#{BUSINESS}"},
            ":prefix": {"S": "THEME#"},
            ":draft": {"S": "DRAFT"},
        },
    )["Items"]
    return sorted(int(item["SK"]["S"].removeprefix("THEME#")) for item in found)


def publish(version: int) -> bool:
    return _go_live(version, "<=")


def roll_back(version: int) -> bool:
    return _go_live(version, ">=")


def _go_live(version: int, comparison: str) -> bool:
    """Whether its transaction succeeded."""
    live = live_version()
    if live == version:
        # There is nothing to revert. If another version became live meanwhile, there would be two.
        comparison = "="
    steps = [_publish_step(version), _marker_step(version, comparison)]
    if live is not None and live != version:
        steps.append(_revert_step(live))
    try:
        connection.client().transact_write_items(TransactItems=[{"Update": step} for step in steps])
    except ClientError as error:
        assert error.response["Error"]["Code"] == "TransactionCanceledException", error
        return False
    return True


def _publish_step(version: int) -> Any:
    return _update(
        f"THEME#{version:08d}",
        "SET #status = :published, updatedAt = :at, publishedAt = :at, publishedBy = :by",
        "attribute_exists(PK) AND (#status = :draft OR #status = :published)",
        {"#status": "status"},
        {":published": "PUBLISHED", ":draft": "DRAFT", ":at": timestamp(), ":by": USER},
    )


def _marker_step(version: int, comparison: str) -> Any:
    return _update(
        "PUBLISHED",
        "SET #type = :type, #version = :version, updatedAt = :at, publishedAt = :at, publishedBy = :by",
        f"attribute_not_exists(#version) OR #version {comparison} :version",
        {"#type": "type", "#version": "version"},
        {":type": "PUBLISHED_MARKER", ":version": version, ":at": timestamp(), ":by": USER},
    )


def _revert_step(version: int) -> Any:
    return _update(
        f"THEME#{version:08d}",
        "SET #status = :draft, updatedAt = :at REMOVE publishedAt, publishedBy",
        "attribute_exists(PK) AND #status = :published",
        {"#status": "status"},
        {":published": "PUBLISHED", ":draft": "DRAFT", ":at": timestamp()},
    )


def _update(sort_key: str, update: str, condition: str, names: dict[str, str], values: dict[str, Any]) -> Any:
    return {
        "TableName": _table(),
        "Key": {"PK": {"S": f"BUS#{BUSINESS}"}, "SK": {"S": sort_key}},
        "UpdateExpression": update,
        "ConditionExpression": condition,
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": {name: to_attribute(value) for name, value in values.items()},
    }


def live_version() -> int | None:
    marker = stored("PUBLISHED")
    return marker["version"] if marker else None


def stored(sort_key: str) -> dict[str, Any]:
    """An item of the business, with plain values; empty if it does not exist."""
    key: Any = {"PK": {"S": f"BUS#{BUSINESS}"}, "SK": {"S": sort_key}}
    found = connection.client().get_item(TableName=_table(), Key=key, ConsistentRead=True).get("Item", {})
    return {name: from_attribute(value) for name, value in found.items()}


def stored_theme(version: int) -> dict[str, Any]:
    return stored(keys.THEME.key(tenant=BUSINESS, version=version).sk)


def stored_status(version: int) -> str:
    return str(stored_theme(version)["status"])


def _table() -> str:
    return connection.table().table_name
