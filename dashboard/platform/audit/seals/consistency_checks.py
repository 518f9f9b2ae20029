"""Checks of entries whose time differs from their key, or whose index keys are missing or wrong."""

from __future__ import annotations

from datetime import datetime, timedelta

from dashboard.core.names import printable_value
from dashboard.platform.audit.seals.trails import day_of
from dashboard.table import schema
from dashboard.table.index_keys import NotComputable, index_keys_of
from dashboard.table.items import Raw
from dashboard.table.timestamps import from_wire

# A writer may read the clock once for the key and again for the attribute.
CLOCK_TOLERANCE = timedelta(minutes=1)


def time_problem(position: str, raw: Raw) -> str:
    """A text if the time that pages show differs from the time in the key, which decides the day; else empty."""
    entry_time = raw.get("timestamp", {}).get("S", "")
    return (
        ""
        if _is_same_time(position, entry_time)
        else f"says {printable_value(entry_time)} of itself, and its key says another time"
    )


def check_index_keys(raw: Raw) -> tuple[bool, bool]:
    """Whether index keys are missing, as in entries of outside writers, and whether some are wrong."""
    try:
        index_keys = index_keys_of(raw, schema.INDEXES)
    except NotComputable:
        return False, False
    missing, has_wrong = index_keys.missing() if index_keys else ({}, False)
    return bool(missing), has_wrong


def is_same_moment(one: datetime, other: datetime) -> bool:
    return abs(one - other) <= CLOCK_TOLERANCE


def _is_same_time(position: str, entry_time: str) -> bool:
    """An entry without a valid time of its own is shown at the time of its key. A key may contain only the day."""
    moment, key = parse_moment(entry_time), position.partition("#")[0]
    if moment is None:
        return True
    from_key = parse_moment(key)
    if from_key is None or len(key) == len("2025-09-21"):
        return day_of(position) in {moment.date().isoformat(), entry_time[:10]}
    return is_same_moment(moment, from_key)


def parse_moment(text: str) -> datetime | None:
    try:
        return from_wire(text)
    except (ValueError, OverflowError):
        return None
