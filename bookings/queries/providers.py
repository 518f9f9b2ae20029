"""What is asked about those who can be booked, and when they work."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from bookings.fields import PROVIDER_FIELDS
from bookings.items import Availability, Booking, Provider
from bookings.queries.raw import proper
from dashboard.core.errors import NotFound
from dashboard.core.names import unaccented
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire

PAGE = 500
IN_LISTS = PROVIDER_FIELDS.projection("services", "active", "scheduleRevision")
# So many bookings to come are looked at before hours are changed.
MOST_BOOKINGS = 2000


@access_pattern("Who can be booked in this business?", keys.PROVIDER, partition=True)
def providers_of(business: str, start: Any = None, limit: int = PAGE) -> read.Page[Provider]:
    where = keys.PROVIDER.under(tenant=business)
    return proper(read.page(where, Provider, limit=limit, start=start, only=IN_LISTS, consistent=True))


@access_pattern("Who of this business works on this day of the week, and when?", keys.AVAILABILITY_OF_DAY)
def hours_on(business: str, weekday: str, limit: int = PAGE) -> list[Availability]:
    where = keys.AVAILABILITY_OF_DAY.under(tenant=business, weekday=weekday)
    return proper(read.page(where, Availability, limit=limit, only=Availability.CARD)).items


@access_pattern("Who is this provider?", keys.PROVIDER)
def find_provider(business: str, provider_id: str) -> Provider | None:
    try:
        return read.get(Provider, keys.PROVIDER.key(tenant=business, provider=provider_id))
    except BadKey:
        return None


def provider(business: str, provider_id: str) -> Provider:
    """The same, where there has to be one."""
    found = find_provider(business, provider_id)
    if found is None:
        raise NotFound
    return found


@access_pattern("When does this provider work?", keys.AVAILABILITY, partition=True)
def hours_of(business: str, provider_id: str) -> list[Availability]:
    """A day of the week each, consistent."""
    try:
        where = keys.AVAILABILITY.under(tenant=business, provider=provider_id)
    except BadKey:
        return []
    return proper(read.page(where, Availability, limit=20, consistent=True)).items


@access_pattern("What is booked with this provider from now on?", keys.BOOKING, partition=True)
def bookings_ahead(business: str, provider_id: str, since: datetime, until: datetime) -> read.Page[Booking]:
    """From the table, consistent: whoever changes hours sees what was booked a moment ago."""
    where = keys.BOOKING.under(tenant=business, provider=provider_id)
    bounds = {"since": to_wire(since), "until": to_wire(until)}
    return proper(read.page(where, Booking, limit=MOST_BOOKINGS, only=Booking.CARD, consistent=True, **bounds))


@access_pattern("Has this provider ever been booked?", keys.BOOKING, partition=True)
def is_booked(business: str, provider_id: str) -> bool:
    where = keys.BOOKING.under(tenant=business, provider=provider_id)
    return bool(read.page(where, Booking, limit=1, only=("status",), consistent=True).items)


def by_name(providers: Sequence[Provider]) -> list[Provider]:
    """As people look for them: who can be booked first."""
    return sorted(providers, key=lambda each: (not each.is_active, unaccented(each.title), each.id))


def having(providers: Sequence[Provider], words: str) -> list[Provider]:
    """Those whose name has all of these words."""
    sought = unaccented(words).split()
    return [each for each in providers if all(word in unaccented(each.title) for word in sought)]
