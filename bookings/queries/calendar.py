"""Queries for the calendar and for the availability of a provider."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

from bookings.hours import DAY, Hours
from bookings.items import Availability, Booking, Provider, Service
from bookings.queries import bookings
from bookings.queries.booking_state import provider_and_hours
from bookings.queries.providers import providers_of
from bookings.queries.services import services_of
from bookings.slots import ALTERNATIVE_DAYS, MAX_BOOKING_LENGTH, Span
from dashboard.core.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.items import Item
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

# A page shows at most this many bookings per day and says so.
MAX_BOOKINGS_A_DAY = 1000
MAX_HOURS = 1400
# No zone is farther from UTC.
MAX_UTC_OFFSET = timedelta(hours=14)


@dataclass(frozen=True)
class BookingsOfPeriod:
    """The bookings that start in a period."""

    bookings: list[Booking]
    is_truncated: bool = False


@access_pattern("Which bookings of this business begin between two moments?", keys.BOOKINGS)
def bookings_starting_between(business: str, since: datetime, until: datetime) -> BookingsOfPeriod:
    """Of all providers, in one query."""
    most = MAX_BOOKINGS_A_DAY * max(1, (until - since) // DAY)
    options: dict[str, Any] = {"limit": most, "attributes": Booking.IN_LISTS} | bookings.key_bounds(since, until)
    found = read.page(keys.BOOKINGS.collection(tenant=business), Booking, **options)
    return BookingsOfPeriod(found.items, found.next_start_key is not None)


@access_pattern("Which bookings of this provider does a period of the calendar show?", keys.BOOKING, partition=True)
def bookings_of_provider(business: str, provider: str, since: datetime, until: datetime) -> BookingsOfPeriod:
    """From the provider's partition, which has every booking, whoever wrote it. The bounds are those of the keys."""
    try:
        collection = keys.BOOKING.collection(tenant=business, provider=provider)
    except BadKey:
        return BookingsOfPeriod([])
    options: dict[str, Any] = {"limit": MAX_BOOKINGS_A_DAY, "attributes": Booking.IN_LISTS}
    found = read.page(collection, Booking, **options | bookings.key_bounds(since, until))
    return BookingsOfPeriod(found.items, found.next_start_key is not None)


@access_pattern("When does everybody in this business work?", keys.AVAILABILITY_OF_DAY)
def hours_by_provider(business: str) -> dict[str, list[Availability]]:
    """Every weekday: an exception may be stored with any of them, and zones differ."""
    collection = keys.AVAILABILITY_OF_DAY.collection(tenant=business)
    found: dict[str, list[Availability]] = {}
    for each in read.page(collection, Availability, limit=MAX_HOURS, attributes=Availability.IN_LISTS).items:
        found.setdefault(each.provider, []).append(each)
    return found


def find_just_written(business: str, provider: str, start: str, booking_id: str) -> Booking | None:
    """Consistent: the index may not show a change yet."""
    try:
        key = keys.BOOKING.key(tenant=business, provider=provider, start=start, booking=booking_id)
    except BadKey:
        return None
    return bookings.find_booking_at(business, key)


