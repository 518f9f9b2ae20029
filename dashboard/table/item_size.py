"""The size of values as DynamoDB counts it. The limit of an item is 400 KB."""

from __future__ import annotations

from typing import Any


def size_of(value: Any) -> int:
    """The bytes of a plain value: texts in UTF-8, 3 bytes for a map or list and 1 for each member."""
    if isinstance(value, str):
        return len(value.encode(errors="surrogatepass"))
    if isinstance(value, bytes):
        return len(value)
    if isinstance(value, dict):
        return 3 + sum(size_of(str(name)) + size_of(member) + 1 for name, member in value.items())
    if isinstance(value, list | tuple | set):
        return 3 + sum(size_of(member) + 1 for member in value)
    if value is None or isinstance(value, bool):
        return 1
    return len(str(value)) // 2 + 2


def in_kb(size: int) -> int:
    """Bytes in KB, rounded up."""
    return -(-size // 1024)
