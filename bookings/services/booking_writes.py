"""Code that all writes to a booking share: finding it, its pointer, its audit entry, and retries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from pynamodb.expressions.condition import Condition

from bookings.errors import TooManyWrites
from bookings.items import Booking, BookingRef
from bookings.queries import bookings as queries
from bookings.queries.history import target_of
from bookings.states import Payment, Status
from dashboard.core.errors import NotFound, StaleRevision
from dashboard.platform.audit.services import record
from dashboard.table.keypattern import Key
from dashboard.table.retries import retry_on
from dashboard.table.timestamps import to_wire
from dashboard.table.transactions import Transaction

R = TypeVar("R")
TRIES = 12


def retry_while_busy(attempt: Callable[[], R]) -> R:
    """Read and write again while others write to the same provider's day. Raises TooManyWrites after the last try."""
    try:
        return retry_on(StaleRevision, attempt, tries=TRIES)
    except StaleRevision as error:
        raise TooManyWrites from error


def locate(business: str, booking_id: str, ref: BookingRef | None) -> tuple[BookingRef, Key, bool]:
    """The pointer to a booking, the booking's key, and whether the pointer is new."""
    if ref is not None and ref.booking_key is not None:
        return ref, ref.booking_key, False
    indexed = queries.find_indexed(business, booking_id)
    found = indexed[0] if indexed else queries.load_unlisted(business, booking_id)
    return ref or BookingRef.new(tenant=business, booking=booking_id), found.key, ref is None


def ensure_found(business: str, ref: BookingRef, booking: Booking | None) -> Booking:
    """The booking that was read at its key. Raises StaleRevision if it has moved since, NotFound if it is gone."""
    if booking is not None:
        return booking
    current = queries.find_pointer(business, ref.id)
    if current is not None and current.revision != ref.revision:
        raise StaleRevision
    raise NotFound


def write_pointer(transaction: Transaction, ref: BookingRef, booking: Booking, *, is_new_pointer: bool) -> None:
    """Write the pointer in the same transaction as its booking."""
    ref.follow(booking)
    ref.booking = booking
    if is_new_pointer:
        transaction.create(ref, on_failure=StaleRevision)
    else:
        transaction.save(ref, revision=ref.revision, on_failure=StaleRevision)


def time_unchanged(booking: Booking) -> Condition:
    """Outside writers change status and time and do not increase the revision."""
    return booking.unchanged("status", "endTime", "bufferBeforeMinutes", "bufferAfterMinutes", "lapsesAt")


def audit_values(booking: Booking) -> dict[str, Any]:
    """The values of a booking in the audit log."""
    lapses = booking.lapses_at if booking.status == Status.PENDING else None
    values = {
        "bookingStatus": booking.status,
        "paymentStatus": booking.payment_status or Payment.NONE.value,
        "starts": booking.start_key,
        "ends": to_wire(booking.end_time) if booking.end_time else None,
        "provider": booking.provider_name or booking.provider,
        "service": booking.service_name or booking.service_id,
        "heldUntil": to_wire(lapses) if lapses else None,
        "cancelReason": booking.cancel_reason,
        "note": booking.note,
    }
    return {name: value for name, value in values.items() if value}


def record_change(
    transaction: Transaction, business: str, action: str, booking: Booking, before: dict[str, Any]
) -> None:
    """Record only the values that differ."""
    after = audit_values(booking)
    changed = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    record(
        transaction,
        action,
        target=target_of("booking", booking.id),
        kind="booking",
        title=booking.title,
        before={name: before[name] for name in changed if name in before} or None,
        after={name: after[name] for name in changed if name in after} or None,
        business=business,
    )


def load_booking(business: str, ref: BookingRef) -> Booking:
    """The booking behind the pointer that a service returns."""
    booking, outcome = ref.booking, ref.outcome
    while booking is None:
        booking = queries.find_booking_at(business, ref.booking_key) if ref.booking_key is not None else None
        if booking is None:
            # A colleague moved the booking between two reads: follow the pointer.
            current = queries.find_pointer(business, ref.id)
            if current is None or current.revision == ref.revision:
                raise NotFound
            ref = current
    booking.outcome = outcome
    return booking
