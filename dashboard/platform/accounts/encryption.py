"""Encryption of stored secrets with the pepper, so that a copy of the table does not reveal them.

AES-SIV needs no nonce: equal texts give equal results, so a text that is encrypted twice is stored once.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV

from dashboard.core.rotation import peppers

_PREFIX = "e1."


def encrypt(text: str, context: str) -> str:
    """The text encrypted with the current pepper. Only the same context can decrypt it."""
    data = _cipher(peppers()[0]).encrypt(text.encode(), [context.encode()])
    return _PREFIX + base64.urlsafe_b64encode(data).decode().rstrip("=")


def decrypt(stored: str, context: str) -> str | None:
    """The decrypted text; None if neither the current nor a previous pepper decrypts it."""
    if not stored.startswith(_PREFIX):
        return None
    encoded = stored.removeprefix(_PREFIX)
    try:
        data = base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    except (binascii.Error, ValueError):
        return None
    for pepper in peppers():
        try:
            return _cipher(pepper).decrypt(data, [context.encode()]).decode()
        except (InvalidTag, ValueError):
            continue
    return None


def encrypt_again(stored: str, context: str) -> str:
    """The same text encrypted with the current pepper; unchanged if no pepper decrypts it."""
    text = decrypt(stored, context)
    return stored if text is None else encrypt(text, context)


def _cipher(pepper: str) -> AESSIV:
    return AESSIV(hmac.digest(pepper.encode(), b"stored secrets", hashlib.sha512))
