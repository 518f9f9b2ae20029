"""People of the event as the platform's other services write them."""

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
    """Someone who has registered, with index keys; `progress` is names, or a value as it is on the wire."""
    person = Person.new(email=email)
    person.email, person.name, person.country, person.created_at = email, name or None, country or None, at
    person.role = "attendee"
    person.set_index_keys()
    raw: Raw = {each: value for each, value in person.serialize().items() if value is not None}
    if isinstance(progress, Sequence):
        progress = {"L": [{"S": each} for each in progress]}
    return raw | ({"progress": progress} if progress is not None else {}) | more


def an_attendee(email: str = ANA, name: str = "Ana Torres", **more: Any) -> Raw:
    raw = raw_attendee(email, name, **more)
    put(raw)
    return raw


def many(numbers: range) -> Iterator[Raw]:
    countries = ("Colombia", "México", "Chile")
    for number in numbers:
        at = REGISTERED + timedelta(minutes=number)
        yield raw_attendee(f"p{number:05}@example.org", f"Person {number}", countries[number % 3], at, ["sala1"])


def stored(email: str = ANA) -> Raw:
    """The item as it is on the wire."""
    key = keys.PERSON.key(email=email)
    found: Raw = table().get_item(key.pk, key.sk, consistent_read=True)["Item"]
    return found


def progress_of(email: str = ANA) -> Any:
    return stored(email).get("progress")


def names(*rooms: str) -> dict[str, Any]:
    return {"L": [{"S": each} for each in rooms]}


def trail(email: str = ANA) -> list[tuple[str, str, list[str], list[str]]]:
    """What was done to someone's progress, newest first: the action, the room, and the list before and after."""
    found = history(progress_target(email), limit=100)
    return [
        (each.action, (each.after or {})["room"], (each.before or {})["progress"], (each.after or {})["progress"])
        for each in found
    ]
