"""Values inside the maps and lists of an item, read by the attribute class of their type.

A map keeps all that an outside writer stored. Each entry is accepted or not by the same class as an attribute of that
type (`dashboard/table/attributes.py`); an entry that it does not accept reads as absent.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any

from pynamodb.constants import BOOLEAN, LIST, MAP, NUMBER, NUMBER_SET, STRING, STRING_SET

from dashboard.table.attributes import (
    LenientBooleanAttribute,
    LenientNumberAttribute,
    LenientUnicodeAttribute,
    PlainListAttribute,
    PlainMapAttribute,
    WordListAttribute,
)
from dashboard.table.timestamps import TimestampAttribute

_TEXT, _NUMBER = LenientUnicodeAttribute(), LenientNumberAttribute()
_FLAG, _MOMENT = LenientBooleanAttribute(), TimestampAttribute()
_MAP, _LIST, _WORDS = PlainMapAttribute(), PlainListAttribute(), WordListAttribute()
# The Python types that need no conversion, by type on the wire.
_EXPECTED: dict[str, frozenset[type]] = {
    STRING: frozenset({str}),
    NUMBER: frozenset({int, float, Decimal}),
    BOOLEAN: frozenset({bool}),
    MAP: frozenset({dict}),
    LIST: frozenset({list}),
}


def read_as(attribute: Any, value: Any) -> Any:
    """A plain value as an attribute of this class reads it; None if the class does not accept it."""
    if value is None:
        return None
    if type(value) in _EXPECTED[attribute.attr_type]:
        return attribute.deserialize(value) if attribute is _MOMENT else value
    kind, content = _wire_form(value)
    conversion = attribute.conversions.get(kind)
    converted = conversion(content) if conversion else None
    return None if converted is None else attribute.deserialize(converted)


def _wire_form(value: Any) -> tuple[str, Any]:
    """The type on the wire and the content of a value that is neither a map nor a list."""
    if type(value) is set:
        is_text = all(type(each) is str for each in value)
        return (STRING_SET, value) if is_text else (NUMBER_SET, [str(each) for each in value])
    kind = next((kind for kind, types in _EXPECTED.items() if type(value) in types), "")
    return kind, str(value) if kind == NUMBER else value


def text_of(value: Any) -> str | None:
    found: str | None = read_as(_TEXT, value)
    return found


def number_of(value: Any) -> float | None:
    found: float | None = read_as(_NUMBER, value)
    return found


def whole_number_of(value: Any) -> int | None:
    """A number without a fraction."""
    found = number_of(value)
    return int(found) if found is not None and found == int(found) else None


def moment_of(value: Any) -> datetime | None:
    found: datetime | None = read_as(_MOMENT, value)
    return found


def members_of(value: Any) -> list[Any]:
    """The members of a list; of a set in their order."""
    return read_as(_LIST, value) or []


def words_of(value: Any) -> list[Any]:
    """The members of a list of words, which may also be stored as one text."""
    return read_as(_WORDS, value) or []


def texts_in(members: Iterable[Any]) -> list[str]:
    """The members that are texts."""
    return [each for each in members if type(each) is str]


def without_texts(members: Iterable[Any], removed: Container[str]) -> list[Any]:
    """The members without these texts. Members of other types stay: outside writers wrote them."""
    return [each for each in members if type(each) is not str or each not in removed]


def is_map(value: Any) -> bool:
    return read_as(_MAP, value) is not None


class StoredMap(dict[str, Any]):
    """A map of the table whose entries are read by type."""

    @classmethod
    def of(cls, value: Any) -> StoredMap:
        """An empty map if the value is none."""
        return cls(read_as(_MAP, value) or {})

    def text(self, name: str) -> str:
        return text_of(self.get(name)) or ""

    def number(self, name: str) -> float | None:
        return number_of(self.get(name))

    def whole_number(self, name: str) -> int | None:
        return whole_number_of(self.get(name))

    def flag(self, name: str) -> bool | None:
        found: bool | None = read_as(_FLAG, self.get(name))
        return found

    def moment(self, name: str) -> datetime | None:
        return moment_of(self.get(name))

    def map(self, name: str) -> StoredMap:
        return StoredMap.of(self.get(name))

    def members(self, name: str) -> list[Any]:
        return members_of(self.get(name))

    def maps(self) -> Iterator[tuple[str, StoredMap]]:
        """The entries that are maps."""
        return ((name, StoredMap(value)) for name, value in self.items() if is_map(value))

    def counts(self) -> dict[str, int]:
        """The entries that are whole numbers."""
        found = ((name, whole_number_of(value)) for name, value in self.items())
        return {name: number for name, number in found if number is not None}


def maps_in(value: Any) -> list[StoredMap]:
    """The members of a list that are maps."""
    return [StoredMap(each) for each in members_of(value) if is_map(each)]


_EXPECTED[MAP] |= {StoredMap}
