"""Queries for bookings: one by its id, those of a period, and lists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from typing import Any

from pynamodb.expressions.condition import Condition

from bookings.items import Booking, BookingRef, Provider
from bookings.queries.providers import providers_of
from bookings.queries.unlisted_bookings import SearchHint, UnlistedBooking, found_in, load_unlisted
from bookings.slots import MAX_BOOKING_LENGTH, Span
from bookings.states import Payment, Status, status_takes_time
from dashboard.core.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.keypattern import BadKey, Collection, Key
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire

# Part of this interface, from a module of their own.
__all__ = ["SearchHint", "UnlistedBooking", "load_unlisted"]

PAGE = 50
# The page size of queries that read all bookings.
PAGE_OF_ALL = 1000
# The start in a key may have an offset. Its text differs from the text in UTC by at most this much.
EARLIEST_TEXT, LATEST_TEXT = timedelta(hours=-12), timedelta(hours=14)


# --- One booking ---------------------------------------------------------------------------------
@access_pattern("Where is this booking?", keys.BOOKING_REF)
def find_pointer(business: str, booking_id: str) -> BookingRef | None:
    """Consistent. None for a booking that only outside writers have written."""
    try:
        return read.get(BookingRef, keys.BOOKING_REF.key(tenant=business, booking=booking_id))
    except BadKey as error:
        raise NotFound from error


@access_pattern("What does the index show of this booking?", keys.BOOKING_BY_ID)
def find_indexed(business: str, booking_id: str) -> list[Booking]:
    """Usually one and current. While the index lags behind a move there may be two."""
    try:
        collection = keys.BOOKING_BY_ID.collection(tenant=business, booking=booking_id)
    except BadKey as error:
        raise NotFound from error
    return read.page(collection, Booking, limit=2, newest_first=True).items


def load_booking(business: str, booking_id: str) -> Booking:
    """The current booking in one trip; in more while the index or the follower lags."""
    ref, indexed = read.gather(lambda: find_pointer(business, booking_id), lambda: find_indexed(business, booking_id))
    return _current_booking(ref, indexed) or load_unlisted(business, booking_id)


def load_booking_with(
    business: str,
    booking_id: str,
    *other_reads: Callable[[], Any],
    hint: SearchHint = SearchHint(),  # noqa: B008
) -> tuple[Booking, list[Provider], list[Any]]:
    """The current booking and all providers, with other reads in the same trip.

    UnlistedBooking if it may be found with another hint.
    """
    searches = hint.reads(business, booking_id)
    ref, indexed, providers, *results = read.gather_all(
        [
            lambda: find_pointer(business, booking_id),
            lambda: find_indexed(business, booking_id),
            lambda: providers_of(business).items,
            *other_reads,
            *searches,
        ]
    )
    others, answers = results[: len(other_reads)], results[len(other_reads) :]
    found = _current_booking(ref, indexed) or found_in(answers, booking_id)
    if found is None:
        raise hint.not_found(booking_id, providers, answers)
    return found, providers, others


def _current_booking(ref: BookingRef | None, indexed: list[Booking]) -> Booking | None:
    """The booking at the pointer. The indexed one is used if it is at least as new as the pointer."""
    key = ref.booking_key if ref is not None else None
    current = next((each for each in indexed if key is None or each.key == key), None)
    if current is not None and (key is None or ref is None or current.revision >= ref.revision):
        return current
    found = find_booking_at(ref.business, key) if ref is not None and key is not None else None
    # Without a booking there, an outside writer has moved it.
    return found or next(iter(indexed), None)


@access_pattern("Which booking has this key?", keys.BOOKING)
def find_booking_at(business: str, key: Key) -> Booking | None:
    """Consistent."""
    found = read.get(Booking, key)
    return found if found is not None and found.key_parts.get("tenant") == business else None


# --- A period ------------------------------------------------------------------------------------
@access_pattern("Which bookings of this provider begin between two moments?", keys.BOOKING, partition=True)
def bookings_starting_between(business: str, provider: str, since: datetime, until: datetime) -> list[Booking]:
    """Consistent and complete: the ledger relies on it."""
    try:
        collection = keys.BOOKING.collection(tenant=business, provider=provider)
    except BadKey as error:
        raise NotFound from error
    options: dict[str, Any] = {
        "limit": PAGE_OF_ALL,
        "attributes": Booking.IN_LISTS,
        "consistent": True,
    } | key_bounds(since, until)
    return read.every_item(collection, Booking, **options)


def bookings_taking_time(business: str, provider: str, since: datetime, until: datetime) -> list[Booking]:
    """Bookings that take a provider's time between two moments, also with buffers only."""
    found, span = (
        bookings_starting_between(business, provider, since - MAX_BOOKING_LENGTH, until + MAX_BOOKING_LENGTH),
        Span(since, until),
    )
    taken = [(each.taken, each) for each in found if status_takes_time(each.status)]
    return [each for time, each in taken if time is not None and time.span_with_buffers.overlaps(span)]


