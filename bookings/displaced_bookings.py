"""Which bookings to come would lose their time by a change: whoever makes it reads them first."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils.translation import gettext_lazy as _

from bookings.hours import Hours
from bookings.items import Booking
from bookings.slots import Rules, check_start
from bookings.states import Status
from dashboard.core.errors import DomainError

# So far ahead is looked.
AHEAD = timedelta(days=90)
LIVE = {Status.PENDING, Status.CONFIRMED}


class DisplacedBookings(DomainError):
    """A change would leave bookings without their time: somebody has to say that this is meant."""

    status = 409
    text = _("Bookings to come would not fit any more.")

    def __init__(self, bookings: Sequence[Booking]) -> None:
        self.bookings = bookings
        super().__init__()

    @property
    def digest(self) -> str:
        """What is sent back by whoever has read the list: for another list they are asked again."""
        return digest_of(self.bookings)


def check(bookings: Sequence[Booking], accepts: str) -> None:
    """Refuse a change that strands these, unless they have been read."""
    if bookings and accepts != digest_of(bookings):
        raise DisplacedBookings(bookings)


def digest_of(bookings: Sequence[Booking]) -> str:
    return hashlib.sha256(repr(sorted(each.key for each in bookings)).encode()).hexdigest()[:32]


def live(bookings: Sequence[Booking], now: datetime) -> list[Booking]:
    """Those that someone will come for; what has lapsed keeps no time."""
    return [each for each in bookings if each.status in LIVE and not each.has_lapsed(now)]


def stranded(bookings: Sequence[Booking], before: Hours, after: Hours) -> list[Booking]:
    """Those that fit the hours as they were, and not as they would be."""
    return [each for each in bookings if fits(before, each) and not fits(after, each)]


def fits(hours: Hours, booking: Booking) -> bool:
    """Whether all of a booking's time is worked, whatever the clock and other bookings say."""
    start = booking.start_time
    return start is None or check_start(hours, start, booking.slot_length, (), Rules(now=start)).is_free
