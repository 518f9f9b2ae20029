"""Raw items of outside writers, with one problem each."""

from __future__ import annotations

from typing import Any

from django.conf import settings

from dashboard.table import connection
from dashboard.table.items import Raw

AT = "2025-08-18T10:30:00Z"
MALFORMED: Raw = {"PK": {"S": "BUS#andina"}, "SK": {"S": "THEME#first"}}
MISTYPED: Raw = {"PK": {"S": "TENANT#andina"}, "SK": {"S": "SIGNAL#s1"}, "title": {"L": [{"S": "a"}]}}
WITHOUT_KEYS: Raw = {
    "PK": {"S": "TENANT#andina"},
    "SK": {"S": "SERVICE#masaje"},
    "name": {"S": "Masaje"},
    "category": {"S": "spa"},
}
WRONG_KEYS: Raw = WITHOUT_KEYS | {
    "SK": {"S": "SERVICE#corte"},
    "GSI1PK": {"S": "TENANT#andina#CATEGORY#other"},
    "GSI1SK": {"S": "Masaje"},
}
# A category with `#` cannot be part of a key.
INVALID_PART: Raw = WITHOUT_KEYS | {"SK": {"S": "SERVICE#manos"}, "category": {"S": "spa#1"}}
UNKNOWN: Raw = {"PK": {"S": "TENANT#andina"}, "SK": {"S": "POLL#p1"}, "title": {"S": "-20 %"}}
UNKNOWN_FILE: Raw = {
    "PK": {"S": "BUS#andina"},
    "SK": {"S": "THEME#00000003"},
    "version": {"N": "3"},
    "status": {"S": "draft"},
    "assets": {"L": [{"S": "ASSET#andina-missing"}, {"M": {"assetId": {"S": "x"}, "uri": {"S": "s3://elsewhere/x"}}}]},
}
ALL = [MALFORMED, MISTYPED, WITHOUT_KEYS, WRONG_KEYS, INVALID_PART, UNKNOWN, UNKNOWN_FILE]


def put_all(*raws: Raw) -> None:
    for raw in raws or ALL:
        connection.client().put_item(TableName=settings.DYNAMODB_TABLE, Item=raw)


def attributes(**values: Any) -> Raw:
    return {name: {"S": value} for name, value in values.items()}
