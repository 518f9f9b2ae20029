"""Equality of values as the table stores them: Python finds true equal to 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def is_equal(one: Any, other: Any) -> bool:
    """Whether two values are equal and stored as the same type, also inside maps and lists."""
    if one != other or isinstance(one, bool) != isinstance(other, bool):
        return False
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return all(is_equal(value, other[name]) for name, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return all(map(is_equal, one, other))
    return True
