"""The times of demo data: the same for every start on one day."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from dashboard.core.clock import frozen, now
from dashboard.core.ids import predictable

# Records of commands expire after 30 days: older demo data would be created again at the next start.
DAYS = 24


@contextmanager
def in_recent_weeks(name: str) -> Iterator[None]:
    """Freeze the clock at a working hour of the last weeks, with predictable ids."""
    chance = random.Random(name)
    midnight = now().replace(hour=0, minute=0, second=0)
    elapsed = timedelta(days=chance.randint(2, DAYS), seconds=-chance.randint(12 * 3600, 22 * 3600))
    with frozen(midnight - elapsed), predictable(name):
        yield


@contextmanager
def days_ago(days: float, name: str) -> Iterator[None]:
    """Freeze the clock some days ago, with predictable ids."""
    with frozen(now() - timedelta(days=days)), predictable(name):
        yield
