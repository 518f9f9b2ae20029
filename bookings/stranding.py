"""Which bookings to come would lose their time by a change: whoever makes it reads them first."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils.translation import gettext_lazy as _

from bookings.hours import Hours
from bookings.items import Booking
from bookings.slots import Rules, Want, why_not
from bookings.states import Status
from dashboard.errors import DomainError
from dashboard.table.timestamps import from_wire

# So far ahead is looked.
AHEAD = timedelta(days=90)
_SHORTEST, _LONGEST = timedelta(minutes=1), timedelta(days=7)
LIVE = {Status.PENDING, Status.CONFIRMED}


class Strands(DomainError):
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
        raise Strands(bookings)


def digest_of(bookings: Sequence[Booking]) -> str:
    return hashlib.sha256(repr(sorted(each.key for each in bookings)).encode()).hexdigest()[:32]


def live(bookings: Sequence[Booking], now: datetime) -> list[Booking]:
    """Those that someone will come for; what has lapsed keeps no time."""
    return [each for each in bookings if each.status in LIVE and not _lapsed(each, now) and start_of(each)]


def _lapsed(booking: Booking, now: datetime) -> bool:
    deadline: datetime | None = getattr(booking, "lapses_at", None)
    return booking.status == Status.PENDING and deadline is not None and now >= deadline


def stranded(bookings: Sequence[Booking], before: Hours, after: Hours) -> list[Booking]:
    """Those that fit the hours as they were, and not as they would be."""
    return [each for each in bookings if fits(before, each) and not fits(after, each)]


def fits(hours: Hours, booking: Booking) -> bool:
    """Whether all of a booking's time is worked, whatever the clock and other bookings say."""
    start = start_of(booking)
    if start is None:
        return True
    length = (booking.end_time or start) - start
    want = Want(min(max(length, _SHORTEST), _LONGEST))
    return why_not(hours, start, want, (), Rules(now=start)).free


def start_of(booking: Booking) -> datetime | None:
    """When it begins: its key says so, whatever else another service wrote."""
    try:
        found = from_wire(str(booking.key_parts["start"]))
    except (KeyError, ValueError, OverflowError):
        return None
    # The ends of the calendar cannot be turned into every zone.
    return found if 1900 < found.year < 2200 else None
