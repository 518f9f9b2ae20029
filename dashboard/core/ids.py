"""New ids: 26 characters from `[a-z0-9]`. Newer ids sort after older ones."""

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
    """48 bits of milliseconds and 80 random bits, in 26 letters and digits."""
    generator = _predictable.get()
    if generator is not None:
        number = (int(now().timestamp() * 1000) << 80) | generator.getrandbits(80)
    else:
        number = (time.time_ns() // 1_000_000 << 80) | secrets.randbits(80)
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(125, -1, -5))


def is_our_id(text: str) -> bool:
    """Whether an id has the form of those that `new_id` makes. Outside writers use other forms."""
    return len(text) == 26 and set(text) <= set(_ALPHABET)


@contextmanager
def predictable(seed: str) -> Iterator[None]:
    """Make the same ids in every run, from the product's clock: for demo data and golden files."""
    token = _predictable.set(random.Random(seed))
    try:
        yield
    finally:
        _predictable.reset(token)
