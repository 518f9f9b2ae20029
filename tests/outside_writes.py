"""Writes as outside writers make them, followed as the stream follower follows them."""

from __future__ import annotations

from typing import Any

from botocore.exceptions import ClientError

from dashboard.platform.stream.changes import Change, Write
from dashboard.platform.stream.repairs import load_context, repairs
from dashboard.table.connection import table
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key


def raw_at(key: Key) -> Raw | None:
    found: Raw | None = table().get_item(key.pk, key.sk, consistent_read=True).get("Item")
    return found


def put(raw: Raw) -> Change:
    """Put a whole item, which removes every attribute that it does not have."""
    key = Key(raw["PK"]["S"], raw["SK"]["S"])
    old = raw_at(key)
    rest = {name: value for name, value in raw.items() if name not in ("PK", "SK")}
    table().put_item(key.pk, key.sk, attributes=rest)
    return Change(old, raw)


def update(key: Key, **attributes: Any) -> Change:
    """Set some attributes of an item, or remove those that are None."""
    old = raw_at(key) or {}
    changed = {name: value for name, value in (old | attributes).items() if value is not None}
    put({"PK": {"S": key.pk}, "SK": {"S": key.sk}} | changed)
    return Change(old or None, raw_at(key))


def delete(key: Key) -> Change:
    old = raw_at(key)
    table().delete_item(key.pk, key.sk)
    return Change(old, None)


def writes_for(change: Change) -> list[Write]:
    """The writes that repair a change."""
    return repairs(change.old, change.new, load_context(change))


def follow(change: Change, writes: list[Write] | None = None) -> bool:
    """Repair a change as the follower does; False if a condition failed, so that nothing was written.

    A repair is a change itself: it has to be complete.
    """
    writes = writes_for(change) if writes is None else writes
    if not writes:
        return True
    before = {write.key: raw_at(write.key) for write in writes}
    try:
        table().connection.dispatch("TransactWriteItems", {"TransactItems": [_step(write) for write in writes]})
    except ClientError:
        return False
    for key, old in before.items():
        assert writes_for(Change(old, raw_at(key))) == [], f"{key} needs a second repair"
    return True


def _step(write: Write) -> dict[str, Any]:
    names = {f"#{n}": name for n, name in enumerate(sorted({"PK", *write.values, *write.expected}))}
    short = {name: alias for alias, name in names.items()}
    values: dict[str, Any] = {}

    def alias(value: Any) -> str:
        values[f":{len(values)}"] = value
        return f":{len(values) - 1}"

    conditions = [f"attribute_{'not_' if write.creates else ''}exists({short['PK']})"]
    for name, value in write.expected.items():
        conditions.append(
            f"attribute_not_exists({short[name]})" if value is None else f"{short[name]} = {alias(value)}"
        )
    sets = [f"{short[name]} = {alias(value)}" for name, value in write.values.items() if value is not None]
    removes = [short[name] for name, value in write.values.items() if value is None]
    body: dict[str, Any] = {
        "TableName": table().table_name,
        "Key": {"PK": {"S": write.key.pk}, "SK": {"S": write.key.sk}},
        "ConditionExpression": " AND ".join(conditions),
        "ExpressionAttributeNames": names,
    }
    if values:
        body["ExpressionAttributeValues"] = values
    if write.deletes:
        return {"Delete": body}
    body["UpdateExpression"] = " ".join(
        f"{verb} {', '.join(parts)}" for verb, parts in (("SET", sets), ("REMOVE", removes)) if parts
    )
    return {"Update": body}
