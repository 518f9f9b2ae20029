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
CLOCK_TOLERANCE = timedelta(minutes=1)


def time_problem(position: str, raw: Raw) -> str:
    """Pages and files show the time that an entry says; its key is what puts it into a day."""
    said = raw.get("timestamp", {}).get("S", "")
    return "" if _same_time(position, said) else f"says {found(said)} of itself, and its key says another time"


def check_index_keys(raw: Raw) -> tuple[bool, bool]:
    """Whether index keys are missing, as on what other services write, and whether some lead elsewhere."""
    try:
        where = index_keys_of(raw, schema.INDEXES)
    except NotComputable:
        return False, False
    missing, elsewhere = where.missing() if where else ({}, False)
    return bool(missing), elsewhere


def is_same_moment(one: datetime, other: datetime) -> bool:
    return abs(one - other) <= CLOCK_TOLERANCE


def _same_time(position: str, said: str) -> bool:
    """Without a moment of its own an entry is shown at that of its key; a key may name only the day."""
    moment, key = parse_moment(said), position.partition("#")[0]
    if moment is None:
        return True
    from_key = parse_moment(key)
    if from_key is None or len(key) == len("2025-09-21"):
        return day_of(position) in {moment.date().isoformat(), said[:10]}
    return is_same_moment(moment, from_key)


def parse_moment(text: str) -> datetime | None:
    try:
        return from_wire(text)
    except (ValueError, OverflowError):
        return None
