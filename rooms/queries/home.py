"""Queries for the home page of event staff."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from dashboard.platform.accounts.items import Person
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire

# The name of the read of all rooms: sources of the home page that use it share its result.
ROOMS_READ = "rooms.rooms"


@dataclass(frozen=True)
class Registrations:
    number: int
    has_more: bool


@access_pattern("How many people have registered since then?", keys.PEOPLE_BY_AGE)
def registrations_since(moment: datetime) -> Registrations:
    """Up to a hundred."""
    found = read.page(
        keys.PEOPLE_BY_AGE.collection(),
        Person,
        since=to_wire(moment),
        newest_first=True,
        limit=read.COUNT_LIMIT,
        attributes=("email",),
    )
    return Registrations(len(found.items), found.next_start_key is not None)
