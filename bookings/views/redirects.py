"""Where a person goes after changing a booking, and the page for a time that is not free."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from django.http import HttpResponse
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _

from bookings.actions import BookingAction
from bookings.errors import SlotTaken, StartNotBookable
from bookings.items import Booking
from bookings.presenters import BookingLine
from bookings.search_hints import hint_query
from bookings.start_options import options_with_day
from dashboard.platform.accounts.middleware import Request
from dashboard.web.pages import page, referring_page, safe_next

CALENDAR, BOOKING = "bookings", "booking"
# Pages that a redirect may return to.
READABLE = {CALENDAR, BOOKING, "customer"}


def booking_path(business: str, booking_id: str, act: str = "") -> str:
    """The URL of a booking. An outside writer's id may contain a slash."""
    return f"{reverse(CALENDAR, args=[business])}{quote(booking_id, safe='')}/{act}"


def undo_form(business: str, booking: Booking, action: BookingAction) -> tuple[str, dict[str, Any]] | None:
    """Where Undo of an action posts, and what; None if there is no inverse."""
    undo = action.undo(booking.outcome.result)
    if undo is None:
        return None
    inverse, inputs = undo
    return booking_path(business, booking.id, inverse.path), inputs | {"revision": booking.revision}


def back_to(request: Request, business: str, booking: Booking) -> str:
    """The previous page. The calendar gets `just`, because its index may lag."""
    url = safe_next(request, referring_page(request))
    address = urlsplit(url)
    try:
        found = resolve(address.path)
        name = found.url_name if found.kwargs.get("business") == business else None
    except Resolver404:
        name = None
    if name not in READABLE:
        return booking_path(business, booking.id)
    return with_just(url, booking) if name == CALENDAR else url


def with_just(url: str, booking: Booking) -> str:
    """The calendar at this booking."""
    address = urlsplit(url)
    query = [(name, value) for name, value in parse_qsl(address.query) if name not in {"just", "cursor", "shown"}]
    just = f"{booking.provider}/{booking.start_key}/{booking.id}"
    return f"{address.path}?{urlencode([*query, ('just', just)])}#b-{quote(booking.id, safe='')}"


def slot_conflict_page(
    request: Request,
    business: str,
    error: SlotTaken | StartNotBookable,
    *,
    url: str = "",
    fields: dict[str, Any] | None = None,
    title: str = "",
    line: BookingLine | None = None,
    rebook_url: str = "",
) -> HttpResponse:
    """A page with what blocks the time and the next free starts; each button sends the same form."""
    context = {
        "title": title or (_("This time is taken") if isinstance(error, SlotTaken) else _("This time is not free")),
        "conflict": describe_conflict(business, error),
        # The booking that was not moved.
        "line": line,
        # The form for another time.
        "rebook_url": rebook_url,
        "url": url,
        "fields": {name: value for name, value in (fields or {}).items() if name not in {"start", "start_at"}},
        "alternatives": options_with_day(error.alternatives, error.zone) if url else [],
        "back_url": referring_page(request),
        "tab": "calendar",
    }
    return page(request, "bookings/slot_conflict.html", context, status=error.status)


def describe_conflict(business: str, error: SlotTaken | StartNotBookable) -> dict[str, Any]:
    """The template's values for a start that is not free."""
    booking = error.item if isinstance(error, SlotTaken) else None
    return {
        "text": str(error.text),
        "is_taken": isinstance(error, SlotTaken),
        "booking": booking,
        "url": booking_path(business, booking.id) + hint_query(booking) if booking is not None else "",
    }
