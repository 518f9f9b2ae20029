"""Counters in the table that limit how often something can be tried, also for parallel requests.

`begin_attempt` and `take_back` count exactly and can be undone. `count_or_refuse` is cheaper, and may count a repeated
request twice.
"""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from dataclasses import dataclass

from pynamodb.expressions.condition import size
from pynamodb.expressions.operand import Path

from dashboard.core.clock import now
from dashboard.core.errors import TooMany, Unavailable
from dashboard.platform.accounts.items import Throttle
from dashboard.table import keys, write
from dashboard.table.keypattern import Key


@dataclass(frozen=True)
class ThrottleCount:
    """The number of tries in this window, and the seconds until the next window."""

    tries: int
    seconds_left: int


@dataclass(frozen=True)
class Attempt:
    """A counted try that can be taken back, and the number of tries in its counter including it."""

    key: Key
    id: str
    number: int
    seconds_left: int


def counter_key(name: str, seconds: int) -> tuple[Key, int]:
    """The key of the counter for the current window, and the seconds left of it."""
    moment = int(now().timestamp())
    digest = hashlib.sha256(name.encode()).hexdigest()[:32]
    return keys.THROTTLE.key(name=digest, window=moment // seconds), seconds - moment % seconds


def begin_attempt(name: str, *, limit: int, seconds: int) -> Attempt:
    """Count a try before its outcome is known; raises TooMany above the limit.

    The counter is a set of ids. A request that is repeated after a lost reply therefore counts once, and taking one
    try back leaves the others. A refused try is not added.
    """
    key, seconds_left = counter_key(name, seconds)
    attempt_id = secrets.token_urlsafe(6)
    ids = Throttle.attempts
    is_below = size(Path([str(ids.attr_name)])) < limit  # type: ignore[no-untyped-call]
    has_room = ids.does_not_exist() | is_below | ids.contains(attempt_id)
    raw = write.update(key, [ids.add({attempt_id}), Throttle.ttl.set(_ends(seconds, seconds_left))], has_room)
    if raw is None:
        raise TooMany(retry_after=seconds_left)
    return Attempt(key, attempt_id, len(raw[str(ids.attr_name)]["SS"]), seconds_left)


def take_back(attempt: Attempt) -> None:
    """Remove exactly this try from its counter. If the table does not answer, it counts until the window ends."""
    with suppress(Unavailable):
        write.update(attempt.key, [Throttle.attempts.delete({attempt.id})], Throttle.attempts.contains(attempt.id))


def add_try(name: str, *, seconds: int) -> ThrottleCount:
    """Count one try. After a lost reply it may be counted twice, which allows fewer tries, never more."""
    key, seconds_left = counter_key(name, seconds)
    raw = write.update(key, [Throttle.tries.add(1), Throttle.ttl.set(_ends(seconds, seconds_left))])
    assert raw is not None  # The write has no condition.
    return ThrottleCount(int(raw["tries"]["N"]), seconds_left)


def count_or_refuse(name: str, *, limit: int, seconds: int) -> None:
    """Count one try; raises TooMany above the limit."""
    found = add_try(name, seconds=seconds)
    if found.tries > limit:
        raise TooMany(retry_after=found.seconds_left)


def _ends(seconds: int, seconds_left: int) -> int:
    """When a counter expires: one window after its own."""
    return int(now().timestamp()) + seconds + seconds_left
