"""The secret settings and their predecessors, which stay valid while a key is being replaced (docs/key-rotation.md)."""

from __future__ import annotations

import hashlib
import hmac

from django.conf import settings


def secret_keys() -> list[str]:
    """The current key first, then the previous ones from the newest to the oldest."""
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]


def peppers() -> list[str]:
    """The current pepper first, then the previous ones from the newest to the oldest."""
    return [settings.API_KEY_PEPPER, *settings.API_KEY_PEPPER_FALLBACKS]


def fingerprint_of(*secrets: str) -> str:
    """Six characters that tell which secrets were used. They do not reveal the secrets."""
    return hmac.new(" ".join(secrets).encode(), b"mark", hashlib.sha256).hexdigest()[:6]
