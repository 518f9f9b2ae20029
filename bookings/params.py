"""The URL parameters of the calendar."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from bookings.hours import DAY
from bookings.items import Booking
from bookings.queries.bookings import BookingFilter
from bookings.states import Payment, Status

DAYS, WEEK, AGENDA = "day", "week", "agenda"
VIEWS = (DAYS, WEEK, AGENDA)
# Shows every status; without it, cancelled bookings are hidden.
ALL_STATUSES = "ALL"
FILTERS = ("provider", "service", "status", "payment")
MAX_ID = 200
_FIRST_YEAR, _LAST_YEAR = 2000, 2100


def read_day(text: str) -> dt.date | None:
    """A date from a URL; None if it is invalid or outside the supported years."""
    try:
        found = dt.date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None
    return found if _FIRST_YEAR <= found.year < _LAST_YEAR else None


@dataclass(frozen=True)
class CalendarParams:
    """The URL parameters of the calendar, parsed."""

    day: dt.date
    view: str = DAYS
    # Whether the URL names a view. Without one, a phone shows its own layout.
    is_chosen: bool = False
    provider: str = ""
    service: str = ""
    status: str = ""
    payment: str = ""

    @classmethod
    def of(cls, query: Mapping[str, Any], today: dt.date) -> CalendarParams:
        """Invalid values count as missing."""
        given = {name: str(query.get(name, "")).strip() for name in FILTERS}
        view, status, payment = str(query.get("view", "")), given["status"], given["payment"]
        return cls(
            read_day(str(query.get("day", ""))) or today,
            view if view in VIEWS else DAYS,
            view in VIEWS,
            provider=given["provider"][:MAX_ID],
            service=given["service"][:MAX_ID],
            status=status if status in {*Status, ALL_STATUSES} else "",
            payment=payment if payment in set(Payment) else "",
        )

    @property
    def filter(self) -> BookingFilter:
        status = "" if self.status == ALL_STATUSES else self.status
        return BookingFilter(provider=self.provider, service=self.service, status=status, payment=self.payment)

    @property
    def is_filtered(self) -> bool:
        return any(getattr(self, name) for name in FILTERS)

    @property
    def hides_cancelled(self) -> bool:
        return not self.status

    def matches(self, booking: Booking) -> bool:
        """Whether a booking passes the filters."""
        if self.hides_cancelled and booking.status == Status.CANCELLED:
            return False
        paid = booking.payment_status or Payment.NONE.value
        return (
            (not self.provider or booking.provider == self.provider)
            and (not self.service or booking.service_id == self.service)
            and (not self.filter.status or booking.status == self.filter.status)
            and (not self.payment or paid == self.payment)
        )

    @property
    def days(self) -> list[dt.date]:
        """The days that are shown: one, or a week from Monday."""
        if self.view != WEEK:
            return [self.day]
        monday = self.day - self.day.weekday() * DAY
        return [monday + count * DAY for count in range(7)]

    def query(self, **changes: Any) -> str:
        """The query string, with changes."""
        values = {"view": self.view if self.is_chosen else "", "day": self.day.isoformat()}
        values |= {name: getattr(self, name) for name in FILTERS} | {name: str(each) for name, each in changes.items()}
        query = urlencode({name: each for name, each in values.items() if each})
        return f"?{query}" if query else ""

    @property
    def new_booking_values(self) -> dict[str, str]:
        """The initial values of the form for a new booking."""
        values = {"day": self.day.isoformat(), "provider": self.provider, "service": self.service}
        return {name: each for name, each in values.items() if each}

    @property
    def step(self) -> dt.timedelta:
        return 7 * DAY if self.view == WEEK else DAY
