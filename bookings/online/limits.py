"""How many pages visitors open, and how often they book."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest

from dashboard.core.errors import TooMany
from dashboard.platform.accounts import throttle
from dashboard.platform.accounts.requests import address, network
from dashboard.table import oplog

if TYPE_CHECKING:
    from bookings.online.visits import Visit

MINUTE, HOUR = 60, 3600
# Pages per minute and bookings per hour of one network, and bookings per minute of all visitors of a business.
MAX_PAGES, MAX_BOOKINGS, MAX_BOOKINGS_OF_ALL = 300, 20, 60


def count_page(request: HttpRequest) -> throttle.ThrottleCount:
    """Count a page of the visitor's network."""
    with oplog.attributed_to(f"{__name__}.count_page"):
        return throttle.add_try(f"online pages from {network(address(request))}", seconds=MINUTE)


def has_room(tally: throttle.ThrottleCount) -> bool:
    return tally.tries <= MAX_PAGES


def ensure_few_pages(tally: throttle.ThrottleCount) -> None:
    if not has_room(tally):
        raise TooMany(tally.seconds_left)


def count_booking(request: HttpRequest, visit: Visit) -> None:
    """Refuse visitors who book too often, and a business that is booked too often at once."""
    source, business = network(address(request)), visit.business.id
    throttle.count_or_refuse(f"online bookings of {business} from {source}", limit=MAX_BOOKINGS, seconds=HOUR)
    throttle.count_or_refuse(f"online bookings of {business}", limit=MAX_BOOKINGS_OF_ALL, seconds=MINUTE)
    if visit.key is not None:
        name = f"online bookings of {business} with {visit.key.id}"
        throttle.count_or_refuse(name, limit=visit.key.limit, seconds=MINUTE)
