"""What a visitor has chosen so far, in the address of the page."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.http import HttpRequest

from bookings.items import Provider, Service
from bookings.online.catalog import ANYONE
from bookings.params import MAX_ID, read_day
from bookings.rules import MAX_DAYS
from bookings.start_options import moment_of
from dashboard.core.errors import NotFound


def shown_day(asked: str, today: dt.date) -> dt.date:
    """The first day of the week that is shown; today where none or a past one was asked for."""
    return min(max(read_day(asked) or today, today), today + timedelta(days=MAX_DAYS))


@dataclass(frozen=True)
class VisitorChoice:
    """What the visitor has chosen so far, from the address."""

    service: str
    provider: str
    start: str
    # The first day of the week that is shown.
    day: str

    @classmethod
    def of(cls, request: HttpRequest) -> VisitorChoice:
        return cls(*(request.GET.get(name, "")[:MAX_ID] for name in ("service", "provider", "start", "day")))

    @property
    def shows_times(self) -> bool:
        return bool(self.service and self.provider and not self.start)

    def first_day(self, today: dt.date) -> dt.date:
        return shown_day(self.day, today)


@dataclass(frozen=True)
class Selection:
    """A service, and the staff members who may be booked for it."""

    choice: VisitorChoice
    service: Service
    staff: list[Provider]
    # Whether others offer the service too.
    has_choice_of_staff: bool

    @property
    def params(self) -> dict[str, str]:
        return {"service": self.service.id, "provider": self.choice.provider}

    @property
    def staff_name(self) -> str:
        return "" if self.choice.provider == ANYONE else self.staff[0].title

    def start_in(self, zone: ZoneInfo) -> datetime:
        start = moment_of(self.choice.start, zone)
        if start is None:
            raise NotFound
        return start
