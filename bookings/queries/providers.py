"""Queries for staff members and their hours."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bookings.fields import PROVIDER_FIELDS
from bookings.items import Availability, Booking, Provider
from bookings.queries.raw import contains_words
from dashboard.core.errors import NotFound
from dashboard.core.names import unaccented
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire

PAGE = 500
IN_LISTS = PROVIDER_FIELDS.list_attributes("services", "active", "scheduleRevision")
# How many upcoming bookings are checked before hours change.
MAX_BOOKINGS = 2000


@access_pattern("Which staff members does this business have?", keys.PROVIDER, partition=True)
def providers_of(
    business: str, start_key: Any = None, limit: int = PAGE, *, consistent: bool = True
) -> read.Page[Provider]:
    collection = keys.PROVIDER.collection(tenant=business)
    return read.page(collection, Provider, limit=limit, start_key=start_key, attributes=IN_LISTS, consistent=consistent)


@access_pattern("Which staff members of this business work on this weekday, and when?", keys.AVAILABILITY_OF_DAY)
def hours_on(business: str, weekday: str, limit: int = PAGE) -> list[Availability]:
    collection = keys.AVAILABILITY_OF_DAY.collection(tenant=business, weekday=weekday)
    return read.page(collection, Availability, limit=limit, attributes=Availability.IN_LISTS).items


@access_pattern("Which staff member has this id?", keys.PROVIDER)
def find_provider(business: str, provider_id: str) -> Provider | None:
    try:
        return read.get(Provider, keys.PROVIDER.key(tenant=business, provider=provider_id))
    except BadKey:
        return None


def load_provider(business: str, provider_id: str) -> Provider:
    provider = find_provider(business, provider_id)
    if provider is None:
        raise NotFound
    return provider


@access_pattern("What are the hours of this staff member?", keys.AVAILABILITY, partition=True)
def hours_of(business: str, provider_id: str) -> list[Availability]:
    """One item for each weekday, consistent."""
    try:
        collection = keys.AVAILABILITY.collection(tenant=business, provider=provider_id)
    except BadKey:
        return []
    return read.page(collection, Availability, limit=20, consistent=True).items


@access_pattern("Which upcoming bookings does this staff member have?", keys.BOOKING, partition=True)
def upcoming_bookings(business: str, provider_id: str, since: datetime, until: datetime) -> read.Page[Booking]:
    """Consistent, from the table: a change of hours sees bookings that were made a moment ago."""
    collection = keys.BOOKING.collection(tenant=business, provider=provider_id)
    bounds = {"since": to_wire(since), "until": to_wire(until)}
    return read.page(collection, Booking, limit=MAX_BOOKINGS, attributes=Booking.IN_LISTS, consistent=True, **bounds)


@access_pattern("Has this staff member ever been booked?", keys.BOOKING, partition=True)
def is_booked(business: str, provider_id: str) -> bool:
    collection = keys.BOOKING.collection(tenant=business, provider=provider_id)
    return bool(read.page(collection, Booking, limit=1, attributes=("status",), consistent=True).items)


def sort_by_name(providers: Sequence[Provider]) -> list[Provider]:
    """Sorted by name, active staff members first."""
    return sorted(providers, key=lambda each: (not each.is_active, unaccented(each.title), each.id))


def matching(providers: Sequence[Provider], words: str) -> list[Provider]:
    """The staff members whose name contains all words."""
    return [each for each in providers if contains_words(each.title, words)]
