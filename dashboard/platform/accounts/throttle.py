"""Counters in the table that limit how often something can be tried, also for parallel requests.

`begin_attempt`, `take_back` and `confirm` count exactly and can be undone. `count_or_refuse` is cheaper, and may count
a repeated request twice.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import cast

from pynamodb.expressions.condition import Condition, size
from pynamodb.expressions.operand import Path

from dashboard.core.clock import now
from dashboard.core.errors import TooMany, Unavailable
from dashboard.platform.accounts.items import Throttle
from dashboard.platform.accounts.queries import find_counter
from dashboard.table import keys, write
from dashboard.table.keypattern import Key

# How long an attempt waits for others that are still being checked and may be taken back.
MAX_WAIT, WAIT_STEP = 2.0, 0.1
# After this many seconds an attempt is no longer being checked: its process has ended.
MAX_CHECK = 5


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
    try back leaves the others. A refused try is not added. A counter that is full because of tries that are still
    being checked refuses nobody: they may be taken back.
    """
    key, seconds_left = counter_key(name, seconds)
    attempt_id = f"{int(time.time()):x}.{secrets.token_urlsafe(6)}"
    ids = Throttle.attempts
    expires = Throttle.ttl.set(_ends(seconds, seconds_left))
    actions = [ids.add({attempt_id}), Throttle.undecided.add({attempt_id}), expires]
    gives_up = time.monotonic() + MAX_WAIT
    while (raw := write.update(key, actions, _has_room(attempt_id, limit))) is None:
        if _is_full_of_decided(key, limit):
            raise TooMany(retry_after=seconds_left)
        if time.monotonic() > gives_up:
            raise TooMany(retry_after=MAX_CHECK)
        time.sleep(WAIT_STEP)
    return Attempt(key, attempt_id, len(raw[str(ids.attr_name)]["SS"]), seconds_left)


def _is_full_of_decided(key: Key, limit: int) -> bool:
    """Whether a counter is full, and none of its tries is still being checked. Some may have been taken back by now."""
    counter = find_counter(key)
    if counter is None or len(counter.attempts or ()) < limit:
        return False
    started_at = [int(each.partition(".")[0], 16) for each in counter.undecided or ()]
    return all(each <= time.time() - MAX_CHECK for each in started_at)


def take_back(attempt: Attempt) -> None:
    """Remove exactly this try from its counter. If the table does not answer, it counts until the window ends."""
    actions = [Throttle.attempts.delete({attempt.id}), Throttle.undecided.delete({attempt.id})]
    with suppress(Unavailable):
        write.update(attempt.key, actions, Throttle.attempts.contains(attempt.id))


def confirm(attempt: Attempt) -> None:
    """Keep this try in its counter: the guess was wrong."""
    with suppress(Unavailable):
        write.update(attempt.key, [Throttle.undecided.delete({attempt.id})], Throttle.undecided.contains(attempt.id))


def is_among_first(name: str, id_: str, *, limit: int, seconds: int) -> bool:
    """Count something by its id, and return whether it is among the first of the window. A repeated id counts once."""
    key, seconds_left = counter_key(name, seconds)
    actions = [Throttle.attempts.add({id_}), Throttle.ttl.set(_ends(seconds, seconds_left))]
    return write.update(key, actions, _has_room(id_, limit)) is not None


def _has_room(id_: str, limit: int) -> Condition:
    """Whether a counter has fewer ids than the limit, or this one."""
    ids = Throttle.attempts
    is_below = size(Path([str(ids.attr_name)])) < limit  # type: ignore[no-untyped-call]
    return cast(Condition, ids.does_not_exist() | is_below | ids.contains(id_))


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
