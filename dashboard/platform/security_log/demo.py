"""Demo events: sign-ins of the last weeks, and what makes the alerts of the home page."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from dashboard.core.clock import frozen, now
from dashboard.core.ids import predictable
from dashboard.platform.demos.logins import EMAILS
from dashboard.platform.security_log import queries
from dashboard.platform.security_log.kinds import EventKind
from dashboard.platform.security_log.services import new_event
from dashboard.table import write

ADMIN, MODERATOR, _STAFF, OWNER, *_OTHERS = EMAILS
# Addresses that are reserved for documentation.
_HOME, _STRANGER = "192.0.2.{}", "203.0.113.{}"
_BROWSERS = ("Firefox · Linux", "Chrome · Windows", "Safari · Mac", "Chrome · Android")
DAYS = 24
# More than the home page reports.
FAILURES = 26


def seed_demo(size: int) -> str:
    """Add the events once. The amount does not depend on `size`."""
    if queries.events_of(ADMIN, limit=1):
        return "0 security events"
    chance, added = random.Random("security log"), 0
    for number, email in enumerate(EMAILS):
        for days in range(1, DAYS, 1 + number % 3):
            at = now() - timedelta(days=days, minutes=chance.randint(0, 300))
            browser = _BROWSERS[number % len(_BROWSERS)]
            if chance.random() < 0.2:
                added += _put(at, EventKind.SIGN_IN_FAILED, email, _HOME.format(number + 10), browser)
            added += _put(at + timedelta(seconds=40), EventKind.SIGNED_IN, email, _HOME.format(number + 10), browser)
    for number in range(FAILURES):
        at = now() - timedelta(minutes=2, seconds=70 * number)
        added += _put(at, EventKind.SIGN_IN_FAILED, MODERATOR, _STRANGER.format(number % 3 + 1), "curl")
    today = now() - timedelta(minutes=40)
    added += _put(today, EventKind.THROTTLED, MODERATOR, _STRANGER.format(1), "curl", step="password")
    added += _put(today, EventKind.SIGNED_IN, ADMIN, _STRANGER.format(77), "Safari · iPhone")
    added += _put(today, EventKind.NEW_DEVICE, ADMIN, _STRANGER.format(77), "Safari · iPhone", new="network browser")
    added += _put(today, EventKind.FOREIGN_BUSINESS, OWNER, _HOME.format(13), "Chrome · Android", business="harbour")
    added += _put(today, EventKind.EXPORTED, ADMIN, _HOME.format(10), "Firefox · Linux", file="audit")
    added += _put(today, EventKind.KEY_REJECTED, "", _STRANGER.format(9), "python-requests", reason="unknown_key")
    return f"{added} security events"


def _put(at: datetime, kind: EventKind, email: str, address: str, browser: str, **details: str) -> int:
    with frozen(at), predictable(f"{kind} {email} {at}"):
        event = new_event(kind, email, address=address, browser=browser)
    event.details = details or None
    write.put(event)
    return 1
