"""The changes of a command, stored with its record, so that Undo restores every value exactly as it was."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any

from content.library.attribute_texts import Value, to_text
from dashboard.table.attributes import to_boto3_value
from dashboard.table.items import Raw, key_of
from dashboard.table.keypattern import Key


@dataclass(frozen=True)
class AttributeChange:
    """One changed attribute: its values as stored, None for a missing one."""

    name: str
    before: Value | None
    after: Value | None

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "before": to_json(self.before), "after": to_json(self.after)}


def changes_of(result: Any) -> list[AttributeChange]:
    """The changes in the result of a command; none for another kind of result."""
    found = result.get("changes") if isinstance(result, dict) else None
    return [AttributeChange(each["name"], from_json(each["before"]), from_json(each["after"])) for each in found or []]


def removed_item(result: Any, key: Key) -> Raw | None:
    """The item that a command deleted, if it has this key."""
    raw: Raw | None = from_json(result.get("removed")) if isinstance(result, dict) else None
    return raw if raw and key_of(raw) == key else None


def to_json(value: Any) -> Any:
    """Stored values for JSON, which has no binary ones."""
    if isinstance(value, dict):
        return {name: to_json(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_json(each) for each in value]
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def from_json(value: Any, *, is_binary: bool = False) -> Any:
    if isinstance(value, dict):
        if is_binary and value.keys() == {"base64"}:
            return base64.b64decode(value["base64"])
        return {name: from_json(each, is_binary=name in {"B", "BS"}) for name, each in value.items()}
    return [from_json(each, is_binary=is_binary) for each in value] if isinstance(value, list) else value


def is_equal(one: Value | None, other: Value | None) -> bool:
    """Whether two stored values mean the same: an engine may drop the zeros at the end of a number."""
    if one is None or other is None:
        return one is other
    return one == other or bool(one.keys() == other.keys() and to_boto3_value(one) == to_boto3_value(other))


def readable(value: Value) -> Any:
    """A stored value in an audit entry."""
    kind, content = next(iter(value.items()))
    return content if kind in {"S", "BOOL"} else to_text(value)
