"""Tables of other services, with keys, indexes or an expiry that differ from ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import settings

from dashboard.core.ids import new_id
from dashboard.table import connection, schema


def _without(definition: dict[str, Any], *indexes: str) -> dict[str, Any]:
    kept = [index for index in definition["GlobalSecondaryIndexes"] if index["IndexName"] not in indexes]
    used = {key["AttributeName"] for part in [definition, *kept] for key in part["KeySchema"]}
    attributes = [each for each in definition["AttributeDefinitions"] if each["AttributeName"] in used]
    return definition | {"GlobalSecondaryIndexes": kept, "AttributeDefinitions": attributes}


def hash_only_index(name: str) -> dict[str, Any]:
    """GSI1 has no sort key, as in the franchises' local setup."""
    definition: dict[str, Any] = dict(schema.definition(name))
    for index in definition["GlobalSecondaryIndexes"]:
        if index["IndexName"] == "GSI1":
            index["KeySchema"] = index["KeySchema"][:1]
    return _without(definition)


def keyed_by_tenant(name: str) -> dict[str, Any]:
    """A table of the bookings' service."""
    return {
        "TableName": name,
        "KeySchema": [{"AttributeName": "tenantId", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "tenantId", "AttributeType": "S"}],
        "BillingMode": "PAY_PER_REQUEST",
    }


def site_indexes(name: str) -> dict[str, Any]:
    """GSI_Type and GSI_Domain of the site's service: other attributes, and another projection."""
    definition: dict[str, Any] = dict(schema.definition(name))
    replaced = {"GSI_Type": ("Type", "CreatedAt"), "GSI_Domain": ("Domain", "PK")}
    for index in definition["GlobalSecondaryIndexes"]:
        if index["IndexName"] in replaced:
            pk, sk = replaced[index["IndexName"]]
            index["KeySchema"] = [
                {"AttributeName": pk, "KeyType": "HASH"},
                {"AttributeName": sk, "KeyType": "RANGE"},
            ]
            index["Projection"] = {"ProjectionType": "ALL"}
    names = ("Type", "CreatedAt", "Domain")
    definition["AttributeDefinitions"] += [{"AttributeName": each, "AttributeType": "S"} for each in names]
    return _without(definition)


def numeric_sort_key(name: str) -> dict[str, Any]:
    """The sort key of GSI2 is a number."""
    definition: dict[str, Any] = dict(schema.definition(name))
    for attribute in definition["AttributeDefinitions"]:
        if attribute["AttributeName"] == "GSI2SK":
            attribute["AttributeType"] = "N"
    return definition


@contextmanager
def table_in_use(define: Callable[[str], dict[str, Any]], expiry: str = "") -> Iterator[str]:
    """Creates a table and points the product at it for the length of the block."""
    name = f"test-{new_id()}"
    client = connection.client()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "DYNAMODB_TABLE", name)
        connection.client().create_table(**define(name))
        try:
            if expiry:
                setting = {"Enabled": True, "AttributeName": expiry}
                client.update_time_to_live(TableName=name, TimeToLiveSpecification=setting)
            yield name
        finally:
            connection.client().delete_table(TableName=name)
