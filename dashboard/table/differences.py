"""Compares an existing table with the schema. No I/O."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from dashboard.table import schema

Description = dict[str, Any]


class Aspect(StrEnum):
    """What can differ."""

    KEYS = "keys"
    TYPE = "type"
    PROJECTION = "projection"
    EXPIRY = "expiry attribute"
    MISSING = "missing index"


@dataclass(frozen=True)
class TableDifference:
    """One difference between the table and the schema."""

    aspect: Aspect
    # The index that differs; None for the table itself.
    index: str | None
    expected: str
    found: str

    def __str__(self) -> str:
        part = f"index {self.index}" if self.index else "table"
        if self.aspect == Aspect.MISSING:
            return f"{part}: missing"
        return f"{part}: {self.aspect} {self.found}, expected {self.expected}"


def key_text(pk: str, sk: str | None) -> str:
    """A key schema as text: `PK (hash), SK (range)`."""
    return f"{pk} (hash), {sk} (range)" if sk else f"{pk} (hash) only"


def described_keys(part: Description) -> tuple[str, str | None]:
    """The names of the partition key and the sort key of a described table or index."""
    names = {key["KeyType"]: str(key["AttributeName"]) for key in part["KeySchema"]}
    return names["HASH"], names.get("RANGE")


def described_indexes(description: Description) -> dict[str, Description]:
    """The global and local indexes of a described table, by name: both kinds share their names."""
    both = [*description.get("GlobalSecondaryIndexes", ()), *description.get("LocalSecondaryIndexes", ())]
    return {index["IndexName"]: index for index in both}


def find_differences(description: Description, expiry_attribute: str | None = None) -> list[TableDifference]:
    """Everything in which a described table differs from the schema, missing indexes last.

    `expiry_attribute` is the attribute by which DynamoDB deletes expired items, if that is switched on.
    """
    found = [*_key_differences(description), *_type_differences(description)]
    if expiry_attribute not in (None, schema.TTL):
        found.append(TableDifference(Aspect.EXPIRY, None, schema.TTL, str(expiry_attribute)))
    missing = [index for index in schema.INDEXES if index.name not in described_indexes(description)]
    return found + [TableDifference(Aspect.MISSING, each.name, key_text(each.pk, each.sk), "") for each in missing]


def _key_differences(description: Description) -> Iterator[TableDifference]:
    expected, found = (schema.PK, schema.SK), described_keys(description)
    if found != expected:
        yield TableDifference(Aspect.KEYS, None, key_text(*expected), key_text(*found))
    described = described_indexes(description)
    for index in schema.INDEXES:
        same_name = described.get(index.name)
        if same_name is None:
            continue
        if (keys := described_keys(same_name)) != (index.pk, index.sk):
            yield TableDifference(Aspect.KEYS, index.name, key_text(index.pk, index.sk), key_text(*keys))
        projection = str(same_name.get("Projection", {}).get("ProjectionType", "ALL"))
        if projection != index.projection:
            yield TableDifference(Aspect.PROJECTION, index.name, index.projection, projection)


def _type_differences(description: Description) -> Iterator[TableDifference]:
    """Every key of the schema is a text. A table has one type for an attribute, in all its indexes."""
    types = {each["AttributeName"]: each["AttributeType"] for each in description["AttributeDefinitions"]}
    owners: list[tuple[str | None, tuple[str | None, ...]]] = [(None, (schema.PK, schema.SK))]
    owners += [(index.name, (index.pk, index.sk)) for index in schema.INDEXES]
    for owner, names in owners:
        for name in names:
            if name is not None and types.get(name, "S") != "S":
                yield TableDifference(Aspect.TYPE, owner, f"{name} S", f"{name} {types[name]}")
