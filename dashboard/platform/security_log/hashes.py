"""The keyed hash that stands for an account in the security log."""

from __future__ import annotations

import hashlib
import hmac

from django.conf import settings

from dashboard.platform.accounts.emails import normalise

LENGTH = 32


def account_hash(email: str) -> str:
    """The hash of an e-mail address. After a new pepper, older events are not found by their address."""
    key = hashlib.sha256(f"security log {settings.API_KEY_PEPPER}".encode()).digest()
    text = normalise(email).encode(errors="surrogatepass")
    return hmac.new(key, text, hashlib.sha256).hexdigest()[:LENGTH]
