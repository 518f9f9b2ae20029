"""When demo data happened: the same story each time it is told on one day."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from dashboard.core.clock import frozen, now
from dashboard.core.ids import predictable

# The records that something was done are kept for 30 days: what is older would be done again at the next start.
DAYS = 24


@contextmanager
def in_recent_weeks(name: str) -> Iterator[None]:
    """The clock in some working hour of the last weeks, and ids that are the same each time."""
    chance = random.Random(name)
    midnight = now().replace(hour=0, minute=0, second=0)
    passed = timedelta(days=chance.randint(2, DAYS), seconds=-chance.randint(12 * 3600, 22 * 3600))
    with frozen(midnight - passed), predictable(name):
        yield


@contextmanager
def days_ago(days: float, name: str) -> Iterator[None]:
    """The clock so many days back, and ids that are the same each time."""
    with frozen(now() - timedelta(days=days)), predictable(name):
        yield
