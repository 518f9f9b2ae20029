"""Queries for the home page of a business. Each reads a limited number of items."""

from __future__ import annotations

from datetime import datetime

from bookings.items import Availability, Booking
from bookings.queries.bookings import key_bounds
from bookings.states import Status
from dashboard.table import keys, read
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire

MAX_RECENT, MAX_TO_CONFIRM = 200, 50


@access_pattern("Which bookings of this business began in a period, the latest first?", keys.BOOKINGS)
def recent_bookings(business: str, since: datetime, until: datetime) -> read.Page[Booking]:
    """The latest ones first, so that a busy week leaves out the oldest and not today's."""
    collection = keys.BOOKINGS.collection(tenant=business)
    return read.page(
        collection,
        Booking,
        newest_first=True,
        limit=MAX_RECENT,
        attributes=Booking.IN_LISTS,
        **key_bounds(since, until),
    )


@access_pattern("Which bookings of this business are to be confirmed, the next one first?", keys.BOOKINGS_BY_STATUS)
def bookings_to_confirm(business: str, since: datetime) -> read.Page[Booking]:
    collection = keys.BOOKINGS_BY_STATUS.collection(tenant=business, status=Status.PENDING)
    return read.page(collection, Booking, since=to_wire(since), limit=MAX_TO_CONFIRM, attributes=Booking.IN_LISTS)


@access_pattern("Does anybody in this business have working hours?", keys.AVAILABILITY_OF_DAY)
def has_hours(business: str) -> bool:
    collection = keys.AVAILABILITY_OF_DAY.collection(tenant=business)
    return bool(read.page(collection, Availability, limit=1, attributes=()).items)
