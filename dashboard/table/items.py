"""The base of every item, and how a raw item of the table becomes one."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_
from types import MappingProxyType
from typing import Any, ClassVar, Self, cast

from pynamodb.attributes import NumberAttribute, UnicodeAttribute
from pynamodb.connection.table import TableConnection
from pynamodb.exceptions import AttributeDeserializationError
from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path
from pynamodb.models import Model

from dashboard.core.clock import now
from dashboard.table import keys, schema
from dashboard.table.attributes import from_attribute
from dashboard.table.connection import table
from dashboard.table.keypattern import IndexKey, Key, Part, Parts, Pattern
from dashboard.table.timestamps import TimestampAttribute

Raw = dict[str, dict[str, Any]]

# The class of each kind of item that has one.
CLASSES: dict[str, type[Item]] = {}


@dataclass(frozen=True)
class Outcome:
    """What a command did, told the same however often it is asked for."""

    result: dict[str, Any]
    # The command was done before, and its subject has been changed since.
    moved_on: bool = False
    # There was nothing to do: it was so already.
    nothing: bool = False


class Item(Model):
    """An item at a key of ours. Reads and writes go through `read.py` and `transactions.py`."""

    class Meta:
        table_name = "the one table"  # The connection knows its real name.

    pattern: ClassVar[Pattern]

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

    # What the command that wrote this said, set by `Transaction.commit`.
    outcome: Outcome
    _as_read: dict[str, Any]
    # Attributes that repeat a part of the key: the key counts, whatever they hold.
    attributes_from_key: ClassVar[dict[str, str]] = {}
    # Maps in which other services write too: they are saved entry by entry.
    shared_maps: ClassVar[frozenset[str]] = frozenset()
    # Attributes that other services look for even where there is nothing: they hold `null` then.
    written_as_null: ClassVar[frozenset[str]] = frozenset()
    # Whether people edit it: such an item carries a revision.
    editable: ClassVar[bool] = True
    partial = False
    # As it was read, by the names on the wire: other services write values of any type, and without a revision.
    raw: Mapping[str, dict[str, Any]] = MappingProxyType({})
    # What other services put on it that we know nothing of, kept where the item can move to another key.
    extra_attributes: Raw = {}
    _parts: tuple[tuple[str, str], Parts] | None = None
    # What stands in the table as another type than ours, by its name there: it reads as none, and is there.
    mistyped: frozenset[str] = frozenset()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        CLASSES[cls.pattern.kind] = cls

    @classmethod
    def at(cls, **parts: Part) -> Self:
        """A new item at the key with these parts."""
        return cls.at_key(cls.pattern.key(**parts))

    @classmethod
    def at_key(cls, key: Key) -> Self:
        """A new item at this key, for a kind that lives at more than one."""
        item = cls(*key)
        item._as_read = {}
        return item

    @classmethod
    def of(cls, raw: Raw, *, partial: bool = False) -> Self:
        """The item that DynamoDB answered with. A value of a type we do not expect reads as none, and stays."""
        read = cls._by_its_key(raw)
        try:
            item = cls.from_raw_data(read)
        except AttributeDeserializationError:
            types = {each.attr_name: each.attr_type for each in cls.get_attributes().values()}
            known = {n: value for n, value in read.items() if types.get(n) in (None, *value)}
            item = cls.from_raw_data(known)
            item.mistyped = frozenset(read) - frozenset(known)
        item.partial, item.raw = partial, raw
        # What was read in part cannot be saved, so that a list does not pay for the copy.
        item._as_read = {} if partial else copy.deepcopy(item.attribute_values)
        return item

    def unchanged(self, *names: str) -> Condition:
        """That what has these names on the wire is as it was read, to the last digit."""
        each: list[Any] = [
            Path([name]) == self.raw[name] if name in self.raw else Path([name]).does_not_exist() for name in names
        ]
        return cast(Condition, reduce(and_, each))

    @classmethod
    def _by_its_key(cls, raw: Raw) -> Raw:
        """Who and what an item is, its key says: another service may write the attribute as it likes."""
        if not cls.attributes_from_key:
            return raw
        parts = cls.pattern.read(raw[schema.PK]["S"], raw[schema.SK]["S"]) or {}
        return raw | {name: {"S": str(parts[part])} for name, part in cls.attributes_from_key.items() if part in parts}

    @property
    def key(self) -> Key:
        return Key(self.pk, self.sk)

    @property
    def key_parts(self) -> Parts:
        """What its key says of it; a list asks many times."""
        place = self.pk, self.sk
        if self._parts is None or self._parts[0] != place:
            self._parts = place, self.pattern.read(*place) or {}
        return self._parts[1]

    @property
    def revision(self) -> int:
        """How often people have edited the item. A missing or non-numeric revision counts as 0."""
        return max(int(self.stored_revision or 0), 0)

    @revision.setter
    def revision(self, number: int) -> None:
        self.stored_revision = number

    def index_keys(self) -> Iterable[IndexKey]:
        """Where this item stands in the indexes, as it is now."""
        return ()

    def set_index_keys(self) -> None:
        wanted = {where.index: where for where in self.index_keys()}
        for index in schema.INDEXES:
            if index.sk is None:
                continue  # GSI_Domain is keyed by an attribute of its own.
            where = wanted.get(index.name)
            setattr(self, index.pk.lower(), where.pk if where else None)
            setattr(self, index.sk.lower(), where.sk if where else None)

    def expiry(self) -> int | None:
        """The `ttl` that follows from what the item says; none where nothing does."""
        return None

    def changes(self) -> dict[str, Any]:
        """What differs from what was read: attribute name → new value, None for one that is gone."""
        now, before = self.attribute_values, self._as_read
        names = [name for name in {*now, *before} if now.get(name) != before.get(name)]
        return {name: now.get(name) for name in sorted(names) if not self._is_shared(name)}

    def nested_changes(self) -> dict[tuple[str, ...], Any]:
        """The entries that changed in maps that other services write too: path → new value."""
        shared = [name for name in self.shared_maps if self._is_shared(name)]
        return dict(
            entry
            for name in shared
            for entry in _entries(
                self._as_read[name], self.attribute_values.get(name) or {}, (self.get_attributes()[name].attr_name,)
            )
        )

    def _is_shared(self, name: str) -> bool:
        """Only a map that is there already can be written in part."""
        return name in self.shared_maps and isinstance(self._as_read.get(name), dict)

    def mark_saved(self) -> None:
        self._as_read = copy.deepcopy(self.attribute_values)

    @classmethod
    def _get_connection(cls) -> TableConnection:
        return table()


def _entries(
    before: dict[str, Any], after: dict[str, Any], at: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name in {*before, *after}:
        old, new = before.get(name), after.get(name)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from _entries(old, new, (*at, name))
        elif old != new:
            yield (*at, name), new


@dataclass(frozen=True)
class PlainItem:
    """An item of a kind we do not know: kept and shown as it is, never written."""

    key: Key
    attributes: dict[str, Any]


def revive(raw: Raw, *, partial: bool = False) -> Item | PlainItem:
    """An item of its class, told by its key; a plain item where the key says nothing to us."""
    key = Key(raw["PK"]["S"], raw["SK"]["S"])
    cls = CLASSES.get(keys.kind_of(key) or "")
    if cls is not None:
        return cls.of(raw, partial=partial)
    return PlainItem(key, {name: from_attribute(value) for name, value in raw.items()})


def expired(raw: Raw) -> bool:
    """DynamoDB deletes late, or never on a test engine: past its `ttl` an item is gone for us."""
    try:
        return float(raw["ttl"]["N"]) <= now().timestamp()
    except (KeyError, ValueError):
        return False
