"""What the slot rule is checked on: who is asked for, when they work, and what takes their time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from bookings.hours import DAY, WEEKDAYS, Hours, hours_of
from bookings.items import Availability, Booking, BookingRef, Customer, Provider, ProviderDay, Service
from bookings.queries import bookings
from bookings.slots import Taken
from dashboard.core.errors import NotFound
from dashboard.platform.businesses.items import Business
from dashboard.table import keys, read
from dashboard.table.items import Item
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern

ItemT = TypeVar("ItemT", bound=Item)


@dataclass(frozen=True)
class BookingParties:
    """Whom and what a booking is about, as far as it is there."""

    business: Business | None
    provider: Provider | None = None
    service: Service | None = None
    customer: Customer | None = None
    ref: BookingRef | None = None


@access_pattern(
    "Which provider, service, customer and booking is this about?",
    *(keys.PROVIDER, keys.SERVICE, keys.CUSTOMER, keys.BOOKING_REF, keys.TENANT),
)
def load_booking_parties(
    business: str, *, provider: str = "", service: str = "", customer: str = "", booking: str = ""
) -> BookingParties:
    """In one consistent trip, before the hours: whoever changes those moves the provider's number with them."""
    parts = {
        "provider": (keys.PROVIDER, provider),
        "service": (keys.SERVICE, service),
        "customer": (keys.CUSTOMER, customer),
        "booking": (keys.BOOKING_REF, booking),
    }
    keys_to_read = [keys.TENANT.key(tenant=business)]
    for name, (pattern, value) in parts.items():
        keys_to_read += _key(pattern, tenant=business, **{name: value}) if value else []
    found = [each for each in read.get_many(keys_to_read) if each is not None]
    current, ref = _first(Business, found), _first(BookingRef, found)
    return BookingParties(current, _first(Provider, found), _first(Service, found), _first(Customer, found), ref)


@dataclass(frozen=True)
class Schedule:
    """A provider's hours and days as they stand, and the booking that is about to change."""

    availabilities: list[Availability]
    # By provider and date in UTC; a day of which nothing was ever written is not there.
    days: dict[tuple[str, dt.date], ProviderDay]
    booking: Booking | None = None


@access_pattern(
    "When does this provider work, and what takes their time on these days?",
    *(keys.PROVIDER_DAY, keys.AVAILABILITY, keys.BOOKING),
)
def load_schedule(
    business: str, *, hours: str = "", around: Iterable[tuple[str, datetime]] = (), key: Key | None = None
) -> Schedule:
    """In one consistent trip: the hours of one provider, days around moments of some, and one booking.

    Nothing that can be booked reaches farther than into the day before or after its start.
    """
    keys_to_read = [key] if key is not None else []
    for provider, moment in around:
        for day in (moment - DAY, moment, moment + DAY):
            keys_to_read += _key(keys.PROVIDER_DAY, tenant=business, provider=provider, date=day.date().isoformat())
    for weekday in WEEKDAYS if hours else ():
        keys_to_read += _key(keys.AVAILABILITY, tenant=business, provider=hours, weekday=weekday)
    found = [each for each in read.get_many(keys_to_read) if each is not None]
    ledgers = [each for each in found if isinstance(each, ProviderDay)]
    days = {(each.provider, each.date): each for each in ledgers if each.date is not None}
    availabilities = [each for each in found if isinstance(each, Availability)]
    return Schedule(availabilities, days, _first(Booking, found))


@access_pattern("Who is this provider, and when do they work?", keys.PROVIDER, keys.AVAILABILITY, keys.TENANT)
def provider_and_hours(business: str, provider: str) -> tuple[Provider, Hours]:
    keys_to_read = [keys.TENANT.key(tenant=business), *_key(keys.PROVIDER, tenant=business, provider=provider)]
    for weekday in WEEKDAYS:
        keys_to_read += _key(keys.AVAILABILITY, tenant=business, provider=provider, weekday=weekday)
    found = [each for each in read.get_many(keys_to_read) if each is not None]
    provider_item = _first(Provider, found)
    if provider_item is None:
        raise NotFound
    availabilities = [each for each in found if isinstance(each, Availability)]
    return provider_item, hours_of_provider(provider_item, availabilities, _first(Business, found))


def taken_between(business: str, provider: str, since: datetime, until: datetime) -> list[Taken]:
    """What takes a provider's time, by the bookings themselves."""
    found = [each.taken for each in bookings.bookings_taking_time(business, provider, since, until)]
    return [each for each in found if each is not None]


def hours_of_provider(provider: Provider, availabilities: list[Availability], business: Business | None) -> Hours:
    return hours_of(provider.zone(business.timezone if business is not None else None), availabilities)


def _key(pattern: Any, **parts: str) -> list[Key]:
    """The key; none where another service, or an address, has named what cannot stand in one."""
    try:
        return [pattern.key(**parts)]
    except BadKey:
        return []


def _first(cls: type[ItemT], found: list[Any]) -> ItemT | None:
    return next((each for each in found if isinstance(each, cls)), None)
