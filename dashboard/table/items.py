"""The base class of all items, and the conversion of raw items of the table."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_
from types import MappingProxyType
from typing import Any, ClassVar, Self, cast

from pynamodb.attributes import Attribute, NumberAttribute, UnicodeAttribute
from pynamodb.connection.table import TableConnection
from pynamodb.constants import NULL
from pynamodb.exceptions import AttributeDeserializationError
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path
from pynamodb.models import Model

from dashboard.core.clock import now
from dashboard.table import due_times, keys, schema
from dashboard.table.attributes import to_boto3_value
from dashboard.table.connection import table
from dashboard.table.equality import is_equal
from dashboard.table.keypattern import IndexKey, Key, Part, Parts, Pattern
from dashboard.table.timestamps import TimestampAttribute

Raw = dict[str, dict[str, Any]]

# The class of each kind of item that has one.
CLASSES: dict[str, type[Item]] = {}


@dataclass(frozen=True)
class Outcome:
    """The outcome of a command, the same each time the command is repeated."""

    result: dict[str, Any]
    # The command was executed before, and its subject has changed since.
    has_changed_since: bool = False
    # The item already had the requested values.
    is_no_change: bool = False


class Item(Model):
    """An item of the table. Reads go through `read.py`, writes through `transactions.py`."""

    class Meta:
        table_name = "the one table"  # The connection knows its real name.

    key_pattern: ClassVar[Pattern]

    pk = UnicodeAttribute(hash_key=True, attr_name="PK")
    sk = UnicodeAttribute(range_key=True, attr_name="SK")
    gsi1pk = UnicodeAttribute(null=True, attr_name="GSI1PK")
    gsi1sk = UnicodeAttribute(null=True, attr_name="GSI1SK")
    gsi2pk = UnicodeAttribute(null=True, attr_name="GSI2PK")
    gsi2sk = UnicodeAttribute(null=True, attr_name="GSI2SK")
    gsi3pk = UnicodeAttribute(null=True, attr_name="GSI3PK")
    gsi3sk = UnicodeAttribute(null=True, attr_name="GSI3SK")
    gsi4pk = UnicodeAttribute(null=True, attr_name="GSI4PK")
    gsi4sk = UnicodeAttribute(null=True, attr_name="GSI4SK")
    gsitypepk = UnicodeAttribute(null=True, attr_name="GSITypePK")
    gsitypesk = UnicodeAttribute(null=True, attr_name="GSITypeSK")
    gsistatuspk = UnicodeAttribute(null=True, attr_name="GSIStatusPK")
    gsistatussk = UnicodeAttribute(null=True, attr_name="GSIStatusSK")
    ttl = NumberAttribute(null=True)
    # Absent on an item that an outside writer made. Read it through `revision`.
    stored_revision = NumberAttribute(null=True, attr_name="revision")
    created_at = TimestampAttribute(null=True, attr_name="createdAt")
    updated_at = TimestampAttribute(null=True, attr_name="updatedAt")
    updated_by = UnicodeAttribute(null=True, attr_name="updatedBy")
    updated_by_name = UnicodeAttribute(null=True, attr_name="updatedByName")

    # The outcome of the command that wrote the item, set by `Transaction.commit`.
    outcome: Outcome
    _as_read: dict[str, Any]
    # Attributes that repeat a part of the key. They are read from the key.
    attributes_from_key: ClassVar[dict[str, str]] = {}
    # Maps in which outside writers write too. They are saved entry by entry.
    shared_maps: ClassVar[frozenset[str]] = frozenset()
    # Attributes that outside writers expect even without a value: they are written as `null`.
    written_as_null: ClassVar[frozenset[str]] = frozenset()
    # Whether lists leave out items whose key does not match the pattern, as outside writers may put into an index.
    needs_key_parts: ClassVar[bool] = False
    # Whether people edit the item. Such an item has a revision.
    editable: ClassVar[bool] = True
    partial = False
    # The item as it was read, by attribute names on the wire.
    raw: Mapping[str, dict[str, Any]] = MappingProxyType({})
    # Unknown attributes of outside writers, kept when the item moves to another key.
    extra_attributes: Raw = {}
    # The item at the previous key, if this one moves.
    moved_from: Item | None = None
    _parts: tuple[tuple[str, str], Parts] | None = None
    # Names on the wire of attributes with an unexpected type. They read as None and stay in the table.
    mistyped: frozenset[str] = frozenset()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        CLASSES[cls.key_pattern.kind] = cls

    @classmethod
    def new(cls, **parts: Part) -> Self:
        """A new item at the key with these parts."""
        return cls.new_at_key(cls.key_pattern.key(**parts))

    @classmethod
    def new_at_key(cls, key: Key) -> Self:
        """A new item at this key, for kinds with several key patterns."""
        item = cls(*key)
        item._as_read = {}
        return item

    @classmethod
    def of(cls, raw: Raw, *, partial: bool = False) -> Self:
        """The item from a raw item. A value of an unexpected type reads as None and stays in the table."""
        read = cls._with_key_attributes(raw)
        try:
            item = cls.from_raw_data(read)
        except AttributeDeserializationError:
            attributes = {each.attr_name: each for each in cls.get_attributes().values()}
            known = {n: value for n, value in read.items() if n not in attributes or can_read(attributes[n], value)}
            item = cls.from_raw_data(known)
            item.mistyped = frozenset(read) - frozenset(known)
        item.partial, item.raw = partial, raw
        # An item that was read in part cannot be saved and needs no copy.
        item._as_read = {} if partial else copy.deepcopy(item.attribute_values)
        return item

    def unchanged(self, *names: str) -> Condition:
        """The condition that the attributes with these names on the wire are exactly as they were read."""
        conditions: list[Any] = [
            Path([name]) == self.raw[name] if name in self.raw else Path([name]).does_not_exist() for name in names
        ]
        return cast(Condition, reduce(and_, conditions))

    def in_original_form(self, written: Raw, source: Item) -> Raw:
        """Attributes to write: those with the value of `source` in the form in which they were read.

        An outside writer's timestamp with milliseconds stays one, although we write seconds.
        """
        same = [
            str(attribute.attr_name)
            for name, attribute in self.get_attributes().items()
            if name in self.attribute_values and is_equal(self.attribute_values[name], source._as_read.get(name))
        ]
        return written | {name: source.raw[name] for name in same if name in written and name in source.raw}

    @classmethod
    def _with_key_attributes(cls, raw: Raw) -> Raw:
        """Attributes that repeat a part of the key are read from the key: outside writers may store other values."""
        if not cls.attributes_from_key:
            return raw
        parts = cls.key_pattern.read(raw[schema.PK]["S"], raw[schema.SK]["S"]) or {}
        return raw | {name: {"S": str(parts[part])} for name, part in cls.attributes_from_key.items() if part in parts}

    @property
    def key(self) -> Key:
        return Key(self.pk, self.sk)

    @classmethod
    def table_of(cls, key: Key) -> str:
        """The name of the table with the item at this key; empty for the main one."""
        return ""

    @property
    def key_parts(self) -> Parts:
        """The parts of its key. They are cached because lists use them often."""
        key = self.pk, self.sk
        if self._parts is None or self._parts[0] != key:
            self._parts = key, self.key_pattern.read(*key) or {}
        return self._parts[1]

    @property
    def revision(self) -> int:
        """How often people have edited the item. A missing or non-numeric revision counts as 0."""
        return max(int(self.stored_revision or 0), 0)

    @revision.setter
    def revision(self, number: int) -> None:
        self.stored_revision = number

    def index_keys(self) -> Iterable[IndexKey]:
        """The keys of this item in the indexes, from its current values."""
        return ()

    def stored_index_keys(self) -> dict[str, IndexKey]:
        """The keys in the indexes as they are stored, by the name of the index."""
        return {key.index: due_times.listed(key, self.raw) for key in self.index_keys()}

    def set_index_keys(self) -> None:
        index_keys = self.stored_index_keys()
        for index in schema.INDEXES:
            if index.sk is None:
                continue  # The key of GSI_Domain is an ordinary attribute.
            key = index_keys.get(index.name)
            setattr(self, index.pk.lower(), key.pk if key else None)
            setattr(self, index.sk.lower(), key.sk if key else None)

    def expiry(self) -> int | None:
        """The `ttl` that follows from the item's values, or None."""
        return None

    def changes(self) -> dict[str, Any]:
        """The changes since the item was read: attribute name → new value, None for a removed one."""
        now, before = self.attribute_values, self._as_read
        names = [name for name in {*now, *before} if not is_equal(now.get(name), before.get(name))]
        return {name: now.get(name) for name in sorted(names) if not self._is_shared(name)}

    def nested_changes(self) -> dict[tuple[str, ...], Any]:
        """The changed entries of shared maps: path → new value."""
        shared = [name for name in self.shared_maps if self._is_shared(name)]
        return dict(
            entry
            for name in shared
            for entry in _entries(
                self._as_read[name], self.attribute_values.get(name) or {}, (self.get_attributes()[name].attr_name,)
            )
        )

    def _is_shared(self, name: str) -> bool:
        """Only a map that exists already can be updated in part."""
        return name in self.shared_maps and isinstance(self._as_read.get(name), dict)

    def mark_saved(self) -> None:
        self._as_read = copy.deepcopy(self.attribute_values)

    @classmethod
    def _get_connection(cls) -> TableConnection:
        return table()


