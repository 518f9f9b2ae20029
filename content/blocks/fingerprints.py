"""Fingerprints of nodes: equal values of the table have equal fingerprints."""

from __future__ import annotations

import hashlib
from decimal import Decimal
from typing import Any

LENGTH = 16


def fingerprint(value: Any) -> str:
    """A short hash of a value. The order of entries in a map and the Python type of a number do not matter."""
    return hashlib.sha256(_canonical(value).encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]


def is_same(one: Any, other: Any) -> bool:
    """Whether two values are equal on the table. In Python, True == 1."""
    return _canonical(one) == _canonical(other)


def _canonical(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return repr(value)
    if isinstance(value, int | float | Decimal):
        return f"N{Decimal(str(value)).normalize()}" if value else "N0"
    if isinstance(value, dict):
        return "{" + ",".join(f"{name!r}:{_canonical(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(_canonical, value)) + "]"
    if isinstance(value, set | frozenset):
        return "(" + ",".join(sorted(map(_canonical, value))) + ")"
    return repr(value)
