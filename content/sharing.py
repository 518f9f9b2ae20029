"""Links to a page that is not published: signed, and valid until a time."""

from __future__ import annotations

from datetime import datetime

from django.core import signing

from dashboard.core.clock import now

_SALT = "shared page"


def token_of(business: str, node: str, until: datetime) -> str:
    return signing.Signer(salt=_SALT).sign_object([business, node, int(until.timestamp())])


def read_token(token: str) -> tuple[str, str] | None:
    """The business and the page of a link; None if it is not ours or has expired."""
    try:
        business, node, until = signing.Signer(salt=_SALT).unsign_object(token)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return (business, node) if until > now().timestamp() else None
