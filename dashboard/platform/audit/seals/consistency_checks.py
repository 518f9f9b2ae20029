"""Entries that are shown at another time than their key's, or that the indexes do not lead to."""

from __future__ import annotations

from datetime import datetime, timedelta

from dashboard.core.names import found
from dashboard.platform.audit.seals.trails import day_of
from dashboard.platform.transfer.index_keys import NotComputable, index_keys_of
from dashboard.table import schema
from dashboard.table.items import Raw
from dashboard.table.timestamps import from_wire

# Who writes a key and an attribute may look at the clock twice.
AT_ONCE = timedelta(minutes=1)


def time_problem(place: str, raw: Raw) -> str:
    """Pages and files show the time that an entry says; its key is what puts it into a day."""
    said = raw.get("timestamp", {}).get("S", "")
    return "" if _same_time(place, said) else f"says {found(said)} of itself, and its key says another time"


def lacks_or_mistakes_places(raw: Raw) -> tuple[bool, bool]:
    """Whether index keys are missing, as on what other services write, and whether some lead elsewhere."""
    try:
        where = index_keys_of(raw, schema.INDEXES)
    except NotComputable:
        return False, False
    missing, elsewhere = where.missing() if where else ({}, False)
    return bool(missing), elsewhere


def at_once(one: datetime, other: datetime) -> bool:
    return abs(one - other) <= AT_ONCE


def _same_time(place: str, said: str) -> bool:
    """Without a moment of its own an entry is shown at that of its key; a key may name only the day."""
    moment, key = moment_of(said), place.partition("#")[0]
    if moment is None:
        return True
    from_key = moment_of(key)
    if from_key is None or len(key) == len("2025-09-21"):
        return day_of(place) in {moment.date().isoformat(), said[:10]}
    return at_once(moment, from_key)


def moment_of(text: str) -> datetime | None:
    try:
        return from_wire(text)
    except (ValueError, OverflowError):
        return None
