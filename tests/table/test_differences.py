"""`create_table` refuses a table that differs, names each difference and changes nothing."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from dashboard.table import admin, connection, schema
from dashboard.table.differences import Aspect, find_differences
from tests.conftest import every_engine
from tests.table import foreign_tables
from tests.table.foreign_tables import table_in_use

GSI1_HASH_ONLY = "index GSI1: keys GSI1PK (hash) only, expected GSI1PK (hash), GSI1SK (range)"
KEYED_BY_TENANT = "table: keys tenantId (hash) only, expected PK (hash), SK (range)"


def describe_all(name: str) -> dict[str, Any]:
    """Everything that `create_table` could change."""
    client = connection.client()
    table: dict[str, Any] = client.describe_table(TableName=name)["Table"]
    return {
        "keys": table["KeySchema"],
        "indexes": sorted(index["IndexName"] for index in table.get("GlobalSecondaryIndexes", [])),
        "attributes": sorted(each["AttributeName"] for each in table["AttributeDefinitions"]),
        "stream": table.get("StreamSpecification"),
        "expiry": client.describe_time_to_live(TableName=name)["TimeToLiveDescription"],
    }


def complaints(refusal: BaseException) -> list[str]:
    """The lines of the command's message about differences."""
    return [line.strip() for line in str(refusal).splitlines() if line.startswith("  ")]


@every_engine
@pytest.mark.parametrize(
    ("define", "expiry", "expected"),
    [
        (foreign_tables.hash_only_index, "", [GSI1_HASH_ONLY]),
        (foreign_tables.keyed_by_tenant, "", [KEYED_BY_TENANT]),
        (schema.definition, "timeToArchive", ["table: expiry attribute timeToArchive, expected ttl"]),
        (
            foreign_tables.site_indexes,
            "",
            [
                "index GSI_Type: keys Type (hash), CreatedAt (range), expected GSITypePK (hash), GSITypeSK (range)",
                "index GSI_Domain: keys Domain (hash), PK (range), expected domain (hash) only",
                "index GSI_Domain: projection ALL, expected KEYS_ONLY",
            ],
        ),
        (foreign_tables.numeric_sort_key, "", ["index GSI2: type GSI2SK N, expected GSI2SK S"]),
        (
            foreign_tables.hash_only_index,
            "timeToArchive",
            [GSI1_HASH_ONLY, "table: expiry attribute timeToArchive, expected ttl"],
        ),
    ],
)
def test_a_table_that_differs_is_refused_and_not_changed(
    table: str, define: Callable[[str], dict[str, Any]], expiry: str, expected: list[str]
) -> None:
    with table_in_use(define, expiry) as name:
        before = describe_all(name)
        with pytest.raises(CommandError) as refused:
            call_command("create_table", stdout=io.StringIO())
        assert complaints(refused.value) == expected
        assert name in str(refused.value) and "Nothing was changed" in str(refused.value)
        assert describe_all(name) == before


@every_engine
def test_a_table_of_ours_does_not_differ(table: str) -> None:
    with table_in_use(schema.definition) as name:
        described = connection.client().describe_table(TableName=name)["Table"]
        assert find_differences(described, "ttl") == []
        assert [each.aspect for each in find_differences(described, "expiresAt")] == [Aspect.EXPIRY]
        assert f"table {name}: exists" in admin.create_table()


def test_indexes_of_other_services_are_no_difference() -> None:
    description: dict[str, Any] = dict(schema.definition("any"))
    own = {
        "IndexName": "GSI_Slug",
        "KeySchema": [{"AttributeName": "TenantSlug", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    }
    description["GlobalSecondaryIndexes"].append(own)
    assert find_differences(description) == []


def test_a_missing_index_is_named_last_and_a_local_index_uses_its_name() -> None:
    description: dict[str, Any] = dict(schema.definition("any"))
    first, *others = description["GlobalSecondaryIndexes"]
    description["GlobalSecondaryIndexes"] = others
    (missing,) = find_differences(description)
    assert (missing.aspect, missing.index, str(missing)) == (Aspect.MISSING, "GSI1", "index GSI1: missing")

    description["LocalSecondaryIndexes"] = [
        first | {"KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "x", "KeyType": "RANGE"}]}
    ]
    (different,) = find_differences(description)
    assert different.aspect == Aspect.KEYS and different.found == "PK (hash), x (range)"
