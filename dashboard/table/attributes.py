"""Attribute types of our own: maps and lists of plain values, as other services write them."""

from __future__ import annotations

from decimal import Context, Decimal
from typing import Any

from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer
from pynamodb.attributes import Attribute
from pynamodb.constants import LIST, MAP, NUMBER

# DynamoDB has 38 digits; a number with more of them has only zeros behind.
_EXACT = Context(prec=38)
_LONG = 10**38


class _Reader(TypeDeserializer):  # type: ignore[misc]
    """boto3 refuses to read a number with many zeros at its end, which DynamoDB writes out."""

    def _deserialize_n(self, value: str) -> Decimal:
        return Decimal(value)


_write = TypeSerializer().serialize
from_attribute = _Reader().deserialize


def _to_wire(value: Any) -> Any:
    """DynamoDB takes no floats, and boto3 rounds none for us: not even the zeros at the end of a large number."""
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
    """Plain values only: boto3's own bytes cannot even be turned into text."""
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
    """A value of DynamoDB's, whatever its type, as a plain one."""
    return _from_wire(from_attribute(attribute))


def to_attribute(value: Any) -> dict[str, Any]:
    """A plain value as DynamoDB has it, type and all."""
    written: dict[str, Any] = _write(_to_wire(value))
    return written


class PlainMapAttribute(Attribute[dict[str, Any]]):
    """A map whose entries we do not prescribe."""

    attr_type = MAP

    def serialize(self, value: dict[str, Any]) -> Any:
        return _write(_to_wire(value))[MAP]

    def deserialize(self, value: Any) -> dict[str, Any]:
        read: dict[str, Any] = _from_wire(from_attribute({MAP: value}))
        return read


class PlainListAttribute(Attribute[list[Any]]):
    """A list whose entries we do not prescribe."""

    attr_type = LIST

    def serialize(self, value: list[Any]) -> Any:
        return _write(_to_wire(value))[LIST]

    def deserialize(self, value: Any) -> list[Any]:
        read: list[Any] = _from_wire(from_attribute({LIST: value}))
        return read


class DecimalAttribute(Attribute[Decimal]):
    """A number with every digit it has in the table: an amount of money is never a float."""

    attr_type = NUMBER

    def serialize(self, value: Decimal) -> str:
        return format(_EXACT.normalize(Decimal(value)), "f")

    def deserialize(self, value: str) -> Decimal:
        return Decimal(value)
