"""The attendees as CSV. Other programs read the columns; docs/attendees.md documents them."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from dashboard.platform.accounts.items import Person
from dashboard.table import read
from dashboard.table.timestamps import to_wire
from dashboard.web.downloads import BOM, as_csv
from rooms.progress import AttendeeProgress
from rooms.queries import attendees as queries
from rooms.queries.rooms import all_rooms

COLUMNS = ("email", "name", "country", "role", "registered", "completed_rooms", "rooms", "account")
AT_ONCE = 250


def lines(country: str) -> Generator[str]:
    """The lines of the file, newest attendees first, one page of the list at a time."""
    start_key: Any = None
    head = BOM + as_csv([COLUMNS])
    rooms_read = read.in_background(all_rooms)
    while True:
        found = queries.attendees_page(country, start_key, AT_ONCE)
        rooms = rooms_read.result()
        yield head + as_csv(_row(person, AttendeeProgress(person.raw_progress, rooms)) for person in found.items)
        start_key, head = found.next_start_key, ""
        if start_key is None:
            return


def _row(person: Person, progress: AttendeeProgress) -> tuple[object, ...]:
    return (
        person.email,
        person.full_name,
        person.country,
        person.role,
        to_wire(person.created_at) if person.created_at else "",
        progress.completed_count,
        ", ".join(progress.names),
        "yes" if person.office_role else "no",
    )
