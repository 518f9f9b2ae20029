"""What staff and moderators did at the event in a period: it explains the numbers of that period."""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pynamodb.expressions.condition import Condition
from pynamodb.expressions.operand import Path

from dashboard.platform.audit.items import AuditEntry
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire

# The beginnings of the names of audited actions that visitors notice: openings, overrides and content of rooms,
# announcements, and new versions of the filter and of the allowed domains.
EXPLAINING = ("room.", "forum.announce", "forum.withdraw", "profanity.", "domains.save", "domains.restore")
MAX_ENTRIES = 100
# One request of 250 items, twice: a day of an event has some hundred entries.
MAX_REQUESTS = 2


@dataclass(frozen=True)
class ExplainingEntries:
    """Entries with the newest first, and the moment back to which they are complete."""

    entries: list[AuditEntry]
    searched_since: datetime | None = None


@access_pattern("What did staff do at the event between two moments?", keys.SYSTEM_AUDIT, partition=True)
def explaining_entries(start: datetime, end: datetime) -> ExplainingEntries:
    """Bounded: on a day with very many entries only the latest are read."""
    found = read.filter_page(
        keys.SYSTEM_AUDIT.collection(),
        AuditEntry,
        _explains(),
        since=to_wire(start).removesuffix("Z"),
        until=to_wire(end - timedelta(seconds=1)).removesuffix("Z"),
        newest_first=True,
        limit=MAX_ENTRIES,
        max_requests=MAX_REQUESTS,
    )
    last = found.items[-1].moment if found.items else None
    if found.last_key_read is not None:
        last = AuditEntry.new_at_key(found.last_key_read).moment or last
    return ExplainingEntries(found.items, last if found.next_start_key is not None else None)


def _explains() -> Condition:
    action: Any = Path([AuditEntry.action.attr_name])
    conditions: list[Condition] = [action.startswith(each) for each in EXPLAINING]
    return functools.reduce(operator.or_, conditions)
