"""Attribute types: maps and lists of plain values, and exact decimals."""

from __future__ import annotations

from decimal import Context, Decimal
from typing import Any

from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer
from pynamodb.attributes import Attribute
from pynamodb.constants import LIST, MAP, NUMBER

# DynamoDB stores 38 digits. In a longer number the other digits are zeros.
_EXACT = Context(prec=38)
_LONG = 10**38


class _Reader(TypeDeserializer):  # type: ignore[misc]
    """boto3 refuses numbers with many trailing zeros, which DynamoDB returns."""

    def _deserialize_n(self, value: str) -> Decimal:
        return Decimal(value)


_write = TypeSerializer().serialize
from_attribute = _Reader().deserialize


def _to_wire(value: Any) -> Any:
    """Convert floats and long integers to decimals: boto3 does not accept them."""
    if isinstance(value, float):
        return Decimal(str(value))
    if isinstance(value, int) and abs(value) >= _LONG:
        return _EXACT.normalize(Decimal(value))
    if isinstance(value, dict):
        return {str(name): _to_wire(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_to_wire(each) for each in value]
    return value


def _from_wire(value: Any) -> Any:
    """Convert boto3's types to plain Python values."""
    if isinstance(value, Binary):
        return bytes(value.value)
    if isinstance(value, set):
        return {bytes(each.value) if isinstance(each, Binary) else each for each in value}
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dict):
        return {name: _from_wire(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_from_wire(each) for each in value]
    return value


def as_plain(attribute: dict[str, Any]) -> Any:
    """An attribute value of DynamoDB as a plain Python value."""
    return _from_wire(from_attribute(attribute))


def to_attribute(value: Any) -> dict[str, Any]:
    """A plain Python value as an attribute value of DynamoDB."""
    written: dict[str, Any] = _write(_to_wire(value))
    return written


class PlainMapAttribute(Attribute[dict[str, Any]]):
    """A map with any entries."""

    attr_type = MAP

    def serialize(self, value: dict[str, Any]) -> Any:
        return _write(_to_wire(value))[MAP]

    def deserialize(self, value: Any) -> dict[str, Any]:
        read: dict[str, Any] = _from_wire(from_attribute({MAP: value}))
        return read


class PlainListAttribute(Attribute[list[Any]]):
    """A list with any entries."""

    attr_type = LIST

    def serialize(self, value: list[Any]) -> Any:
        return _write(_to_wire(value))[LIST]

    def deserialize(self, value: Any) -> list[Any]:
        read: list[Any] = _from_wire(from_attribute({LIST: value}))
        return read


class DecimalAttribute(Attribute[Decimal]):
    """A number with all its digits, for amounts of money."""

    attr_type = NUMBER

    def serialize(self, value: Decimal) -> str:
        return format(_EXACT.normalize(Decimal(value)), "f")

    def deserialize(self, value: str) -> Decimal:
        return Decimal(value)
