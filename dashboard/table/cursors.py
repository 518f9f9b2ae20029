"""Cursors of lists in URLs: signed, and valid only in one scope: a person, a business, a list and its filters."""

from __future__ import annotations

import json
from typing import Any

from django.core import signing

from dashboard.core.errors import BadCursor


def _salt(scope: tuple[str, ...]) -> str:
    return "cursor:" + json.dumps(scope)


def encode(position: Any, *scope: str) -> str:
    """The cursor for the position where the next page starts."""
    return signing.dumps(position, salt=_salt(scope), compress=True)


def decode(text: str, *scope: str) -> Any:
    """The position in a cursor; None for an empty text."""
    if not text:
        return None
    try:
        return signing.loads(text, salt=_salt(scope))
    except (signing.BadSignature, ValueError, UnicodeError) as error:
        raise BadCursor from error
