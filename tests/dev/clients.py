"""A plain botocore client and small tables, for tests of the engines themselves."""

from typing import Any

import botocore.session
from botocore.config import Config

from dashboard.dev.environment import REGION

TABLE = "letters"


def client_for(endpoint: str | None = None, region: str = REGION, access_key: str = "local") -> Any:
    session = botocore.session.Session()
    return session.create_client(
        "dynamodb",
        region_name=region,
        endpoint_url=endpoint,
        aws_access_key_id=access_key,
        aws_secret_access_key="local",
        config=Config(max_pool_connections=32, retries={"total_max_attempts": 1}, proxies={}),
    )


def create_table(client: Any, name: str = TABLE) -> None:
    """Create a table with PK and SK and one index with all attributes."""
    client.create_table(
        TableName=name,
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in ("PK", "SK", "kind")],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by-kind",
                "KeySchema": [
                    {"AttributeName": "kind", "KeyType": "HASH"},
                    {"AttributeName": "SK", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        BillingMode="PAY_PER_REQUEST",
    )


def key(pk: str, sk: str) -> dict[str, Any]:
    return {"PK": {"S": pk}, "SK": {"S": sk}}
