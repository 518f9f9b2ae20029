"""Canonical texts, hashes and signatures: equal contents have equal hashes, however the table stores them."""

from __future__ import annotations

import base64
import hashlib
import json
from decimal import Context
from typing import Any

from django.utils.crypto import constant_time_compare, salted_hmac

from dashboard.core.rotation import secret_keys
from dashboard.table import due_times
from dashboard.table.items import Raw

# DynamoDB's numbers have up to 38 digits. Python's default context would round them.
_exact = Context(prec=60)
_SALT = "trastienda.seals"


def hash_of(raw: Raw) -> str:
    """The SHA-256 of an item without its index keys and the attributes of a due task.

    `reindex` may change the former; the latter are removed when what follows from an entry is queued.
    """
    content = {
        name: _value(value)
        for name, value in raw.items()
        if not name.startswith("GSI") and name not in due_times.ATTRIBUTES
    }
    return sha256(as_text(content))


def as_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def sign(text: str) -> str:
    """A signature that requires SECRET_KEY, not only access to the table."""
    return _signature(text, secret_keys()[0])


def is_signed(text: str, signature: str) -> bool:
    return any(constant_time_compare(_signature(text, key), signature) for key in secret_keys())


def _signature(text: str, key: str) -> str:
    return salted_hmac(_SALT, text, secret=key, algorithm="sha256").hexdigest()


def _value(value: dict[str, Any]) -> list[Any]:
    """The type and content of an attribute value, with sorted sets and normalized numbers."""
    ((kind, content),) = value.items()
    if kind == "M":
        return [kind, {name: _value(each) for name, each in content.items()}]
    if kind == "L":
        return [kind, [_value(each) for each in content]]
    if kind in {"SS", "NS", "BS"}:
        return [kind, sorted(_scalar(kind[0], each) for each in content)]
    return [kind, _scalar(kind, content)]


def _scalar(kind: str, content: Any) -> Any:
    if kind == "N":
        number = _exact.create_decimal(content).normalize(_exact)
        # Minus zero is zero.
        return format(number, "f") if number else "0"
    return base64.b64encode(content).decode() if kind == "B" else content
