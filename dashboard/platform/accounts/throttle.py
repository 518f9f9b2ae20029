"""Counters in the table that limit how often something can be tried, also for parallel requests."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from dashboard.core.clock import now
from dashboard.core.errors import TooMany
from dashboard.platform.accounts.items import Throttle
from dashboard.table import keys, write
from dashboard.table.keypattern import Key


@dataclass(frozen=True)
class ThrottleCount:
    """The number of tries in this window, and the seconds until the next window."""

    tries: int
    seconds_left: int


def counter_key(name: str, seconds: int) -> tuple[Key, int]:
    """The key of the counter for the current window, and the seconds left of it."""
    moment = int(now().timestamp())
    digest = hashlib.sha256(name.encode()).hexdigest()[:32]
    return keys.THROTTLE.key(name=digest, window=moment // seconds), seconds - moment % seconds


def add_try(name: str, *, seconds: int) -> ThrottleCount:
    """Count one try. After a lost reply it may be counted twice, which allows fewer tries, never more."""
    key, seconds_left = counter_key(name, seconds)
    ends = int(now().timestamp()) + seconds + seconds_left
    raw = write.update(key, [Throttle.tries.add(1), Throttle.ttl.set(ends)])
    assert raw is not None  # The write has no condition.
    return ThrottleCount(int(raw["tries"]["N"]), seconds_left)


def check(name: str, *, limit: int, seconds: int) -> None:
    """Count one try; raises TooMany above the limit."""
    found = add_try(name, seconds=seconds)
    if found.tries > limit:
        raise TooMany(retry_after=found.seconds_left)


def reset(name: str, *, seconds: int) -> None:
    """Delete the counter, after the person has proved who they are."""
    write.remove(counter_key(name, seconds)[0])
