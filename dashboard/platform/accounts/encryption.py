"""Encryption of stored secrets with the pepper, so that a copy of the table does not reveal them.

The key stream depends on a keyed hash of the text, which also shows whether a pepper is the right one (a synthetic
initialisation vector, as in RFC 5297). Equal texts give equal results: a text that is encrypted twice is stored once.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

from dashboard.core.rotation import peppers

_PREFIX = "e1."
_IV_LENGTH = 16


def encrypt(text: str, context: str) -> str:
    """The text encrypted with the current pepper. Only the same context can decrypt it."""
    pepper, data = peppers()[0], text.encode()
    iv = _iv(pepper, context, data)
    return _PREFIX + base64.urlsafe_b64encode(iv + _apply_stream(pepper, iv, data)).decode().rstrip("=")


def decrypt(stored: str, context: str) -> str | None:
    """The text, encrypted with the current or a previous pepper; None if it is none of them."""
    if not stored.startswith(_PREFIX):
        return None
    encoded = stored.removeprefix(_PREFIX)
    try:
        packed = base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4))
    except (binascii.Error, ValueError):
        return None
    iv, body = packed[:_IV_LENGTH], packed[_IV_LENGTH:]
    for pepper in peppers():
        data = _apply_stream(pepper, iv, body)
        if hmac.compare_digest(_iv(pepper, context, data), iv):
            return data.decode()
    return None


def encrypt_again(stored: str, context: str) -> str:
    """The same text encrypted with the current pepper; unchanged if no pepper decrypts it."""
    text = decrypt(stored, context)
    return stored if text is None else encrypt(text, context)


def _iv(pepper: str, context: str, data: bytes) -> bytes:
    key = _derived_key(pepper, "authentication")
    return hmac.digest(key, repr(context).encode() + data, hashlib.sha256)[:_IV_LENGTH]


def _apply_stream(pepper: str, iv: bytes, data: bytes) -> bytes:
    stream = hashlib.shake_256(_derived_key(pepper, "encryption") + iv).digest(len(data))
    return bytes(one ^ other for one, other in zip(data, stream, strict=True))


def _derived_key(pepper: str, use: str) -> bytes:
    return hmac.digest(pepper.encode(), f"stored secrets {use}".encode(), hashlib.sha256)
