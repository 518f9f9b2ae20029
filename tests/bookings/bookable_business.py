"""A business with a staff member to book, and checks of its ledger, for tests of bookings."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from itertools import combinations
from typing import Any

from bookings.items import Availability, Booking, BookingRef, Customer, Provider, ProviderDay, Service
from bookings.queries import bookings as queries
from bookings.queries.history import target_of
from bookings.services import bookings as services
from bookings.services.ledger import days_of
from bookings.slots import Span, TakenTime
from dashboard.core.clock import now
from dashboard.platform.audit.items import AuditEntry
from dashboard.table import connection, keys, read
from dashboard.table.attributes import to_attribute
from dashboard.table.commands import new_command
from dashboard.table.guards import offline
from dashboard.table.items import Item, to_item
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction
from tests.conftest import ACTOR

BUSINESS = "andina"
ALL_WEEK = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")
HOUR, MINUTE, DAY = timedelta(hours=1), timedelta(minutes=1), timedelta(days=1)
# A Monday about five weeks ahead.
_TODAY = now().replace(hour=0, minute=0, second=0)
MONDAY = _TODAY + (35 - _TODAY.weekday()) * DAY


def at(hour: int, minute: int = 0, *, day: int = 0) -> datetime:
    """A time on that Monday, in UTC."""
    return MONDAY + timedelta(days=day, hours=hour, minutes=minute)


def put(*items: Item) -> None:
    """Write items without checking any rule, as an outside writer does."""
    for item in items:
        transaction = Transaction(new_command(ACTOR))
        transaction.create(item)
        transaction.commit(None)


def put_raw(pk: str, sk: str, **values: Any) -> None:
    """Write an item in DynamoDB's format, without revision and index keys."""
    item = {"PK": {"S": pk}, "SK": {"S": sk}} | {name: to_attribute(value) for name, value in values.items()}
    connection.client().put_item(TableName=connection.table().table_name, Item=item)


def service(id: str = "masaje", *, minutes: Any = 60, before: Any = None, after: Any = None, **more: Any) -> Service:
    item = Service.new(tenant=BUSINESS, service=id)
    item.name, item.duration_minutes, item.buffer_before, item.buffer_after = "Masaje", minutes, before, after
    item.price, item.currency, item.active = Decimal(25000), "CLP", True
    for name, value in more.items():
        setattr(item, name, value)
    return item


def provider(id: str = "maria", *services: str, zone: str = "UTC", **more: Any) -> Provider:
    item = Provider.new(tenant=BUSINESS, provider=id)
    item.name, item.services, item.timezone, item.active = id.title(), list(services or ["masaje"]), zone, True
    for name, value in more.items():
        setattr(item, name, value)
    return item


def customer(id: str = "juan") -> Customer:
    item = Customer.new(tenant=BUSINESS, customer=id)
    item.name = f"{id.title()} Pérez"
    return item


def working_hours(
    provider: str = "maria", start: str = "00:00", end: str = "24:00", days: Any = ALL_WEEK
) -> list[Item]:
    items: list[Item] = []
    for day in days:
        item = Availability.new(tenant=BUSINESS, provider=provider, weekday=day)
        item.time_ranges, item.breaks, item.exceptions = [{"startTime": start, "endTime": end}], [], []
        items.append(item)
    return items


def open_shop(*providers: str, start: str = "00:00", end: str = "24:00") -> None:
    """Create a service of one hour, a customer, and the providers with their hours."""
    people = [item for name in providers or ("maria",) for item in (provider(name), *working_hours(name, start, end))]
    put(service(), customer(), *people)


def book(start: datetime, *, by: str = "maria", what: str = "masaje", who: str = "juan", **options: Any) -> Booking:
    options = {"command": new_command(ACTOR), **options}
    return services.create(BUSINESS, what, by, start, who, **options)


def put_outside_booking(id: str, start: datetime | str, minutes: int = 60, *, by: str = "maria", **values: Any) -> str:
    """Write a booking without revision, pointer and ledger, as in the seed; return its start. None omits a value."""
    text = start if isinstance(start, str) else to_wire(start)
    if isinstance(start, datetime):
        values = {"endTime": to_wire(start + timedelta(minutes=minutes))} | values
    values = {"bookingId": id, "serviceId": "masaje", "customerId": "juan", "status": "CONFIRMED"} | values
    key = keys.BOOKING.key(tenant=BUSINESS, provider=by, start=text, booking=id)
    item = Booking.new_at_key(key)
    item.service_id, item.customer_id, item.status = values["serviceId"], values["customerId"], values["status"]
    index_keys = {name: where for where in item.index_keys() for name in [where.index]}
    for name, where in index_keys.items():
        short = name.replace("_", "")
        values |= {f"{short}PK": where.pk, f"{short}SK": where.sk}
    put_raw(*key, **{name: value for name, value in values.items() if value is not None})
    return text


def reloaded(booking_id: str) -> Booking:
    """The stored booking, found by its pointer."""
    ref = queries.find_pointer(BUSINESS, booking_id)
    assert ref is not None and ref.booking_key is not None
    found = queries.find_booking_at(BUSINESS, ref.booking_key)
    assert found is not None
    return found


def entries_of(booking_id: str) -> list[AuditEntry]:
    collection = keys.AUDIT.collection(tenant=BUSINESS)
    found = read.page(collection, AuditEntry, limit=5000, consistent=True, newest_first=True).items
    return [each for each in found if (each.target or {}).get("id") == target_of("booking", booking_id)]


def all_items() -> list[Item]:
    with offline():
        pages = (
            connection.client()
            .get_paginator("scan")
            .paginate(TableName=connection.table().table_name, ConsistentRead=True)
        )
        raws = [raw for page in pages for raw in page["Items"]]
    return [each for each in map(to_item, raws) if isinstance(each, Item)]


def time_of(booking: Booking) -> TakenTime | None:
    """The time that a booking takes, computed here: the code under test must not check itself."""
    start = booking.start_time
    if not start:
        return None
    before, after = (int(each or 0) * MINUTE for each in (booking.buffer_before, booking.buffer_after))
    span = Span(start - before, (booking.end_time or start + HOUR) + after)
    lapses = booking.lapses_at if booking.status == "PENDING" else None
    return TakenTime(booking.id, span, booking.status or "CONFIRMED", lapses)


def check_bookings() -> list[Booking]:
    """Check that bookings do not overlap and that ledger and pointers match them; return the bookings."""
    found = all_items()
    bookings = [each for each in found if isinstance(each, Booking)]
    refs = {each.id: each for each in found if isinstance(each, BookingRef)}
    days = [each for each in found if isinstance(each, ProviderDay)]
    moment = now()
    times = [(each, taken) for each in bookings if (taken := time_of(each))]
    live = [(each.provider, taken) for each, taken in times if taken.takes_time(moment)]
    for (whose, one), (other_whose, other) in combinations(live, 2):
        overlap = whose == other_whose and one.span_with_buffers.overlaps(other.span_with_buffers)
        assert not overlap, f"{one} and {other} overlap"
    expected = {
        (each.provider, day, each.id): taken
        for each, taken in times
        if each.status != "CANCELLED"
        for day in days_of(taken.span_with_buffers)
    }
    written = {(day.provider, day.date, each.booking_id): each for day in days for each in day.taken}
    assert written == expected, "the ledger equals the bookings"
    assert {each.id: (each.key, each.status, each.revision) for each in bookings} == {
        ref.id: (ref.booking_key, ref.status, ref.revision) for ref in refs.values()
    }
    assert len(bookings) == len(refs), "each booking has one pointer"
    return bookings
