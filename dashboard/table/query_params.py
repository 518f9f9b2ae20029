"""Parameters of a query: the condition on the sort key, the attributes to read and the start of a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from dashboard.table import schema
from dashboard.table.items import Raw
from dashboard.table.keypattern import Collection

# Sorts after every character that can follow a prefix.
HIGHEST_CHARACTER = "\U0010ffff"
# The limit of DynamoDB.
MAX_SORT_KEY_BYTES = 1024


def is_empty_range(since: str | None, until: str | None) -> bool:
    """Return whether no key lies between the bounds. This happens for a day that a time zone skipped."""
    return since is not None and until is not None and since > until + HIGHEST_CHARACTER


def sort_key_condition(
    collection: Collection, starts_with: str, since: str | None, until: str | None
) -> Condition | None:
    name = schema.SK if collection.index is None else schema.BY_NAME[collection.index].sk
    if name is None:
        return None
    if since is not None or until is not None:
        return Path([name]).between(
            collection.prefix + (since or "\x01"), collection.prefix + (until or "") + HIGHEST_CHARACTER
        )
    prefix = collection.prefix + starts_with
    return Path([name]).startswith(prefix) if prefix else None


def unrestricted_sort_key_condition(collection: Collection, since: str, until: str) -> Condition | None:
    """Like `sort_key_condition`, but includes every possible key between the bounds, also unusual ones."""
    if not since and not until:
        return sort_key_condition(collection, "", None, None)
    name = schema.SK if collection.index is None else schema.BY_NAME[collection.index].sk
    last = collection.prefix + until
    bytes_left = MAX_SORT_KEY_BYTES - len(last.encode())
    padding = HIGHEST_CHARACTER * (bytes_left // len(HIGHEST_CHARACTER.encode()))
    return Path([name]).between(collection.prefix + since, last + padding) if name else None


def projection(attributes: Iterable[str | tuple[str, ...]] | None, index: str | None) -> list[Any] | None:
    """The keys and the ttl are always read: they tell the kind of an item, its position and whether it is expired.

    A tuple is the path of an entry in a map, whose name may contain a dot.
    """
    if attributes is None:
        return None
    names = dict.fromkeys([schema.PK, schema.SK, schema.TTL, *_index_keys(index), *attributes])
    return [Path(list(name)) if isinstance(name, tuple) else name for name in names]


def start_after(raw: Raw, index: str | None) -> Raw:
    """The start of a page that follows this item."""
    return {name: raw[name] for name in (schema.PK, schema.SK, *_index_keys(index))}


def _index_keys(index: str | None) -> list[str]:
    return schema.BY_NAME[index].key_attributes if index else []