def key_bounds(since: datetime, until: datetime) -> dict[str, str]:
    """The range of sort keys from `since` up to but without `until`."""
    return {"since": to_wire(since), "until": to_wire(until - timedelta(seconds=1))}


# --- Lists ---------------------------------------------------------------------------------------
@dataclass(frozen=True)
class BookingFilter:
    """The filters of a list. Empty ones do not apply."""

    provider: str = ""
    service: str = ""
    status: str = ""
    payment: str = ""


@access_pattern(
    "Which bookings of this business begin from a moment on: all, or of a provider, a service, a status?",
    *(keys.BOOKINGS, keys.BOOKING, keys.BOOKINGS_OF_SERVICE, keys.BOOKINGS_BY_STATUS),
    partition=True,
)
def agenda(
    business: str,
    filter_by: BookingFilter = BookingFilter(),  # noqa: B008 -- frozen
    *,
    since: datetime | None = None,
    start_key: Raw | None = None,
    limit: int = PAGE,
) -> read.FilteredPage[Booking]:
    """Read the narrowest index. Other filters are applied to a bounded number of items at a time.

    With a provider the provider's partition is read, which has every booking, whoever wrote it.
    """
    collection, keep = _index_and_condition(business, filter_by)
    earliest = since + EARLIEST_TEXT if since and filter_by.provider else since
    options: dict[str, Any] = {"limit": limit, "start_key": start_key, "since": to_wire(earliest) if earliest else None}
    if keep is not None:
        found = read.filter_page(collection, Booking, keep, **options)
    else:
        page = read.page(collection, Booking, attributes=Booking.IN_LISTS, **options)
        found = read.FilteredPage(page.items, page.next_start_key)
    bookings = [each for each in found.items if not _begins_before(each, since)]
    return read.FilteredPage(bookings, found.next_start_key, found.last_key_read)


@access_pattern("Which bookings began before a moment and were never confirmed?", keys.BOOKINGS_BY_STATUS)
def unconfirmed_before(business: str, moment: datetime, start_key: Raw | None, limit: int) -> read.Page[Booking]:
    """Newest first. Lapsed ones are left out: they are cancelled already."""
    collection = keys.BOOKINGS_BY_STATUS.collection(tenant=business, status=Status.PENDING)
    options: dict[str, Any] = {"limit": limit, "start_key": start_key, "until": to_wire(moment - timedelta(seconds=1))}
    found = read.page(collection, Booking, attributes=Booking.IN_LISTS, newest_first=True, **options)
    return found.with_rows([each for each in found.items if not each.has_lapsed(moment)])


def _begins_before(booking: Booking, moment: datetime | None) -> bool:
    return moment is not None and booking.start_time is not None and booking.start_time < moment


def _index_and_condition(business: str, filter_by: BookingFilter) -> tuple[Collection, Condition | None]:
    """The index to read, and the condition for the filters that it does not cover."""
    conditions_by_name: dict[str, Condition] = {
        "service": Booking.service_id == filter_by.service,
        "status": Booking.status == filter_by.status,
        "payment": Booking.payment_status == filter_by.payment,
        "provider": Booking.provider_id == filter_by.provider,
    }
    if filter_by.payment == Payment.NONE:
        conditions_by_name["payment"] |= Booking.payment_status.does_not_exist()
    try:
        collection = _narrowest_index(business, filter_by)
    except BadKey as error:
        raise NotFound from error
    for name in ("provider", "service", "status"):
        if getattr(filter_by, name):
            conditions_by_name.pop(name, None)
            break
    conditions = [condition for name, condition in conditions_by_name.items() if getattr(filter_by, name)]
    return collection, reduce(lambda one, other: one & other, conditions) if conditions else None


def _narrowest_index(business: str, filter_by: BookingFilter) -> Collection:
    if filter_by.provider:
        return keys.BOOKING.collection(tenant=business, provider=filter_by.provider)
    if filter_by.service:
        return keys.BOOKINGS_OF_SERVICE.collection(tenant=business, service=filter_by.service)
    if filter_by.status:
        return keys.BOOKINGS_BY_STATUS.collection(tenant=business, status=filter_by.status)
    return keys.BOOKINGS.collection(tenant=business)
