"""The definition of the table: keys, indexes, TTL."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings


class Index(NamedTuple):
    name: str
    pk: str
    sk: str | None
    projection: str = "ALL"

    @property
    def key_attributes(self) -> list[str]:
        """The names of the attributes that are its key."""
        return [self.pk] if self.sk is None else [self.pk, self.sk]


PK, SK, TTL = "PK", "SK", "ttl"
# The version of the index keys that this code writes. Increase it if existing items get other index keys, so that two
# versions do not undo each other's repairs during a deployment. Version 1 is not stored.
INDEX_LAYOUT = 1

INDEXES = (
    Index("GSI1", "GSI1PK", "GSI1SK"),
    Index("GSI2", "GSI2PK", "GSI2SK"),
    Index("GSI3", "GSI3PK", "GSI3SK"),
    Index("GSI4", "GSI4PK", "GSI4SK"),
    Index("GSI_Type", "GSITypePK", "GSITypeSK"),
    Index("GSI_Status", "GSIStatusPK", "GSIStatusSK"),
    Index("GSI_Domain", "domain", None, "KEYS_ONLY"),
)
BY_NAME = {index.name: index for index in INDEXES}
# The follower reads the stream of the main table, the archive those of the activity tables.
STREAM = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
# Each month of activity has a table of its own, with this index only.
ACTIVITY_INDEXES = (BY_NAME["GSI1"],)


def _key_schema(pk: str, sk: str | None) -> list[dict[str, str]]:
    hash_key = [{"AttributeName": pk, "KeyType": "HASH"}]
    return hash_key + ([{"AttributeName": sk, "KeyType": "RANGE"}] if sk else [])


def activity_table(table_name: str, month: str) -> str:
    """The name of the table with a month's activity: `trastienda-activity-2025-08`."""
    pattern: str = settings.ACTIVITY_TABLE
    return pattern.replace("{table}", table_name).replace("{month}", month)


def log_table_names(moment: datetime) -> list[str]:
    """The tables with the activity of this month and of the next one, which is created in advance."""
    next_month = (moment.replace(day=1) + timedelta(days=32)).replace(day=1)
    return [activity_table(settings.DYNAMODB_TABLE, f"{each:%Y-%m}") for each in (moment, next_month)]


def definition(table_name: str, indexes: tuple[Index, ...] = INDEXES) -> dict[str, object]:
    """The body of a CreateTable call."""
    names = [PK, SK] + [name for index in indexes for name in index.key_attributes]
    return {
        "TableName": table_name,
        "KeySchema": _key_schema(PK, SK),
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in names],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": index.name,
                "KeySchema": _key_schema(index.pk, index.sk),
                "Projection": {"ProjectionType": index.projection},
            }
            for index in indexes
        ],
        "BillingMode": "PAY_PER_REQUEST",
        "StreamSpecification": STREAM,
    }
