"""Ids that we make: `[a-z0-9-]+`, and newer ones sort after older ones."""

import secrets
import time

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def new_id() -> str:
    """48 bits of milliseconds and 80 of chance, in 26 letters and digits."""
    number = (time.time_ns() // 1_000_000 << 80) | secrets.randbits(80)
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))
