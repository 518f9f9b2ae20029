"""Limits for guessing passwords and codes: who is refused before a guess is checked.

A try is counted before the check, so that parallel guesses cannot exceed a limit. It is taken back after a correct
guess and confirmed after a wrong one. Only wrong passwords and codes therefore count.

    own, *others = sign_in_counters(email, address, browser)
    attempts = admit_sign_in(own.begin(), others)
    ...  # Check the password.
    gather_all(taking_back(attempts) if is_right else confirming(attempts))
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from dashboard.core.errors import TooMany
from dashboard.platform.accounts import throttle
from dashboard.platform.accounts.requests import network
from dashboard.platform.accounts.throttle import Attempt
from dashboard.table.read import gather_all

WINDOW = 15 * 60
DAY = 24 * 3600
# Wrong passwords for one account from one network, or from one browser that has signed in to it before.
TRIES_PER_ACCOUNT = 10
# From one network, of any accounts.
TRIES_PER_NETWORK = 50
# For one account from all networks together. Above it, each network has only TRIES_UNDER_ATTACK.
TRIES_FROM_ALL_NETWORKS = 100
TRIES_UNDER_ATTACK = 3
# The IPv6 network that a customer of a provider usually has. With a /64 one attacker would be 256 networks.
CUSTOMER_PREFIX = 56
# Codes of the second factor, of one account or from one browser that has signed in to it before.
CODES = 10
CODES_A_DAY = 50


@dataclass(frozen=True)
class Counter:
    name: str
    limit: int
    seconds: int = WINDOW

    def begin(self) -> Attempt | TooMany:
        """Count a try. A refusal is returned, because the tries in the other counters have to be taken back."""
        try:
            return throttle.begin_attempt(self.name, limit=self.limit, seconds=self.seconds)
        except TooMany as refusal:
            return refusal


def sign_in_counters(email: str, address: str, browser: str) -> list[Counter]:
    """The counters of a password. A known browser has one of its own, which nobody else can fill."""
    if browser:
        return [Counter(counter_name("sign-in by browser", email, browser), TRIES_PER_ACCOUNT)]
    return [
        Counter(counter_name("sign-in from network", email, network(address, CUSTOMER_PREFIX)), TRIES_PER_ACCOUNT),
        Counter(counter_name("sign-in of anyone from network", network(address)), TRIES_PER_NETWORK),
        Counter(counter_name("sign-in", email), TRIES_FROM_ALL_NETWORKS),
    ]


def code_counters(email: str, epoch: int, browser: str) -> list[Counter]:
    """The counters of a code. They contain the epoch, so that a new password starts a new count."""
    parts = (email, str(epoch), browser)
    return [
        Counter(counter_name("second factor", *parts), CODES),
        Counter(counter_name("second factor today", *parts), CODES_A_DAY, DAY),
    ]


def counter_name(kind: str, *parts: str) -> str:
    """A name that no other parts have, whatever text a stranger types as an e-mail address."""
    return json.dumps([kind, *parts])


def admit_sign_in(own: Attempt | TooMany, others: Sequence[Counter]) -> list[Attempt]:
    """The counted tries of `sign_in_counters`; raises TooMany.

    The others are counted after the first, so that guesses of a locked account do not fill them even for a moment.
    """
    if isinstance(own, TooMany) or not others:
        return admit([own])
    from_address, everywhere = gather_all(counter.begin for counter in others)
    if isinstance(everywhere, Attempt):
        return admit([own, from_address, everywhere])
    # The account is being guessed from many networks. That alone refuses nobody.
    is_refused = own.number > TRIES_UNDER_ATTACK
    return admit([own, from_address, *([TooMany(retry_after=own.seconds_left)] if is_refused else [])])


def admit(tries: Sequence[Attempt | TooMany]) -> list[Attempt]:
    """The counted tries; raises TooMany if a counter is full. A refused try counts nowhere."""
    attempts = [each for each in tries if isinstance(each, Attempt)]
    for each in tries:
        if isinstance(each, TooMany):
            gather_all(taking_back(attempts))
            raise each
    return attempts


def taking_back(attempts: Iterable[Attempt]) -> list[Callable[[], None]]:
    """The calls that remove these tries and no others, after a correct guess or a refusal."""
    return [partial(throttle.take_back, each) for each in attempts]


def confirming(attempts: Iterable[Attempt]) -> list[Callable[[], None]]:
    """The calls that keep these tries in their counters, after a wrong guess."""
    return [partial(throttle.confirm, each) for each in attempts]
