"""The keyed hash that stands for an account in the security log."""

from __future__ import annotations

import hashlib
import hmac

from dashboard.core.rotation import peppers
from dashboard.platform.accounts.emails import normalise

LENGTH = 32


def account_hash(email: str) -> str:
    """The hash of an e-mail address in a new event."""
    return account_hashes(email)[0]


def account_hashes(email: str) -> list[str]:
    """The hashes of an address in events of the current pepper and of those in the fallbacks, newest first."""
    text = normalise(email).encode(errors="surrogatepass")
    return [_hash(text, pepper) for pepper in peppers()]


def _hash(text: bytes, pepper: str) -> str:
    key = hashlib.sha256(f"security log {pepper}".encode()).digest()
    return hmac.new(key, text, hashlib.sha256).hexdigest()[:LENGTH]
