"""What a value weighs in an item, by DynamoDB's own count: an item ends at 400 KB."""

from __future__ import annotations

from typing import Any


def weight(value: Any) -> int:
    """The bytes of a plain value: texts in UTF-8, a byte for each member and three for what holds them."""
    if isinstance(value, str):
        return len(value.encode(errors="surrogatepass"))
    if isinstance(value, bytes):
        return len(value)
    if isinstance(value, dict):
        return 3 + sum(weight(str(name)) + weight(member) + 1 for name, member in value.items())
    if isinstance(value, list | tuple | set):
        return 3 + sum(weight(member) + 1 for member in value)
    if value is None or isinstance(value, bool):
        return 1
    return len(str(value)) // 2 + 2


def in_kb(size: int) -> int:
    """So many bytes in whole KB: what is begun counts."""
    return -(-size // 1024)
