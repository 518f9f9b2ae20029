"""A change of the table and the conditional writes that repair it. No I/O."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from dashboard.table import keys, schema
from dashboard.table.items import Item, Raw, key_of, to_item
from dashboard.table.keypattern import Key

AttributeValue = dict[str, Any]
Values = Mapping[str, AttributeValue | None]


@dataclass(frozen=True)
class Change:
    """The images of one item before and after a write, as the stream delivers them (DynamoDB JSON)."""

    old: Raw | None
    new: Raw | None
    # False for an item that `reindex` found: nobody has changed it just now, so nothing is reported.
    is_from_stream: bool = True
    # The images between both, if several records of the stream became one change.
    between: tuple[Raw, ...] = ()

    @cached_property
    def key(self) -> Key:
        return key_of(self.new or self.old or {})

    @cached_property
    def kind(self) -> str | None:
        return keys.kind_of(self.key)

    @cached_property
    def changed(self) -> frozenset[str]:
        """The names on the wire of the attributes that differ."""
        old, new = self.old or {}, self.new or {}
        return frozenset(name for name in {*old, *new} if old.get(name) != new.get(name))

    @property
    def is_ours(self) -> bool:
        """Whether one of our transactions wrote the item: only they increase the revision."""
        return self.new is not None and revision_of(self.new) > revision_of(self.old)

    @property
    def is_replaced(self) -> bool:
        """Whether a Put without our attributes replaced the item: its revision is lower than before."""
        return self.new is not None and revision_of(self.new) < revision_of(self.old)

    @cached_property
    def old_item(self) -> Item | None:
        return _item(self.old)

    @cached_property
    def new_item(self) -> Item | None:
        return _item(self.new)


@dataclass(frozen=True)
class Write:
    """One conditional write. Attributes are named and written as in DynamoDB."""

    key: Key
    # The attributes to set; None removes one.
    values: Values = field(default_factory=dict)
    # The attributes that the write was computed from, as they were read; None for an absent one.
    expected: Values = field(default_factory=dict)
    # Numbers to add to attributes, whatever they are; a missing item is created. A transaction that adds must also
    # have a condition that fails the second time.
    added: Mapping[str, int | float] = field(default_factory=dict)
    # The item does not exist yet.
    creates: bool = False
    # Delete the item; `values` is empty.
    deletes: bool = False

    @classmethod
    def if_absent(cls, key: Key) -> Write:
        """No write: a condition that allows the other writes only while there is no item at this key."""
        return cls(key, expected={schema.PK: None})

    @property
    def is_condition(self) -> bool:
        return self == Write.if_absent(self.key)

    @classmethod
    def of_new(cls, item: Item) -> Write:
        """Create this item, with its index keys."""
        item.set_index_keys()
        return cls(
            item.key, {name: value for name, value in item.serialize().items() if name not in _KEY}, creates=True
        )

    @classmethod
    def of_changed(cls, item: Item, computed_from: Iterable[str] = ()) -> Write:
        """Save the changes of an item that was read, with its index keys.

        `computed_from` names on the wire what the new values depend on. The changed attributes are always expected
        to be as they were read.
        """
        item.set_index_keys()
        attributes, serialized = item.get_attributes(), item.serialize()
        names = [str(attributes[name].attr_name) for name in item.changes()]
        names += [path[0] for path in item.nested_changes()]
        values = {name: serialized.get(name) for name in dict.fromkeys(names)}
        expected = {name: item.raw.get(name) for name in dict.fromkeys([*computed_from, *values])}
        return cls(item.key, values, expected)

    def merged_with(self, other: Write) -> Write:
        """Both writes to one key as one. Two different values for one attribute are an error."""
        for own, others in ((self.values, other.values), (self.expected, other.expected)):
            if any(own[name] != others[name] for name in own.keys() & others.keys()):
                raise ValueError(f"Two repairs of {self.key} contradict each other.")
        if self.deletes != other.deletes or self.added.keys() & other.added.keys():
            raise ValueError(f"Two repairs of {self.key} contradict each other.")
        return replace(
            self,
            values={**self.values, **other.values},
            expected={**self.expected, **other.expected},
            added={**self.added, **other.added},
            creates=self.creates or other.creates,
        )


_KEY = frozenset({schema.PK, schema.SK})


def revision_of(raw: Raw | None) -> int:
    """The revision of an image. A missing or non-numeric one counts as 0."""
    try:
        return max(int(float((raw or {})["revision"]["N"])), 0)
    except (KeyError, ValueError, OverflowError):
        return 0


def _item(raw: Raw | None) -> Item | None:
    found = to_item(raw) if raw is not None else None
    return found if isinstance(found, Item) else None
