"""Attribute types of our own: maps and lists of plain values, as other services write them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from boto3.dynamodb.types import TypeDeserializer, TypeSerializer
from pynamodb.attributes import Attribute
from pynamodb.constants import LIST, MAP

_write = TypeSerializer().serialize
_read = TypeDeserializer().deserialize


def _to_wire(value: Any) -> Any:
    """DynamoDB takes no floats, and boto3 rounds none for us."""
    if isinstance(value, float):
        return Decimal(str(value))
    if isinstance(value, dict):
        return {str(name): _to_wire(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_to_wire(each) for each in value]
    return value


def _from_wire(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dict):
        return {name: _from_wire(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_from_wire(each) for each in value]
    return value


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
        read: dict[str, Any] = _from_wire(_read({MAP: value}))
        return read


class PlainListAttribute(Attribute[list[Any]]):
    """A list whose entries we do not prescribe."""

    attr_type = LIST

    def serialize(self, value: list[Any]) -> Any:
        return _write(_to_wire(value))[LIST]

    def deserialize(self, value: Any) -> list[Any]:
        read: list[Any] = _from_wire(_read({LIST: value}))
        return read
