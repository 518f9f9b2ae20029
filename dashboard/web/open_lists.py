"""Lists that stay open: up to when they know what others have decided."""

from __future__ import annotations

from datetime import timedelta

from dashboard.core.clock import now
from dashboard.table.timestamps import from_wire, to_wire

# An entry may be stored a moment after the time in its key.
OVERLAP = timedelta(seconds=10)
# A list that was open longer without asking is reloaded instead.
MAX_AGE = timedelta(hours=1)


def known_until() -> str:
    """Up to when a list that is loaded now knows all decisions."""
    return to_wire(now() - OVERLAP)


def is_recent(moment: str) -> bool:
    """Whether a list can be brought up to date from this moment on. Not from an old or invalid one."""
    try:
        since = from_wire(moment)
    except (ValueError, OverflowError):
        return False
    return now() - MAX_AGE <= since <= now()
