"""Secrets and signatures of Standard Webhooks 1.0 (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterable
from datetime import datetime

from dashboard.platform.accounts import encryption
from dashboard.table.keypattern import Key

_PREFIX = "whsec_"


def secret_from(random_hex: str) -> str:
    """The secret in the form that receivers expect."""
    return _PREFIX + base64.b64encode(bytes.fromhex(random_hex)).decode()


def encrypt(secret: str, key: Key) -> str:
    """The secret as it is stored. It can only be decrypted for the webhook at this key."""
    return encryption.encrypt(secret, _context(key))


def decrypt(stored: str, key: Key) -> str | None:
    return encryption.decrypt(stored, _context(key))


def encrypt_again(stored: str, key: Key) -> str:
    """The same secret encrypted with the current pepper."""
    return encryption.encrypt_again(stored, _context(key))


def headers(message_id: str, at: datetime, body: bytes, secrets: Iterable[str]) -> dict[str, str]:
    """The headers that identify and sign a message, with a signature for each secret."""
    timestamp = str(int(at.timestamp()))
    signed = f"{message_id}.{timestamp}.".encode() + body
    signatures = " ".join(_signature(each, signed) for each in secrets)
    return {"webhook-id": message_id, "webhook-timestamp": timestamp, "webhook-signature": signatures}


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def _context(key: Key) -> str:
    return f"webhook {key.pk} {key.sk}"
