"""One booking at a time that a visitor still has to confirm."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from bookings.items import Booking, VisitorHold
from bookings.items.holds import visitor_of
from bookings.queries.bookings import find_pointer
from bookings.queries.holds import find_hold
from bookings.states import Status
from dashboard.core.clock import now
from dashboard.core.errors import Refused, StaleRevision
from dashboard.table.transactions import Transaction


def hold_for_visitor(transaction: Transaction, business: str, email: str, booking: Booking) -> None:
    """Record that this visitor has a booking to confirm, in the transaction that creates it.

    Refuse it while an earlier one still takes time. A booking that was confirmed, cancelled or has lapsed does not.
    """
    hold = find_hold(business, email)
    if hold is not None and _takes_time(business, hold):
        raise Refused(
            _("You already have a booking that is not confirmed yet. Confirm or cancel it first."),
            field="email",
        )
    current = hold or VisitorHold.new(tenant=business, visitor=visitor_of(email))
    current.booking_id, current.lapses_at = booking.id, booking.lapses_at
    current.ttl = int(booking.lapses_at.timestamp()) if booking.lapses_at else None
    if hold is None:
        transaction.create(current, on_failure=StaleRevision)
    else:
        transaction.save(current, revision=hold.revision, on_failure=StaleRevision)


def _takes_time(business: str, hold: VisitorHold) -> bool:
    if hold.lapses_at is not None and hold.lapses_at <= now():
        return False
    ref = find_pointer(business, hold.booking_id or "")
    return ref is not None and ref.status == Status.PENDING