@dataclass(frozen=True)
class CalendarDays:
    """The data of some days in the calendar."""

    bookings: list[Booking]
    providers: list[Provider]
    services: list[Service]
    hours: dict[str, list[Availability]] = field(default_factory=dict)
    is_truncated: bool = False

    def of(self, provider: str) -> list[Booking]:
        return self._by_provider.get(provider, [])

    @cached_property
    def _by_provider(self) -> dict[str, list[Booking]]:
        found: dict[str, list[Booking]] = {}
        for each in self.bookings:
            found.setdefault(each.provider, []).append(each)
        return found

    def fingerprint(self, about: str, now: datetime) -> str:
        """Identifies what the page shows, to detect changes."""
        items: list[Item] = [*self.providers, *self.services]
        items += [each for hours in self.hours.values() for each in hours]
        content: list[Any] = [(each.key, each.raw) for each in items]
        # A booking that was just changed is read with all attributes, others with those of lists.
        content += [(each.key, [each.raw.get(name) for name in Booking.IN_LISTS]) for each in self.bookings]
        # A deadline that passes changes the page but nothing in the table.
        lapsed = [each.id for each in self.bookings if each.has_lapsed(now)]
        text = json.dumps((about, str(now.date()), lapsed, content), sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


def load_days(business: str, span: Span, just: tuple[str, str, str] | None = None, provider: str = "") -> CalendarDays:
    """Read some days in one trip, with one query per day. With a provider, from the partition of that provider."""
    first = Span(span.start - MAX_BOOKING_LENGTH, min(span.start + timedelta(hours=26), span.end))
    parts = [first]
    while parts[-1].end < span.end:
        parts.append(Span(parts[-1].end, min(parts[-1].end + DAY, span.end)))
    if provider:
        # A start in a key may have an offset.
        parts[0] = Span(parts[0].start + bookings.EARLIEST_TEXT, parts[0].end)
        parts[-1] = Span(parts[-1].start, parts[-1].end + bookings.LATEST_TEXT)
    reads: list[Callable[[], Any]] = [
        lambda: services_of(business).items,
        lambda: providers_of(business).items,
        lambda: hours_by_provider(business),
        *((lambda part=part: _load_period(business, provider, part)) for part in parts),
    ]
    if just is not None:
        reads.append(lambda: find_just_written(business, *just))
    services, providers, hours, *periods = read.gather_all(reads)
    written = periods.pop() if just is not None else None
    found = [each for period in periods for each in period.bookings]
    if written is not None:
        found = [each for each in found if each.id != written.id] + [written]
    there = [each for each in found if each.span is not None and each.span.overlaps(span)]
    ordered = sorted(there, key=lambda each: (each.start_time or span.start, each.provider, each.id))
    return CalendarDays(ordered, providers, services, hours, any(period.is_truncated for period in periods))


def _load_period(business: str, provider: str, part: Span) -> BookingsOfPeriod:
    if not provider:
        return bookings_starting_between(business, part.start, part.end)
    return bookings_of_provider(business, provider, part.start, part.end)


def load_catalog_with(
    business: str, *other_reads: Callable[[], Any], consistent: bool = True
) -> tuple[list[Provider], list[Service], list[Any]]:
    """Providers and services, with other reads in the same trip."""
    reads: list[Callable[[], Any]] = [
        lambda: providers_of(business, consistent=consistent).items,
        lambda: services_of(business, consistent=consistent).items,
    ]
    providers, services, *results = read.gather_all([*reads, *other_reads])
    return providers, services, results


@dataclass(frozen=True)
class ProviderAvailability:
    """A provider's hours and bookings around a day: the input of the slot engine."""

    provider: Provider
    hours: Hours
    bookings: list[Booking]


def availability_reads(business: str, provider: str, day: dt.date, earliest: datetime) -> list[Callable[[], Any]]:
    """The reads for `availability_from`, to be run in parallel with others.

    They cover the day in any zone, and the days in which free starts are searched: after it, or after the earliest
    start that can be booked.
    """

    def bookings_after(day: dt.date) -> list[Booking]:
        midnight = datetime.combine(day, dt.time(), UTC)
        since, until = midnight - MAX_UTC_OFFSET, midnight + MAX_UTC_OFFSET + (ALTERNATIVE_DAYS + 1) * DAY
        return bookings.bookings_taking_time(business, provider, since, until)

    days = [day] if day >= earliest.date() else [day, earliest.date()]
    return [
        lambda: _none_if_missing(lambda: provider_and_hours(business, provider)),
        *((lambda day=day: _none_if_missing(lambda: bookings_after(day))) for day in days),
    ]


def availability_from(answers: Sequence[Any]) -> ProviderAvailability | None:
    """None if there is no such provider."""
    known, *periods = answers
    found = {each.key: each for period in periods for each in period or []}
    return ProviderAvailability(known[0], known[1], list(found.values())) if known is not None else None


def _none_if_missing(question: Callable[[], Any]) -> Any:
    try:
        return question()
    except NotFound:
        return None
