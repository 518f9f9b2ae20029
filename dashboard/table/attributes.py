"""Attribute types, and which values of outside writers each of them accepts.

An attribute reads a value of another type if its meaning is clear: a number stored as text, a set instead of a list, an
epoch instead of a timestamp. Anything else reads as None. Where pynamodb has a class for the type, ours is called
Lenient…; items that only this product writes use pynamodb's. The stored value stays as it is until someone changes it,
and conditions compare the stored value (`Item.unchanged`), never the converted one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Context, Decimal
from typing import Any, ClassVar

from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer
from pynamodb import attributes as pynamodb_attributes
from pynamodb.attributes import Attribute
from pynamodb.constants import LIST, MAP, NUMBER, NUMBER_SET, STRING, STRING_SET
from pynamodb.exceptions import AttributeDeserializationError

# DynamoDB stores 38 digits. In a longer number the other digits are zeros.
_PRECISION = Context(prec=38)
_FIRST_TOO_LONG = 10**38


class _Boto3Deserializer(TypeDeserializer):  # type: ignore[misc]
    """boto3 refuses numbers with many trailing zeros, which DynamoDB returns."""

    def _deserialize_n(self, value: str) -> Decimal:
        return Decimal(value)


_serialize = TypeSerializer().serialize
# An attribute value as boto3's types: Decimal and Binary.
to_boto3_value = _Boto3Deserializer().deserialize


def _to_boto3_types(value: Any) -> Any:
    """Convert floats and long integers to decimals: boto3 does not accept them."""
    if isinstance(value, float):
        return Decimal(str(value))
    if isinstance(value, int) and abs(value) >= _FIRST_TOO_LONG:
        return _PRECISION.normalize(Decimal(value))
    if isinstance(value, dict):
        return {str(name): _to_boto3_types(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_to_boto3_types(each) for each in value]
    return value


def _from_boto3_types(value: Any) -> Any:
    """Convert boto3's types to plain Python values."""
    if isinstance(value, Binary):
        return bytes(value.value)
    if isinstance(value, set):
        return {bytes(each.value) if isinstance(each, Binary) else each for each in value}
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dict):
        return {name: _from_boto3_types(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_from_boto3_types(each) for each in value]
    return value


def from_attribute(attribute: dict[str, Any]) -> Any:
    """An attribute value of DynamoDB, such as {"N": "3"}, as a plain Python value."""
    return _from_boto3_types(to_boto3_value(attribute))


def to_attribute(value: Any) -> dict[str, Any]:
    """A plain Python value as an attribute value of DynamoDB: 3 becomes {"N": "3"}."""
    written: dict[str, Any] = _serialize(_to_boto3_types(value))
    return written


_NUMBER = re.compile(r"[+-]?([0-9]{1,38}(\.[0-9]{0,38})?|\.[0-9]{1,38})")
_TRUTH_VALUES = {"true": True, "false": False}

# Converts a value of another type to the type of the attribute; None if it has no clear meaning.
Conversion = Callable[[Any], Any]


class LenientReading:
    """For attributes that also read values of other types: the conversion for each type in DynamoDB."""

    conversions: ClassVar[Mapping[str, Conversion]] = {}

    def get_value(self: Any, value: dict[str, Any]) -> Any:
        if self.attr_type in value:
            return value[self.attr_type]
        ((kind, content),) = value.items()
        converted = self.conversions[kind](content) if kind in self.conversions else None
        if converted is None:
            raise AttributeDeserializationError(self.attr_name, self.attr_type)
        return converted


def _number_in(text: str) -> str | None:
    """The number that a text contains, with a point as the decimal separator."""
    found = text.strip()
    return format(Decimal(found), "f") if _NUMBER.fullmatch(found) else None


class LenientUnicodeAttribute(LenientReading, pynamodb_attributes.UnicodeAttribute):
    """A text. A number is read as its digits."""

    conversions = {NUMBER: str}


class LenientNumberAttribute(LenientReading, pynamodb_attributes.NumberAttribute):
    """A number. A text that contains a number is read as that number."""

    conversions = {STRING: _number_in}


class LenientBooleanAttribute(LenientReading, pynamodb_attributes.BooleanAttribute):
    """True or false. The texts `true` and `false` and the numbers 1 and 0 are read as such."""

    conversions = {
        STRING: lambda text: _TRUTH_VALUES.get(text.strip().lower()),
        NUMBER: lambda number: {"1": True, "0": False}.get(number),
    }


class PlainMapAttribute(LenientReading, Attribute[dict[str, Any]]):
    """A map with any entries."""

    attr_type = MAP

    def serialize(self, value: dict[str, Any]) -> Any:
        return _serialize(_to_boto3_types(value))[MAP]

    def deserialize(self, value: Any) -> dict[str, Any]:
        read: dict[str, Any] = _from_boto3_types(to_boto3_value({MAP: value}))
        return read


class PlainListAttribute(LenientReading, Attribute[list[Any]]):
    """A list with any entries. A set is read as a sorted list."""

    attr_type = LIST
    conversions = {
        STRING_SET: lambda members: [{STRING: each} for each in sorted(members)],
        NUMBER_SET: lambda members: [{NUMBER: each} for each in sorted(members, key=Decimal)],
    }

    def serialize(self, value: list[Any]) -> Any:
        return _serialize(_to_boto3_types(value))[LIST]

    def deserialize(self, value: Any) -> list[Any]:
        read: list[Any] = _from_boto3_types(to_boto3_value({LIST: value}))
        return read


def _exact(value: Any) -> Any:
    """boto3's types as plain Python values, with every digit: a number with decimals stays a Decimal."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else value
    if isinstance(value, dict):
        return {name: _exact(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_exact(each) for each in value]
    return _from_boto3_types(value)


class ExactListAttribute(PlainListAttribute):
    """A list with any entries, for documents that are saved again: no number loses a digit."""

    def deserialize(self, value: Any) -> list[Any]:
        read: list[Any] = _exact(to_boto3_value({LIST: value}))
        return read


_SEPARATORS = re.compile(r"[\s,;]+")


class WordListAttribute(PlainListAttribute):
    """A list of words. A text is read as the words that it contains, between spaces, commas and semicolons."""

    conversions = {
        **PlainListAttribute.conversions,
        STRING: lambda text: [{STRING: each} for each in _SEPARATORS.split(text) if each],
    }


class DecimalAttribute(LenientReading, Attribute[Decimal]):
    """A number with all its digits, for amounts of money. A text that contains a number is read as that number."""

    attr_type = NUMBER
    conversions = {STRING: _number_in}

    def serialize(self, value: Decimal) -> str:
        return format(_PRECISION.normalize(Decimal(value)), "f")

    def deserialize(self, value: str) -> Decimal:
        return Decimal(value)
