"""The items and partitions that a call to DynamoDB names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dashboard.table import schema


@dataclass(frozen=True)
class CallTarget:
    """What a call reads or writes: an item, or a partition of the table or an index."""

    index: str | None
    pk: str
    # The sort key, or its prefix if `exact` is false.
    sk: str = ""
    exact: bool = True
    # The parameters of a write.
    body: dict[str, Any] | None = None
    # Whether the call only reads the target or checks a condition of it.
    is_read: bool = False


def call_targets(operation: str, params: dict[str, Any]) -> Iterator[CallTarget]:
    """Every key that a call names. An unknown call has a target that is refused."""
    if operation == "Query":
        yield _query_target(params)
    elif operation in {"BatchGetItem", "BatchWriteItem"}:
        for batch in params["RequestItems"].values():
            requests = batch["Keys"] if isinstance(batch, dict) else [r for each in batch for r in each.values()]
            yield from (_item_target(request, operation) for request in requests)
    elif operation in {"TransactWriteItems", "TransactGetItems"}:
        steps = [step for each in params["TransactItems"] for step in each.items()]
        yield from (_item_target(body, name) for name, body in steps)
    elif operation in {"GetItem", "PutItem", "UpdateItem", "DeleteItem"}:
        yield _item_target(params, operation)
    else:
        yield CallTarget(None, "")


# Calls, and steps of transactions, that change nothing.
_READS = {"GetItem", "BatchGetItem", "Get", "ConditionCheck"}


def _item_target(body: dict[str, Any], operation: str) -> CallTarget:
    key = body.get("Key") or body.get("Item") or body
    writes = "Item" in body or "UpdateExpression" in body or "ConditionExpression" in body
    pk, sk = key[schema.PK]["S"], key[schema.SK]["S"]
    return CallTarget(None, pk, sk, body=body if writes else None, is_read=operation in _READS)


_EQUALS = re.compile(r"([#\w]+) = (:\w+)")
_BEGINS = re.compile(r"begins_with *\(([#\w]+), (:\w+)\)")
_BETWEEN = re.compile(r"([#\w]+) BETWEEN (:\w+) AND (:\w+)")


def _query_target(params: dict[str, Any]) -> CallTarget:
    """The partition of a query, and the prefix that all its sort keys have."""
    index = params.get("IndexName")
    pk_name, sk_name = (schema.BY_NAME[index].pk, schema.BY_NAME[index].sk) if index else (schema.PK, schema.SK)
    condition = params["KeyConditionExpression"]
    names, values = params.get("ExpressionAttributeNames", {}), params["ExpressionAttributeValues"]

    def find_all(expression: re.Pattern[str]) -> dict[str, list[str]]:
        return {
            names.get(match[1], match[1]): [values[name]["S"] for name in match.groups()[1:]]
            for match in expression.finditer(condition)
        }

    equal, begins, between = find_all(_EQUALS), find_all(_BEGINS), find_all(_BETWEEN)
    pk = equal.get(pk_name, [""])[0]
    if sk_name in equal:
        return CallTarget(index, pk, equal[sk_name][0])
    if sk_name in between:
        low, high = between[sk_name]
        shared = next((n for n, pair in enumerate(zip(low, high, strict=False)) if pair[0] != pair[1]), len(low))
        return CallTarget(index, pk, low[:shared], exact=False)
    return CallTarget(index, pk, begins.get(sk_name or "", [""])[0], exact=False)
