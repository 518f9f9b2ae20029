"""Demo usage: requests of the last weeks, of people and of the demo's API keys."""

from __future__ import annotations

import random
from datetime import date, timedelta

from dashboard.core.clock import frozen, now
from dashboard.core.ids import predictable
from dashboard.platform.apikeys.queries import keys_of
from dashboard.platform.usage.items import PEOPLE, REQUESTS, UNKNOWN_KEY, Counters
from dashboard.platform.usage.meter import Meter
from dashboard.platform.usage.queries import find_month

_BUSINESSES = {"andina": 1.0, "harbour": 0.3}
_DAYS = 40
# Access patterns with their calls for each request.
_PATTERNS = {
    "dashboard.platform.apikeys.queries.find_key_by_hash": 1.0,
    "dashboard.platform.apikeys.queries.find_key_and_business": 1.0,
    "bookings.queries.booking_state.load_schedule": 0.6,
    "bookings.queries.calendar.bookings_starting_between": 0.2,
}


def seed_demo(size: int) -> str:
    """Add it once. The amount does not depend on `size`."""
    yesterday = now() - timedelta(days=1)
    if find_month("andina", yesterday.date()) is not None:
        return "0 days of usage"
    with predictable("usage"):
        meter, chance = Meter(), random.Random("usage")
    for days in range(_DAYS, 0, -1):
        with frozen(now() - timedelta(days=days)):
            for business, share in _BUSINESSES.items():
                _add_day(meter, business, share, chance, now().date())
            meter.add(
                "", UNKNOWN_KEY, [(REQUESTS, Counters(calls=chance.randint(0, 9), rejected=chance.randint(0, 9)))]
            )
    meter.flush()
    return f"{_DAYS} days of usage"


def _add_day(meter: Meter, business: str, share: float, chance: random.Random, day: date) -> None:
    is_weekend = day.weekday() > 4
    keys = sorted(keys_of(business).items, key=lambda key: (key.is_revoked, key.title))
    for revoked in keys:
        if revoked.is_revoked and chance.random() < 0.3:
            meter.add(business, revoked.id, [(REQUESTS, Counters(calls=2, rejected=2, ms=8, reads=4))])
    for number, key in enumerate([*(each.id for each in keys if not each.is_revoked), PEOPLE]):
        calls = round(share * chance.randint(120, 900) * (0.3 if is_weekend else 1.0) / (number + 1))
        whole = Counters(
            calls=calls,
            errors=calls // 400,
            reads=calls * 3.5,
            writes=calls * 1.2,
            ms=calls * chance.uniform(12, 40),
            bytes=calls * 2_300,
            throttled=chance.choice([0, 0, 0, 14]) if number == 0 else 0,
            foreign=chance.choice([0, 0, 3]) if number == 2 else 0,
        )
        patterns = [
            (name, Counters(calls=calls * each, reads=calls * each, ms=calls * each * 4))
            for name, each in _PATTERNS.items()
        ]
        meter.add(business, key, [(REQUESTS, whole), *patterns])
