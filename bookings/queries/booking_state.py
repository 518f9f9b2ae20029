"""Consistent reads for writes to bookings: the parties, the provider's hours, and the ledger."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar, cast

from bookings.hours import DAY, WEEKDAYS, Hours, hours_of
from bookings.items import Availability, Booking, BookingRef, Customer, Provider, ProviderDay, Service
from bookings.queries import bookings
from bookings.slots import TakenTime
from dashboard.core.errors import NotFound
from dashboard.platform.businesses.items import Business
from dashboard.table import keys, read
from dashboard.table.items import Item
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import TimestampAttribute

ItemT = TypeVar("ItemT", bound=Item)


@dataclass(frozen=True)
class BookingParties:
    """The items that a booking refers to; None for a missing one."""

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
    """One consistent trip, before the hours: a change of hours also increases the provider's `scheduleRevision`."""
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
    """A provider's hours, the ledger's days, and the booking that is about to change."""

    availabilities: list[Availability]
    # By provider and UTC date; a day without a ledger is missing.
    days: dict[tuple[str, dt.date], ProviderDay]
    booking: Booking | None = None


@access_pattern(
    "When does this provider work, and what takes their time on these days?",
    *(keys.PROVIDER_DAY, keys.AVAILABILITY, keys.BOOKING),
)
def load_schedule(
    business: str, *, hours_of: str = "", around: Iterable[tuple[str, datetime]] = (), key: Key | None = None
) -> Schedule:
    """Read the hours of one provider, the ledger's days around some moments, and one booking in one consistent trip.

    No booking reaches farther than the day before or after its start.
    """
    keys_to_read = [key] if key is not None else []
    for provider, moment in around:
        for day in (moment - DAY, moment, moment + DAY):
            keys_to_read += _key(keys.PROVIDER_DAY, tenant=business, provider=provider, date=day.date().isoformat())
    for weekday in WEEKDAYS if hours_of else ():
        keys_to_read += _key(keys.AVAILABILITY, tenant=business, provider=hours_of, weekday=weekday)
    found = [each for each in read.get_many(keys_to_read) if each is not None]
    ledgers = [each for each in found if isinstance(each, ProviderDay)]
    days = {(each.provider, each.date): each for each in ledgers if each.date is not None}
    availabilities = [each for each in found if isinstance(each, Availability)]
    return Schedule(availabilities, days, _first(Booking, found))


@dataclass(frozen=True)
class BookingState:
    """A booking that an outside writer has changed, with its pointer and the ledger of its days."""

    booking: Booking | None
    ref: BookingRef | None
    # The UTC dates that the booking can touch.
    dates: tuple[dt.date, ...]
    days: dict[dt.date, ProviderDay]
    # Another booking with the same id: the one at the pointer, or for a deleted booking one that the index shows.
    duplicate: Booking | None = None

    @property
    def is_duplicate_decided(self) -> bool:
        """Whether a person has decided about the duplicate at the pointer. Otherwise the newest booking counts."""
        return self.duplicate is not None and self.ref is not None and self.ref.revision > 0


@access_pattern("What do pointer and ledger show of this booking?", keys.BOOKING, keys.BOOKING_REF, keys.PROVIDER_DAY)
def load_booking_state(key: Key) -> BookingState:
    """One consistent trip; a second one if there is another booking with the same id."""
    parts = Booking.new_at_key(key)  # It has no attributes: only the parts of its key are read.
    business, start = str(parts.key_parts["tenant"]), TimestampAttribute().deserialize(parts.start_key)
    dates = tuple((start + count * DAY).date() for count in (-1, 0, 1)) if start is not None else ()
    keys_to_read = [key, keys.BOOKING_REF.key(tenant=business, booking=parts.id)]
    keys_to_read += [
        keys.PROVIDER_DAY.key(tenant=business, provider=parts.provider, date=date.isoformat()) for date in dates
    ]
    booking, ref, *ledgers = read.get_many(keys_to_read)
    days = {each.date: each for each in ledgers if isinstance(each, ProviderDay) and each.date is not None}
    found, pointer = (each if isinstance(each, Item) else None for each in (booking, ref))
    state = BookingState(cast(Booking | None, found), cast(BookingRef | None, pointer), dates, days)
    return replace(state, duplicate=_find_duplicate(business, key, state))


def _find_duplicate(business: str, key: Key, state: BookingState) -> Booking | None:
    target = state.ref.booking_key if state.ref is not None else None
    if state.ref is None or target is None:
        return None
    if target != key:
        return bookings.find_booking_at(business, target)
    if state.booking is not None:
        return None
    indexed = [each for each in bookings.find_indexed(business, state.ref.id) if each.key != key]
    return bookings.find_booking_at(business, indexed[0].key) if indexed else None


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


@access_pattern("Whose hours are these, and what are they on these weekdays?", keys.PROVIDER, keys.AVAILABILITY)
def load_hours_state(
    business: str, provider: str, weekdays: Iterable[str]
) -> tuple[Provider | None, dict[str, Availability]]:
    """The staff member and their hours by weekday, in one consistent trip."""
    keys_to_read = _key(keys.PROVIDER, tenant=business, provider=provider)
    for weekday in weekdays:
        keys_to_read += _key(keys.AVAILABILITY, tenant=business, provider=provider, weekday=weekday)
    found = [each for each in read.get_many(keys_to_read) if each is not None]
    availabilities = [each for each in found if isinstance(each, Availability)]
    return _first(Provider, found), {each.weekday: each for each in availabilities}


def taken_between(business: str, provider: str, since: datetime, until: datetime) -> list[TakenTime]:
    """The times that a provider's bookings take, read from the bookings."""
    found = [each.taken for each in bookings.bookings_taking_time(business, provider, since, until)]
    return [each for each in found if each is not None]


def hours_of_provider(provider: Provider, availabilities: list[Availability], business: Business | None) -> Hours:
    return hours_of(provider.zone(business.timezone if business is not None else None), availabilities)


def _key(pattern: Any, **parts: str) -> list[Key]:
    """The key; none if a part cannot be in a key."""
    try:
        return [pattern.key(**parts)]
    except BadKey:
        return []


def _first(cls: type[ItemT], found: list[Any]) -> ItemT | None:
    return next((each for each in found if isinstance(each, cls)), None)
