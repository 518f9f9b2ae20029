"""Due tasks of bookings."""

from __future__ import annotations

from bookings.items import BookingRef
from bookings.services import decisions
from bookings.states import Status
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.due.registry import due


@due("booking by id")
def lapse(ref: BookingRef) -> str:
    """Cancel a booking that was not confirmed before its deadline. Since the deadline its time is free."""
    try:
        booking = decisions.lapse(ref)
    except NotFound:
        decisions.forget_deadline(ref, None)
        return "it is gone"
    if not booking.outcome.is_no_change:
        return "it was not confirmed in time"
    waits = booking.status == Status.PENDING and booking.lapses_at is not None and booking.lapses_at > now()
    decisions.forget_deadline(ref, booking.lapses_at if waits else None)
    return "it was changed elsewhere"
