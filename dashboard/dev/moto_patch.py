"""Makes moto faster without changing its results.

Transactions: moto 5.2 copies the table once for each item of a transaction (10 s and gigabytes at 20,000 items). With
the patch it works on the table itself, and a failed transaction restores the partitions that it changed. Stream
records are not restored: nothing here reads streams.

Responses: moto searches each attribute value under many names, 50 µs each: the words of the filter took 0.7 s to read.
The patch serializes attribute values directly.

Sorting: a sorted page compares millions of strings. The patch checks for a string before the other types.
"""

import base64
import copy
from collections.abc import Iterator
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

from moto.core import serialize
from moto.core.serialize import JSONSerializer
from moto.dynamodb import models
from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import DynamoType
from moto.dynamodb.models.table import Table

Transaction = list[dict[str, dict[str, Any]]]

_plain_transact = DynamoDBBackend.transact_write_items
_plain_structure = JSONSerializer._serialize_type_structure
_plain_value: Any = vars(DynamoType)["cast_value"]


def apply() -> None:
    """Apply the patch in this process."""
    vars(models)["copy"] = SimpleNamespace(deepcopy=_copy_unless_table)
    vars(models)["DynamoDBBackend"].transact_write_items = _transact_write_items
    vars(serialize)["JSONSerializer"]._serialize_type_structure = _structure
    setattr(DynamoType, "cast_value", property(_value))  # noqa: B010 -- typed as read-only


def remove() -> None:
    """Remove the patch. A test compares the results with and without it."""
    vars(models)["copy"] = copy
    vars(models)["DynamoDBBackend"].transact_write_items = _plain_transact
    vars(serialize)["JSONSerializer"]._serialize_type_structure = _plain_structure
    setattr(DynamoType, "cast_value", _plain_value)  # noqa: B010


def _value(self: DynamoType) -> Any:
    return self.value if self.type == "S" else _plain_value.fget(self)


def _copy_unless_table(value: Any) -> Any:
    return value if isinstance(value, Table) else copy.deepcopy(value)


def _transact_write_items(backend: DynamoDBBackend, transact_items: Transaction) -> None:
    before = _touched_partitions(backend, transact_items)
    try:
        _plain_transact(backend, transact_items)
    except Exception:
        for (name, hash_key), partition in before.items():
            _restore(backend.tables[name], hash_key, partition)
        raise


def _touched_partitions(backend: DynamoDBBackend, transact_items: Transaction) -> dict[tuple[str, Any], Any]:
    """The partitions before the transaction. Its items are copied, because moto updates items in place."""
    before: dict[tuple[str, Any], Any] = {}
    for table, hash_key, range_key in _touched_keys(backend, transact_items):
        now = table.items.get(hash_key)
        if range_key is None or now is None:
            before[table.name, hash_key] = copy.deepcopy(now)
            continue
        # A shallow copy keeps the order of the items too.
        partition = before.setdefault((table.name, hash_key), dict(now))
        if range_key in partition:
            partition[range_key] = copy.deepcopy(partition[range_key])
    return before


def _touched_keys(backend: DynamoDBBackend, transact_items: Transaction) -> Iterator[tuple[Table, Any, Any]]:
    for operations in transact_items:
        for operation in operations.values():
            # An invalid operation changes nothing; moto reports the error.
            with suppress(Exception):
                table = backend.get_table(operation["TableName"])
                yield table, *backend.get_keys_value(table, operation.get("Key") or operation["Item"])


def _restore(table: Table, hash_key: Any, partition: Any) -> None:
    if partition is None:
        table.items.pop(hash_key, None)
    else:
        table.items[hash_key] = partition


def _structure(self: JSONSerializer, serialized: dict[str, Any], value: Any, shape: Any, key: str) -> None:
    if shape.name == "AttributeValue" and key:
        self._default_serialize(serialized, _attribute(value), shape, key)
    else:
        _plain_structure(self, serialized, value, shape, key)


def _attribute(value: Any) -> dict[str, Any]:
    """The value in the format of the wire. moto stores bytes without base64."""
    kind, content = (value.type, value.value) if isinstance(value, DynamoType) else next(iter(value.items()))
    if kind == "L":
        content = [_attribute(each) for each in content]
    elif kind == "M":
        content = {name: _attribute(each) for name, each in content.items()}
    elif kind == "B":
        content = _in_base64(content)
    elif kind == "BS":
        content = [_in_base64(each) for each in content]
    elif kind in {"S", "N"}:
        content = str(content)
    return {kind: content}


def _in_base64(content: str | bytes) -> str:
    return base64.b64encode(content.encode() if isinstance(content, str) else content).decode()
