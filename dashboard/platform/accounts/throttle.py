"""Counters in the table that let through so many tries and no more, whoever asks at once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from dashboard.core.clock import now
from dashboard.core.errors import TooMany
from dashboard.platform.accounts.items import Throttle
from dashboard.table import keys, write
from dashboard.table.keypattern import Key


@dataclass(frozen=True)
class Tally:
    """How often it was tried, and how many seconds are left until the count starts over."""

    tries: int
    left: int


def place(name: str, seconds: int) -> tuple[Key, int]:
    """The counter of this stretch of time, and how many seconds are left of it."""
    moment = int(now().timestamp())
    digest = hashlib.sha256(name.encode()).hexdigest()[:32]
    return keys.THROTTLE.key(name=digest, window=moment // seconds), seconds - moment % seconds


def tally(name: str, *, seconds: int) -> Tally:
    """Count one try. A reply that is lost on the way may count it twice, and so let fewer through, never more."""
    key, left = place(name, seconds)
    ends = int(now().timestamp()) + seconds + left
    raw = write.touch(key, [Throttle.tries.add(1), Throttle.ttl.set(ends)])
    assert raw is not None  # Nothing is conditional here.
    return Tally(int(raw["tries"]["N"]), left)


def count(name: str, *, limit: int, seconds: int) -> None:
    """Count one try; TooMany once the limit is passed."""
    found = tally(name, seconds=seconds)
    if found.tries > limit:
        raise TooMany(retry_after=found.left)


def forget(name: str, *, seconds: int) -> None:
    """Start over: the one who tried has shown who they are."""
    write.remove(place(name, seconds)[0])
