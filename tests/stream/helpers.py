"""Items as outside writers put them, and the follower on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dashboard.platform.stream import queries
from dashboard.platform.stream.changes import Change, Write
from dashboard.platform.stream.follower import Follower
from dashboard.platform.stream.repairs import compute_repairs
from dashboard.platform.stream.rules import RULES, RepairContext, load_context, rules_for
from dashboard.platform.stream.source import Stream
from dashboard.table import schema
from dashboard.table.index_keys import index_keys_of
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key

AT = "2025-09-21T10:00:00Z"


def post(name: str = "p1", **values: Any) -> Raw:
    """A post without any attribute that only we know."""
    attributes = {"title": "Hola", "status": "active", "userId": "ana@example.com", "createdAt": AT} | values
    return with_key(post_key(name), attributes)


def with_key(key: Key, values: dict[str, Any]) -> Raw:
    raw: Raw = {"PK": {"S": key.pk}, "SK": {"S": key.sk}}
    for name, value in values.items():
        raw[name] = value if isinstance(value, dict) else {"N": str(value)} if isinstance(value, int) else {"S": value}
    return raw


def post_key(name: str = "p1") -> Key:
    return Key(f"POST#{name}", f"POST#{name}")


def complete(raw: Raw) -> Raw:
    """The item as one of our classes stores it."""
    return applied(raw, wrong_keys(raw))


def wrong_keys(raw: Raw) -> dict[str, Any]:
    """The index keys that differ from those that the class computes."""
    computed = index_keys_of(raw, schema.INDEXES)
    return dict(computed.changes()) if computed else {}


def applied(raw: Raw, values: Any) -> Raw:
    merged = {**raw, **values}
    return {name: value for name, value in merged.items() if value is not None}


def repair(old: Raw | None, new: Raw | None, **context: Any) -> list[Write]:
    return compute_repairs(old, new, RepairContext(**context))


def needed(change: Change) -> list[Write]:
    """What the follower would write for a record of the stream."""
    return compute_repairs(change.old, change.new, load_context(change, rules_for(change)))


def follower_state() -> queries.FollowerState:
    return queries.follower_state(queries.shard_states(), queries.totals())


@contextmanager
def without_rules() -> Iterator[None]:
    """Without the rules of the apps, for tests that count writes."""
    saved = dict(RULES)
    RULES.clear()
    try:
        yield
    finally:
        RULES.clear()
        RULES.update(saved)


def all_records() -> Iterator[Any]:
    """Every record in the stream of the table."""
    stream = Stream.of_table()
    for shard in stream.shards():
        iterator: str | None = stream.iterator(shard.id, None)
        while iterator:
            records, iterator = stream.records(iterator)
            yield from records
            if not records:
                break


def catch_up(**options: Any) -> Follower:
    """A follower that has processed everything and ended."""
    follower = Follower(**options)
    follower.catch_up()
    follower.release()
    return follower
