"""Page markers in URLs: signed, and good for one person, tenant and view only."""

from __future__ import annotations

import json
from typing import Any

from django.core import signing

from dashboard.core.errors import BadCursor


def _salt(scope: tuple[str, ...]) -> str:
    return "cursor:" + json.dumps(scope)


def encode(position: Any, *scope: str) -> str:
    """A marker of where the next page starts."""
    return signing.dumps(position, salt=_salt(scope), compress=True)


def decode(text: str, *scope: str) -> Any:
    """The position a marker stands for; none where there is no marker."""
    if not text:
        return None
    try:
        return signing.loads(text, salt=_salt(scope))
    except (signing.BadSignature, ValueError, UnicodeError) as error:
        raise BadCursor from error
