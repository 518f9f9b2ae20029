"""Checks items before they are sent: one invalid item makes DynamoDB refuse a whole batch."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from dashboard.core.names import printable_value
from dashboard.table.items import Raw

MAX_ITEM = 400 * 1024
MAX_DIGITS = 38
MAX_DEPTH = 32

_INTEGER = re.compile(r"-?[1-9][0-9]{0,37}|0")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")


class BadLine(ValueError):
    """A line that cannot be imported; the message is the reason."""


def check_item(item: Mapping[str, Any], key_limits: Mapping[str, int]) -> Raw:
    """The item in the form to send: numbers in normal form, binary values as bytes."""
    raw: Raw = {}
    size = 0
    for name, value in item.items():
        raw[name], weight = _value(value, name, 1)
        size += weight + _bytes(name, name)
    for name, limit in key_limits.items():
        _check_key(raw, name, limit)
    if size > MAX_ITEM:
        raise BadLine(f"the item has {size:,} bytes, {MAX_ITEM:,} at the most")
    return raw


def _check_key(raw: Raw, name: str, limit: int) -> None:
    if name not in raw:
        if name in ("PK", "SK"):
            raise BadLine(f"{printable_value(name)} is missing")
        return
    text = raw[name].get("S")
    if text is None:
        raise BadLine(f"{printable_value(name)} is a key and must be text")
    if not text:
        raise BadLine(f"{printable_value(name)} is a key and cannot be empty")
    if len(text.encode()) > limit:
        raise BadLine(f"{printable_value(name)} has {len(text.encode()):,} bytes, {limit:,} at the most")


def _value(value: Any, name: str, depth: int) -> tuple[dict[str, Any], int]:
    """A checked value with its type, and its size as DynamoDB counts it."""
    if not isinstance(value, dict) or len(value) != 1:
        raise BadLine(f"{printable_value(name)} is not a value with its type")
    ((kind, content),) = value.items()
    if kind == "S":
        return value, _bytes(content, name)
    if kind == "N":
        number = _number(content, name)
        return {"N": number}, len(number) // 2 + 2
    if kind == "BOOL" and isinstance(content, bool):
        return value, 1
    if kind == "NULL" and content is True:
        return value, 1
    if kind == "B":
        data = _binary(content, name)
        return {"B": data}, len(data)
    if kind in ("SS", "NS", "BS") and isinstance(content, list):
        return _set(kind, content, name)
    if kind in ("M", "L") and depth > MAX_DEPTH:
        raise BadLine(f"{printable_value(name)} is nested more than {MAX_DEPTH} levels deep")
    if kind == "M" and isinstance(content, dict):
        fields = {each: _value(member, f"{name}.{each}", depth + 1) for each, member in content.items()}
        weight = sum(_bytes(each, name) + weight + 1 for each, (_, weight) in fields.items())
        return {"M": {each: member for each, (member, _) in fields.items()}}, weight + 3
    if kind == "L" and isinstance(content, list):
        members = [_value(member, f"{name}[{index}]", depth + 1) for index, member in enumerate(content)]
        return {"L": [member for member, _ in members]}, sum(weight + 1 for _, weight in members) + 3
    raise BadLine(f"{printable_value(name)} is no value of type {printable_value(kind)}")


def _set(kind: str, content: list[Any], name: str) -> tuple[dict[str, Any], int]:
    if not content:
        raise BadLine(f"{printable_value(name)} is a set and cannot be empty")
    members = [_value({kind[0]: each}, name, 1) for each in content]
    plain = [member[kind[0]] for member, _ in members]
    if len(set(plain)) < len(plain):
        raise BadLine(f"{printable_value(name)} is a set and holds the same value twice")
    return {kind: plain}, sum(weight for _, weight in members)


def _bytes(text: Any, name: str) -> int:
    if not isinstance(text, str):
        raise BadLine(f"{printable_value(name)} is not text")
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        raise BadLine("half a character: text that is not Unicode") from None


def _binary(content: Any, name: str) -> bytes:
    if isinstance(content, bytes):
        return content
    try:
        return base64.b64decode(content, validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise BadLine(f"{printable_value(name)} is not in base64") from None


def _number(content: Any, name: str) -> str:
    """The number in normal form: `+05.0` becomes `5`."""
    if not isinstance(content, str):
        raise BadLine(f"{printable_value(name)} is a number, and DynamoDB JSON writes these as text")
    if _INTEGER.fullmatch(content):
        return content
    if not _NUMBER.fullmatch(content):
        raise BadLine(f"{printable_value(name)} is not a number: {printable_value(content[:40])}")
    number = Decimal(content)
    if not number:
        return "0"
    digits = "".join(map(str, number.as_tuple().digits)).strip("0")
    if len(digits) > MAX_DIGITS:
        raise BadLine(f"{printable_value(name)} has more than {MAX_DIGITS} digits")
    if not -130 <= number.adjusted() <= 125:
        raise BadLine(f"{printable_value(name)} is too large or too small a number")
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
