"""Computes the index keys and the expiry of an item from its attributes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dashboard.core.names import printable_value
from dashboard.table import keys, schema
from dashboard.table.items import CLASSES, Item, Raw, key_of

Values = dict[str, dict[str, Any] | None]


class NotComputable(Exception):
    """The class of the item cannot compute its index keys."""


def class_of(raw: Raw) -> type[Item] | None:
    return CLASSES.get(keys.kind_of(key_of(raw)) or "")


def printable_key(raw: Raw) -> str:
    """The key of an item as text for a terminal."""
    return f"{printable_value(raw['PK']['S'])} / {printable_value(raw['SK']['S'])}"


@dataclass(frozen=True)
class IndexKeys:
    """The index keys that an item should have; None for an index in which it should not be."""

    raw: Raw
    correct_keys: dict[schema.Index, tuple[str, str] | None]
    ttl: int | None

    def missing(self) -> tuple[Values, bool]:
        """The attributes to add, and whether existing ones differ from the computed ones."""
        adding = self._expiry()
        differs = False
        for index, key in self.correct_keys.items():
            names = index.key_attributes
            has = [self.raw.get(name) for name in names]
            should = [{"S": text} for text in key] if key else [None, None]
            if any(h is not None and h != s for h, s in zip(has, should, strict=True)):
                differs = True
            elif key:
                adding |= {n: s for n, h, s in zip(names, has, should, strict=True) if h is None}
        return adding, differs

    def changes(self) -> Values:
        """The attributes to set, or with None to remove, so that the index keys are correct."""
        changes = self._expiry()
        for index, key in self.correct_keys.items():
            for name, text in zip((index.pk, index.sk), key or (None, None), strict=True):
                value = None if text is None else {"S": text}
                if name is not None and self.raw.get(name) != value:
                    changes[name] = value
        return changes

    def _expiry(self) -> Values:
        return {schema.TTL: {"N": str(self.ttl)}} if self.ttl is not None and schema.TTL not in self.raw else {}


def index_keys_of(raw: Raw, indexes: Iterable[schema.Index]) -> IndexKeys | None:
    """The index keys of an item; None for a kind without a class."""
    cls = class_of(raw)
    if cls is None:
        return None
    try:
        # A partial item is enough, because it is never saved.
        item = cls.of(raw, partial=True)
        computed = item.stored_index_keys()
        ttl = item.expiry()
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        raise NotComputable(f"{printable_key(raw)}: {type(error).__name__}: {printable_value(str(error))}") from error
    correct_keys: dict[schema.Index, tuple[str, str] | None] = {}
    for index in indexes:
        if index.sk is not None:  # GSI_Domain uses the attribute `domain` as its key.
            key = computed.get(index.name)
            correct_keys[index] = (key.pk, key.sk) if key and key.sk is not None else None
    return IndexKeys(raw, correct_keys, ttl)
