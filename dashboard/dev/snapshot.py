"""moto's tables as a file of JSON lines: the definition of each table, then its items in DynamoDB JSON."""

import base64
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import DynamoType, Item, LimitedSizeDict
from moto.dynamodb.models.table import Table

Record = dict[str, Any]


def dump(backend: DynamoDBBackend) -> list[Record]:
    """Plain copies of all tables. It must be fast, because requests wait meanwhile."""
    records: list[Record] = []
    for table in backend.tables.values():
        records.append({"table": _definition(table), "ttl": table.ttl, "backups": table.continuous_backups})
        records.extend({"item": {name: _plain(value) for name, value in item.attrs.items()}} for item in _items(table))
    return records


def load(backend: DynamoDBBackend, records: list[Record]) -> None:
    """Load the tables that `dump` returned."""
    for record in records:
        if "table" in record:
            table = backend.create_table(**record["table"])
            table.ttl, table.continuous_backups = record["ttl"], record["backups"]
        else:
            _put(table, record["item"])


def write(path: Path, records: list[Record]) -> None:
    """Replace the file in one step: after a crash it is the old one or the new one."""
    scratch = path.with_name(f"{path.name}.new")
    with scratch.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(record, default=_base64) + "\n" for record in records)
        file.flush()
        os.fsync(file.fileno())
    scratch.replace(path)


def read(path: Path) -> list[Record]:
    """The records of a file; empty if there is no file yet."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _definition(table: Table) -> Record:
    """The arguments that create the same table."""
    return {
        "name": table.name,
        "schema": table.schema,
        "attr": table.attr,
        "throughput": None if table.billing_mode == "PAY_PER_REQUEST" else table.throughput,
        "billing_mode": table.billing_mode,
        "global_indexes": [index.describe() for index in table.global_indexes],
        "indexes": [index.describe() for index in table.indexes],
        "streams": table.stream_specification,
        "sse_specification": table.sse_specification,
        "tags": table.tags,
        "deletion_protection_enabled": table.deletion_protection_enabled,
        "warm_throughput": table.warm_throughput,
    }


def _items(table: Table) -> Iterator[Item]:
    """All items, unsorted. moto's `all_items` is slow because it sorts."""
    partitions: dict[Any, Any] = table.items
    for partition in partitions.values():
        if table.has_range_key:
            yield from partition.values()
        else:
            yield partition


def _plain(value: DynamoType) -> Record:
    """A copy of the value as DynamoDB JSON."""
    if value.type == "M":
        return {"M": {name: _plain(member) for name, member in value.value.items()}}
    if value.type == "L":
        return {"L": [_plain(member) for member in value.value]}
    return {value.type: list(value.value) if isinstance(value.value, list) else value.value}


def _base64(value: bytes) -> str:
    """moto stores most binary values in base64, but some as bytes."""
    return base64.b64encode(value).decode()


def _put(table: Table, attributes: Record) -> None:
    """Store an item without validation, which takes most of the time. It was validated before."""
    values = {name: DynamoType(value) for name, value in attributes.items()}
    hash_key = values[table.hash_key_attr]
    range_key = values[table.range_key_attr] if table.range_key_attr else None
    item = Item(hash_key, range_key, {})
    item.attrs = LimitedSizeDict(values)
    if range_key:
        table.items[hash_key][range_key] = item
    else:
        partitions: dict[Any, Any] = table.items
        partitions[hash_key] = item
