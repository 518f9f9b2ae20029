"""What is asked about bookings: one by its id, those of a day, and lists by whatever there is an index for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from typing import Any

from pynamodb.expressions.condition import Condition

from bookings.items import Booking, BookingRef
from bookings.slots import LONGEST, Span
from bookings.states import Payment, Status
from dashboard.core.errors import NotFound
from dashboard.table import keys, read
from dashboard.table.items import Raw
from dashboard.table.keypattern import BadKey, Collection, Key
from dashboard.table.registry import access_pattern
from dashboard.table.timestamps import to_wire

PAGE = 50
# So many are asked for at once where all of them are wanted.
AT_ONCE = 1000


# --- One booking ---------------------------------------------------------------------------------
@access_pattern("Where is this booking?", keys.BOOKING_REF)
def pointer(business: str, booking_id: str) -> BookingRef | None:
    """For sure, and not what it is; none for one that only another service has written."""
    try:
        return read.get(BookingRef, keys.BOOKING_REF.key(tenant=business, booking=booking_id))
    except BadKey as error:
        raise NotFound from error


@access_pattern("What does the index show of this booking?", keys.BOOKING_BY_ID)
def listed(business: str, booking_id: str) -> list[Booking]:
    """Nearly always as it is. While the index lags behind a move there may be two."""
    try:
        where = keys.BOOKING_BY_ID.under(tenant=business, booking=booking_id)
    except BadKey as error:
        raise NotFound from error
    found = read.page(where, Booking, limit=2, newest_first=True).items
    return [each for each in found if "booking" in each.key_parts]


def booking(business: str, booking_id: str) -> Booking:
    """As it is now, in one trip; in two where the index lags behind."""
    ref, indexed = read.gather(lambda: pointer(business, booking_id), lambda: listed(business, booking_id))
    return _as_it_is(business, ref, indexed)


def booking_among(business: str, booking_id: str, *beside: Callable[[], Any]) -> tuple[Booking, list[Any]]:
    """The same, with other questions in the same trip."""
    ref, shown, *others = read.gather_all(
        [lambda: pointer(business, booking_id), lambda: listed(business, booking_id), *beside]
    )
    return _as_it_is(business, ref, shown), others


def _as_it_is(business: str, ref: BookingRef | None, shown: list[Booking]) -> Booking:
    """What the index shows counts where it is at least as new as what points there."""
    place = ref.place if ref is not None else shown[0].key if shown else None
    there = next((each for each in shown if each.key == place), None)
    if there is not None and (ref is None or there.revision >= ref.revision):
        return there
    found = booking_at(business, place) if place is not None else None
    if found is None:
        raise NotFound
    return found


@access_pattern("What is booked here?", keys.BOOKING)
def booking_at(business: str, place: Key) -> Booking | None:
    """Consistent."""
    found = read.get(Booking, place)
    return found if found is not None and found.key_parts.get("tenant") == business else None


# --- A stretch of time ---------------------------------------------------------------------------
@access_pattern("Which bookings of this provider begin between two moments?", keys.BOOKING, partition=True)
def beginning(business: str, provider: str, since: datetime, until: datetime) -> list[Booking]:
    """Consistent, by the provider's own partition, and every one of them: someone guards the time by this."""
    try:
        where = keys.BOOKING.under(tenant=business, provider=provider)
    except BadKey as error:
        raise NotFound from error
    asked: dict[str, Any] = {"limit": AT_ONCE, "only": Booking.CARD, "consistent": True} | bounds(since, until)
    found, start = list[Booking](), None
    while True:
        page = read.page(where, Booking, start=start, **asked)
        found += [each for each in page.items if "booking" in each.key_parts]
        start = page.next
        if start is None:
            return found


def taking(business: str, provider: str, since: datetime, until: datetime) -> list[Booking]:
    """What takes a provider's time between two moments, also where only its buffers reach into them."""
    found, span = beginning(business, provider, since - LONGEST, until + LONGEST), Span(since, until)
    taken = [(each.taken, each) for each in found if each.status != Status.CANCELLED]
    return [each for time, each in taken if time is not None and time.span_with_buffers.meets(span)]


def bounds(since: datetime, until: datetime) -> dict[str, str]:
    """Half-open, and a key goes on after its start: what begins at the very end is not meant."""
    return {"since": to_wire(since), "until": to_wire(until - timedelta(seconds=1))}


# --- Lists ---------------------------------------------------------------------------------------
@dataclass(frozen=True)
class BookingFilter:
    """Which bookings a list shows; whatever is empty does not matter."""

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
    wanted: BookingFilter = BookingFilter(),  # noqa: B008 -- frozen
    *,
    since: datetime | None = None,
    start: Raw | None = None,
    limit: int = PAGE,
) -> read.Sifted[Booking]:
    """By the index that narrows it most; what no index serves is sifted, a bounded stretch at a time."""
    where, keep = _chosen(business, wanted)
    options: dict[str, Any] = {"limit": limit, "start": start, "since": to_wire(since) if since else None}
    if keep is not None:
        found = read.filter_page(where, Booking, keep, **options)
    else:
        page = read.page(where, Booking, only=Booking.CARD, **options)
        found = read.Sifted(page.items, page.next)
    return read.Sifted([each for each in found.items if "booking" in each.key_parts], found.next, found.reached)


def _chosen(business: str, wanted: BookingFilter) -> tuple[Collection, Condition | None]:
    """Where to look, and what of it to keep."""
    rest: dict[str, Condition] = {
        "service": Booking.service_id == wanted.service,
        "status": Booking.status == wanted.status,
        "payment": Booking.payment_status == wanted.payment,
        "provider": Booking.provider_id == wanted.provider,
    }
    if wanted.payment == Payment.NONE:
        rest["payment"] |= Booking.payment_status.does_not_exist()
    try:
        where = _narrowest(business, wanted)
    except BadKey as error:
        raise NotFound from error
    for name in ("provider", "service", "status"):
        if getattr(wanted, name):
            rest.pop(name, None)
            break
    conditions = [condition for name, condition in rest.items() if getattr(wanted, name)]
    return where, reduce(lambda one, other: one & other, conditions) if conditions else None


def _narrowest(business: str, wanted: BookingFilter) -> Collection:
    if wanted.provider:
        return keys.BOOKING.under(tenant=business, provider=wanted.provider)
    if wanted.service:
        return keys.BOOKINGS_OF_SERVICE.under(tenant=business, service=wanted.service)
    if wanted.status:
        return keys.BOOKINGS_BY_STATUS.under(tenant=business, status=wanted.status)
    return keys.BOOKINGS.under(tenant=business)
