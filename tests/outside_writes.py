"""Writes as outside writers make them, followed as the stream follower follows them."""

from __future__ import annotations

from typing import Any

from dashboard.platform.stream.batches import repair
from dashboard.platform.stream.changes import Change, Write
from dashboard.platform.stream.records import ItemChange
from dashboard.platform.stream.repairs import compute_repairs
from dashboard.platform.stream.rules import load_context, rules_for
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
    return compute_repairs(change.old, change.new, load_context(change, rules_for(change)))


def follow(change: Change) -> bool:
    """Repair a change as the follower does; returns whether anything was written. One repair has to be enough."""
    has_written = repair(ItemChange.of(change))
    repaired = raw_at(change.key)
    if repaired != change.new:
        assert writes_for(Change(change.new, repaired)) == [], "the repair needs another repair"
    return has_written
