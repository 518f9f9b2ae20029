"""Ids that we make: `[a-z0-9-]+`, and newer ones sort after older ones."""

import random
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from dashboard.core.clock import now

_predictable: ContextVar[random.Random | None] = ContextVar("predictable", default=None)
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def new_id() -> str:
    """48 bits of milliseconds and 80 of chance, in 26 letters and digits."""
    chance = _predictable.get()
    if chance is not None:
        number = (int(now().timestamp() * 1000) << 80) | chance.getrandbits(80)
    else:
        number = (time.time_ns() // 1_000_000 << 80) | secrets.randbits(80)
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))


@contextmanager
def predictable(seed: str) -> Iterator[None]:
    """The same ids each time, by the product's clock: for demo data that is to be the same each time."""
    token = _predictable.set(random.Random(seed))
    try:
        yield
    finally:
        _predictable.reset(token)
