"""What follows from an item's own attributes: its places in the indexes, and when it expires."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dashboard.core.names import found
from dashboard.table import keys, schema
from dashboard.table.items import CLASSES, Item, Raw
from dashboard.table.keypattern import Key

Values = dict[str, dict[str, Any] | None]


class NotComputable(Exception):
    """The item's class cannot make sense of it."""


def class_of(raw: Raw) -> type[Item] | None:
    return CLASSES.get(keys.kind_of(Key(raw["PK"]["S"], raw["SK"]["S"])) or "")


def printable_key(raw: Raw) -> str:
    """The item's key, as a line on a terminal can have it."""
    return f"{found(raw['PK']['S'])} / {found(raw['SK']['S'])}"


@dataclass(frozen=True)
class IndexKeys:
    """The index keys of one item: what they should be, none where there should be none."""

    raw: Raw
    wanted: dict[schema.Index, tuple[str, str] | None]
    ttl: int | None

    def missing(self) -> tuple[Values, bool]:
        """What to add to an item that lacks it; and whether what it has differs from what it should have."""
        adding = self._expiry()
        differs = False
        for index, place in self.wanted.items():
            names = [name for name in index[1:3] if name]
            has = [self.raw.get(name) for name in names]
            should = [{"S": text} for text in place] if place else [None, None]
            if any(h is not None and h != s for h, s in zip(has, should, strict=True)):
                differs = True
            elif place:
                adding |= {n: s for n, h, s in zip(names, has, should, strict=True) if h is None}
        return adding, differs

    def changes(self) -> Values:
        """What to set, or with none to remove, so that the item stands where it should."""
        changes = self._expiry()
        for index, place in self.wanted.items():
            for name, text in zip(index[1:3], place or (None, None), strict=True):
                value = None if text is None else {"S": text}
                if name is not None and self.raw.get(name) != value:
                    changes[name] = value
        return changes

    def _expiry(self) -> Values:
        return {schema.TTL: {"N": str(self.ttl)}} if self.ttl is not None and schema.TTL not in self.raw else {}


def index_keys_of(raw: Raw, indexes: Iterable[schema.Index]) -> IndexKeys | None:
    """Where an item should stand in these indexes; none for a kind that has no class."""
    cls = class_of(raw)
    if cls is None:
        return None
    try:
        # In part: it is never saved, and whole it would be copied.
        item = cls.of(raw, partial=True)
        standing = {where.index: where for where in item.index_keys()}
        ttl = item.expiry()
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as error:
        raise NotComputable(f"{printable_key(raw)}: {type(error).__name__}: {found(str(error))}") from error
    wanted: dict[schema.Index, tuple[str, str] | None] = {}
    for index in indexes:
        if index.sk is not None:  # GSI_Domain is keyed by an attribute of its own.
            where = standing.get(index.name)
            wanted[index] = (where.pk, where.sk) if where and where.sk is not None else None
    return IndexKeys(raw, wanted, ttl)
