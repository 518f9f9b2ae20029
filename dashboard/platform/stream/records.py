"""Records of the stream as changes. Several records of one item become one change."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from dashboard.platform.stream.changes import Change, revision_of
from dashboard.platform.stream.rules import Rule, rules_for
from dashboard.table import keys, schema
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key

Record = Mapping[str, Any]


class NoImages(Exception):
    """The stream does not deliver both images of an item."""


@dataclass
class ItemChange:
    """What happened to one item: its oldest and newest image, and the rules that any of its records needs."""

    change: Change
    rules: list[Rule] = field(default_factory=list)
    # The highest revision in any image. A form can contain it, even if a later Put removed it.
    revision: int = 0

    def add(self, change: Change) -> None:
        if self.change.new is None:
            # It was deleted and created again: another item, whose revision starts again.
            self.change, self.revision = change, 0
        elif change.new is None:
            # It was deleted. The newest image that has our attributes tells what to remove elsewhere.
            self.change = Change(max(change.old, self.change.old, key=revision_of), None)
        elif change.is_replaced:
            # A Put removed our attributes: the image before it has the newest ones.
            self.change = change
        else:
            between = () if change.new == self.change.new else (self.change.new,)
            self.change = Change(self.change.old, change.new, between=(*self.change.between, *between))
        self._update_revision_and_rules(change)

    def move_to(self, current: Raw | None) -> None:
        """Continue with the item as it is now, as if another record had led to it: an outside writer may have replaced
        what our own record contains, which needs the rules of its kind."""
        if self.change.new is None or current is None:
            self.change = Change(self.change.old, current)
        else:
            self.add(Change(self.change.new, current))

    def _update_revision_and_rules(self, change: Change) -> None:
        self.revision = max(self.revision, revision_of(change.old), revision_of(change.new))
        self.rules += [rule for rule in rules_for(change) if rule not in self.rules]

    @classmethod
    def of(cls, change: Change) -> ItemChange:
        created = cls(change)
        created._update_revision_and_rules(change)
        return created


def change_of(record: Record) -> Change:
    body = record["dynamodb"]
    old, new = body.get("OldImage"), body.get("NewImage")
    if old is None and new is None:
        raise NoImages(f"The stream delivers {body.get('StreamViewType')}, not {schema.STREAM['StreamViewType']}.")
    return Change(old, new)


# A checkpoint or a lease of the follower itself, and counters, which change with every event and need nothing.
_SKIPPED = (keys.STREAM_SHARD, keys.ACTIVITY_MINUTE, keys.ACTIVITY_HOUR)


def is_own(record: Record) -> bool:
    """Whether the record is of an item that only this product writes and that needs no repair."""
    pk = record["dynamodb"]["Keys"][schema.PK]["S"]
    return any(each.pk.read(pk) is not None for each in _SKIPPED)


def sequence_number(record: Record) -> str:
    return str(record["dynamodb"]["SequenceNumber"])


def created_at(record: Record) -> float:
    """When the change was made, in seconds. Some engines round it."""
    at = record["dynamodb"].get("ApproximateCreationDateTime", 0.0)
    return at.timestamp() if isinstance(at, datetime) else float(at)


def by_item(records: Iterable[Record]) -> list[ItemChange]:
    """The changes of each item in the order of their first record."""
    changes: dict[Key, ItemChange] = {}
    for record in records:
        change = change_of(record)
        if change.key in changes:
            changes[change.key].add(change)
        else:
            changes[change.key] = ItemChange.of(change)
    return list(changes.values())


def from_lambda(record: Record) -> Record:
    """A record in the JSON of a Lambda event: binary values are base64 text there."""
    body = dict(record["dynamodb"])
    for name in ("OldImage", "NewImage"):
        if name in body:
            body[name] = {attribute: _decoded(value) for attribute, value in body[name].items()}
    return {**record, "dynamodb": body}


def _decoded(value: dict[str, Any]) -> dict[str, Any]:
    kind, content = next(iter(value.items()))
    decoded: Any = content
    if kind == "B":
        decoded = base64.b64decode(content)
    elif kind == "BS":
        decoded = [base64.b64decode(each) for each in content]
    elif kind == "M":
        decoded = {name: _decoded(each) for name, each in content.items()}
    elif kind == "L":
        decoded = [_decoded(each) for each in content]
    return {kind: decoded}
