"""Which addresses a page shows or links to, as short marks on its card: no list reads the body of a page."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

# More would make the card larger than lists should read.
MAX_MARKS, MAX_ADDRESS = 200, 2000
_BEGINNINGS = ("https://", "http://", "/")


def mark_of(address: str) -> str:
    return hashlib.sha256(address.encode("utf-8", "replace")).hexdigest()[:12]


def marks_in(*values: Any) -> list[str]:
    """The marks of all addresses in these values, however deep."""
    addresses = dict.fromkeys(each for value in values for each in _addresses_in(value))
    return sorted(mark_of(each) for each in list(addresses)[:MAX_MARKS])


def _addresses_in(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting.extend(each.values())
        elif isinstance(each, list | tuple):
            waiting.extend(each)
        elif isinstance(each, str) and len(each) <= MAX_ADDRESS and each.startswith(_BEGINNINGS):
            yield each
