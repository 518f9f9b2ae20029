"""Attendees as outside writers store them, and reads of their progress."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from dashboard.platform.accounts.items import Person
from dashboard.platform.audit.queries import history
from dashboard.table import keys
from dashboard.table.connection import table
from dashboard.table.items import Raw
from dashboard.table.timestamps import from_wire
from rooms.services.attendees import progress_target
from tests.audit.entries import put

REGISTERED = from_wire("2025-08-18T10:00:00Z")
ANA = "ana@example.org"


def raw_attendee(
    email: str,
    name: str = "",
    country: str = "Colombia",
    at: datetime = REGISTERED,
    progress: Any = None,
    **more: dict[str, Any],
) -> Raw:
    """A registered attendee with index keys; `progress` is a list of names or a raw attribute value."""
    person = Person.new(email=email)
    person.email, person.name, person.country, person.created_at = email, name or None, country or None, at
    person.role = "attendee"
    person.set_index_keys()
    raw: Raw = {each: value for each, value in person.serialize().items() if value is not None}
    if isinstance(progress, Sequence):
        progress = {"L": [{"S": each} for each in progress]}
    return raw | ({"progress": progress} if progress is not None else {}) | more


def create_attendee(email: str = ANA, name: str = "Ana Torres", **more: Any) -> Raw:
    """Write an attendee, and return the raw item."""
    raw = raw_attendee(email, name, **more)
    put(raw)
    return raw


def raw_attendees(numbers: range) -> Iterator[Raw]:
    """Attendees who registered one minute after another, from three countries in turn."""
    countries = ("Colombia", "México", "Chile")
    for number in numbers:
        at = REGISTERED + timedelta(minutes=number)
        yield raw_attendee(f"p{number:05}@example.org", f"Person {number}", countries[number % 3], at, ["sala1"])


def stored_attendee(email: str = ANA) -> Raw:
    """The raw item as it is stored."""
    key = keys.PERSON.key(email=email)
    raw: Raw = table().get_item(key.pk, key.sk, consistent_read=True)["Item"]
    return raw


def stored_progress(email: str = ANA) -> Any:
    """The raw attribute value of an attendee's progress, or None."""
    return stored_attendee(email).get("progress")


def raw_list(*rooms: str) -> dict[str, Any]:
    """A list of texts as a raw attribute value."""
    return {"L": [{"S": each} for each in rooms]}


def progress_entries(email: str = ANA) -> list[tuple[str, str, list[str], list[str]]]:
    """Action, room, and progress before and after of each audit entry of an attendee, newest first."""
    entries = history(progress_target(email), limit=100)
    return [
        (each.action, (each.after or {})["room"], (each.before or {})["progress"], (each.after or {})["progress"])
        for each in entries
    ]
