"""A visitor's own booking, behind a signed link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from bookings.items import Booking
from bookings.online.links import read_token
from bookings.online.visits import Visit
from bookings.presenters import state_of
from bookings.queries import bookings as queries
from bookings.states import Status
from dashboard.core.clock import now

# What the page says after a change, by the parameter `did`.
CONFIRMED, MOVED, CANCELLED = "confirmed", "moved", "cancelled"


@dataclass(frozen=True)
class OwnBooking:
    """A booking as its customer sees it."""

    booking: Booking
    token: str
    is_from_mail: bool
    staff_name: str

    @property
    def state(self) -> Any:
        return state_of(self.booking, now())

    @property
    def is_open(self) -> bool:
        """Whether it can still be moved and cancelled."""
        start, state = self.booking.start_time, self.booking.state(now())
        return start is not None and start > now() and state in (Status.PENDING, Status.CONFIRMED)

    @property
    def can_be_confirmed(self) -> bool:
        return self.is_open and self.is_from_mail and self.booking.status == Status.PENDING

    def news(self, did: str, *, is_new: bool) -> str:
        """What has just happened, if the booking still says so: the address may be opened again later."""
        state = self.booking.state(now())
        if state == Status.CANCELLED:
            return _("Your booking was cancelled.") if did == CANCELLED else ""
        if state not in (Status.PENDING, Status.CONFIRMED):
            return ""
        if did == MOVED:
            return _("Your booking was moved.")
        if did == CONFIRMED and state == Status.CONFIRMED:
            return _("Your booking is confirmed.")
        if not is_new:
            return ""
        is_booked = state == Status.CONFIRMED
        return _("You are booked.") if is_booked else _("Thank you. The business will confirm your booking.")

    @property
    def waits_for_mail(self) -> bool:
        """Whether the link that confirms it is in the mail."""
        pending = self.is_open and self.booking.status == Status.PENDING
        return pending and not self.is_from_mail and self.booking.lapses_at is not None


def own_reads(request: HttpRequest, business: str, booking_link: str) -> list[Callable[[], Any]]:
    link = read_token(business, booking_link)
    return [lambda: queries.load_booking_with(business, link.booking)]


def own_booking_of(visit: Visit, booking_link: str) -> OwnBooking:
    booking, providers, _rest = visit.answers[0]
    staff = next((each.title for each in providers if each.id == booking.provider), booking.provider_name or "")
    return OwnBooking(booking, booking_link, read_token(visit.business.id, booking_link).is_from_mail, staff)
