"""Converts lines of a file to items: DynamoDB JSON as AWS exports it, or plain JSON."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from dashboard.core.names import printable_value
from dashboard.platform.transfer.values import MAX_DEPTH, BadLine
from dashboard.table.items import Raw

_TYPES = {"S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"}


class Parsed(NamedTuple):
    """The item of a line, not checked yet, and the table that the line names."""

    item: Mapping[str, Any]
    table: str = ""


def parse(line: bytes) -> Parsed:
    """The item of a line in either format."""
    try:
        found = json.loads(line.decode(), parse_float=Decimal, parse_constant=_refuse)
    except UnicodeDecodeError:
        raise BadLine("this is not UTF-8") from None
    except RecursionError:
        raise BadLine("nested too deep") from None
    except BadLine:
        raise
    except ValueError as error:
        raise BadLine(f"this is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise BadLine("this is not an item but a single value or a list")
    if {"Item"} <= found.keys() <= {"Item", "Table"} and isinstance(found["Item"], dict):
        return Parsed(found["Item"], str(found.get("Table") or ""))
    # An item of another service may lack our key. Then all its values must have a type.
    if not all(_is_typed(value) for value in ([found["PK"]] if "PK" in found else found.values())):
        found = {name: _typed(value, name, 1) for name, value in found.items()}
    return Parsed(found)


def render(raw: Raw) -> bytes:
    """An item as a line, in the format of the AWS export to S3."""
    return json.dumps({"Item": raw}, default=_base64, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def _is_typed(value: Any) -> bool:
    return isinstance(value, dict) and len(value) == 1 and value.keys() <= _TYPES


def _refuse(name: str) -> None:
    raise BadLine(f"{printable_value(name)} is no number")


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()


def _typed(value: Any, name: str, depth: int) -> dict[str, Any]:
    """A plain value with the type DynamoDB would give it."""
    if isinstance(value, str):
        return {"S": value}
    if isinstance(value, bool):
        return {"BOOL": value}
    if value is None:
        return {"NULL": True}
    if isinstance(value, int | Decimal):
        return {"N": str(value)}
    if depth > MAX_DEPTH:
        raise BadLine(f"{printable_value(name)} is nested more than {MAX_DEPTH} levels deep")
    if isinstance(value, dict):
        return {"M": {each: _typed(member, name, depth + 1) for each, member in value.items()}}
    return {"L": [_typed(member, name, depth + 1) for member in value]}
