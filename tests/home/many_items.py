"""Many items of each kind that home pages read, and what the pages cost."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.test import Client

from bookings.items import Booking
from bookings.states import Status
from dashboard.core.clock import now
from dashboard.table.items import Item, Raw
from dashboard.table.timestamps import to_wire
from forum.actions import Action
from forum.items import ModerationEntry
from tests.accounts.many_people import raw_person
from tests.audit.entries import put_all
from tests.forum.many_posts import raw_posts
from tests.ui.walk import calls_of

START = now()


def raw_bookings(numbers: range) -> Iterator[Raw]:
    for number in numbers:
        start = START - timedelta(minutes=number % 6000) + timedelta(days=number % 2)
        item = Booking.new(tenant="andina", provider=f"p{number % 7}", start=start, booking=f"many-{number:07}")
        item.end_time, item.status = start + timedelta(hours=1), list(Status)[number % 4]
        item.customer_name, item.payment_status = "Ana Ruiz", "PENDING"
        yield _raw(item)


def raw_entries(numbers: range) -> Iterator[Raw]:
    for number in numbers:
        at = START - timedelta(seconds=number)
        entry = ModerationEntry.new(date=to_wire(at)[:10], at=at, admin="profanity@3", action=f"many-{number:07}")
        entry.action, entry.admin_id = list(Action)[number % 5], "profanity@3"
        entry.target_type, entry.target_id = "post", f"many-{number:07}"
        yield _raw(entry)


def raw_attendees(numbers: range) -> Iterator[Raw]:
    for number in numbers:
        person = raw_person(f"many{number:07}@example.com", "staff")
        registered = {"S": to_wire(START)}
        yield person | {"createdAt": registered, "GSITypePK": {"S": "USERS"}, "GSITypeSK": registered}


def _raw(item: Item) -> Raw:
    item.set_index_keys()
    raw: Raw = item.serialize()
    return {name: value for name, value in raw.items() if value is not None}


def put_many(numbers: range) -> None:
    for raws in (raw_posts(numbers), raw_bookings(numbers), raw_entries(numbers), raw_attendees(numbers)):
        put_all(raws)


def measure(browsers: dict[str, Client]) -> dict[str, tuple[int, int, float]]:
    """Calls, round trips and capacity units of each home page, for each role."""
    found = {}
    for name, browser in browsers.items():
        for url in ("/", "/counts/", "/b/andina/"):
            response = browser.get(url)
            if response.status_code == 200:
                log = calls_of(response)
                found[f"{name} {url}"] = (len(log.calls), log.trips, round(log.units, 1))
    return found
