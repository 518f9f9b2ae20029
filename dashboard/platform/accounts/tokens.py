"""Tokens of session cookies and one-time links: an e-mail address and a secret. Only hashes are stored."""

from __future__ import annotations

import base64
import binascii
import hashlib

MAX_LENGTH = 600


def pack(email: str, secret: str) -> str:
    return f"{base64.urlsafe_b64encode(email.encode()).decode().rstrip('=')}.{secret}"


def unpack(token: str) -> tuple[str, str] | None:
    """The address and the secret; None for an invalid token."""
    encoded, _dot, secret = token.partition(".")
    if not encoded or not secret or len(token) > MAX_LENGTH:
        return None
    try:
        return base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode(), secret
    except (binascii.Error, ValueError):
        return None


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
