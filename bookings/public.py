"""The public interface of bookings for other apps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from bookings.items import Booking, Customer
from bookings.permissions import Permission
from bookings.presenters import StateBadge, state_of
from bookings.queries.customers import bookings_of_customer, customers_by_email, find_customer, has_email
from dashboard.core.clock import now
from dashboard.web.pages import url_or_empty

__all__ = [
    "BookingOfEmail",
    "Customer",
    "Permission",
    "booking_lines",
    "bookings_of_customer",
    "customers_by_email",
    "find_customer",
    "has_email",
]


@dataclass(frozen=True)
class BookingOfEmail:
    """A booking as another app lists it."""

    at: datetime | None
    service: str
    state: StateBadge
    url: str


def booking_lines(business: str, bookings: Sequence[Booking]) -> list[BookingOfEmail]:
    moment = now()
    return [
        BookingOfEmail(
            each.start_time,
            each.service_name or each.service_id or "",
            state_of(each, moment),
            url_or_empty("booking", business, each.id),
        )
        for each in bookings
    ]