def can_read(attribute: Attribute[Any], value: dict[str, Any]) -> bool:
    """Whether the attribute's class accepts a stored value."""
    try:
        return NULL in value or attribute.get_value(value) is not None
    except AttributeDeserializationError:
        return False


def _entries(
    before: dict[str, Any], after: dict[str, Any], at: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name in {*before, *after}:
        old, new = before.get(name), after.get(name)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _entries(old, new, (*at, name))
        elif not is_equal(old, new):
            yield (*at, name), new


@dataclass(frozen=True)
class PlainItem:
    """An item of an unknown kind. It can be shown but not written."""

    key: Key
    attributes: dict[str, Any]


def key_of(raw: Raw) -> Key:
    """The key of an item as DynamoDB returns it."""
    return Key(raw[schema.PK]["S"], raw[schema.SK]["S"])


def to_item(raw: Raw, *, partial: bool = False) -> Item | PlainItem:
    """The item in the class of its kind, which its key tells; a plain item if the kind is unknown."""
    key = key_of(raw)
    cls = CLASSES.get(keys.kind_of(key) or "")
    if cls is not None:
        return cls.of(raw, partial=partial)
    return PlainItem(key, {name: to_boto3_value(value) for name, value in raw.items()})


def is_expired(raw: Raw) -> bool:
    """Whether the `ttl` has passed. DynamoDB deletes expired items late, and local engines never do."""
    try:
        return float(raw["ttl"]["N"]) <= now().timestamp()
    except (KeyError, ValueError):
        return False
