"""Addresses in blocks: which of them may become a link or the source of a picture."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

SCHEMES = {"http", "https", "mailto", "tel"}
SOURCE_SCHEMES = {"http", "https"}
# Browsers drop tabs and new lines from an address, and spaces and control characters before it.
_DROPPED = re.compile(r"[\x00-\x20\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]")


def is_safe_address(address: str) -> bool:
    """Whether the address is on this website or has a scheme that runs nothing."""
    return _scheme(address) in {*SCHEMES, ""}


def safe_address(value: object) -> str:
    """The address for a link; empty if it is none or could run a script."""
    address = value.strip() if isinstance(value, str) else ""
    return address if address and is_safe_address(address) else ""


def safe_source(value: object) -> str:
    """The address for a picture; empty if it is none or could run a script."""
    address = safe_address(value)
    return address if _scheme(address) in {*SOURCE_SCHEMES, ""} else ""


def _scheme(address: str) -> str:
    """The scheme as the browser with the widest reading finds it; `?` if it cannot be told."""
    cleaned = _DROPPED.sub("", address).replace("\\", "/")
    try:
        scheme = urlsplit(cleaned).scheme.lower()
    except ValueError:
        return "?"
    before = re.split(r"[/?#]", cleaned, maxsplit=1)[0]
    return scheme or ("?" if ":" in before else "")


def internal_path(address: object) -> str:
    """The path of an address on this website, without query and fragment; empty for other addresses."""
    found = safe_address(address)
    if not found.startswith("/") or found.startswith(("//", "/\\")):
        return ""
    path = urlsplit(found).path
    return path.rstrip("/") or "/"
