"""The upcoming bookings that a change of hours displaces: the person has to accept them first."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils.translation import gettext_lazy as _

from bookings.hours import Hours
from bookings.items import Booking
from bookings.slots import Rules, check_start
from bookings.states import STATUSES
from dashboard.core.errors import DomainError

# How far ahead bookings are checked.
LOOK_AHEAD = timedelta(days=90)
LIVE = {status for status, spec in STATUSES.items() if spec.is_live}


class DisplacedBookings(DomainError):
    """A change would displace bookings, and the person has not accepted that yet."""

    status = 409
    text = _("Upcoming bookings would no longer fit.")

    def __init__(self, bookings: Sequence[Booking]) -> None:
        self.bookings = bookings
        super().__init__()

    @property
    def digest(self) -> str:
        """Sent back with the form to accept these bookings. Another list has another digest."""
        return digest_of(self.bookings)


def require_accepted(bookings: Sequence[Booking], accepts: str) -> None:
    """Raise DisplacedBookings unless the person accepted exactly these."""
    if bookings and accepts != digest_of(bookings):
        raise DisplacedBookings(bookings)


def digest_of(bookings: Sequence[Booking]) -> str:
    return hashlib.sha256(repr(sorted(each.key for each in bookings)).encode()).hexdigest()[:32]


def live(bookings: Sequence[Booking], now: datetime) -> list[Booking]:
    """The bookings whose customers are expected. A lapsed booking does not take its time."""
    return [each for each in bookings if each.status in LIVE and not each.has_lapsed(now)]


def displaced_by(bookings: Sequence[Booking], before: Hours, after: Hours) -> list[Booking]:
    """The bookings that fit into the hours before a change and not after it."""
    return [each for each in bookings if fits(before, each) and not fits(after, each)]


def fits(hours: Hours, booking: Booking) -> bool:
    """Whether a booking lies within the hours. Ignores the current time and other bookings."""
    start = booking.start_time
    return start is None or check_start(hours, start, booking.slot_length, (), Rules(checked_at=start)).is_free
