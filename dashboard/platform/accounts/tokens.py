"""An address and a secret in one word: what a session's cookie and a one-time link hold. Only hashes are stored."""

from __future__ import annotations

import base64
import binascii
import hashlib

MAX_LENGTH = 600


def pack(email: str, secret: str) -> str:
    return f"{base64.urlsafe_b64encode(email.encode()).decode().rstrip('=')}.{secret}"


def unpack(token: str) -> tuple[str, str] | None:
    """The address and the secret; none where the word is not one of ours."""
    encoded, _dot, secret = token.partition(".")
    if not encoded or not secret or len(token) > MAX_LENGTH:
        return None
    try:
        return base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode(), secret
    except (binascii.Error, ValueError):
        return None


def hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
