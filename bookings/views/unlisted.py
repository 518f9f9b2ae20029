"""The page of a booking that cannot be found by its id alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from bookings.items import Booking, Provider
from bookings.queries import bookings as queries
from bookings.search_hints import hint_of, search_query
from dashboard.platform.accounts.middleware import Request
from dashboard.web.pages import page

View = Callable[..., HttpResponse]


def load_booking(
    request: Request, business: str, booking_id: str, *other_reads: Callable[[], Any]
) -> tuple[Booking, list[Provider], list[Any]]:
    """The booking with other reads in the same trip, with the hint of the URL.

    After a POST the booking is searched in another trip, so that the input is not lost.
    """
    try:
        return queries.load_booking_with(business, booking_id, *other_reads, hint=hint_of(request.GET))
    except queries.UnlistedBooking as error:
        if request.method != "POST":
            raise
        hint = queries.SearchHint(providers=tuple(error.providers))
        return queries.load_booking_with(business, booking_id, *other_reads, hint=hint)


def offering_search(view: View) -> View:
    """A page for bookings that answers 404 with a link: the search is a request of its own."""

    @wraps(view)
    def with_search(request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except queries.UnlistedBooking as error:
            context = {
                "text": _("No booking with this id is known."),
                "next": _("If another service has just written it, it can be found among the latest bookings."),
                "back": f"{request.path}{search_query(error.providers)}",
                "back_label": _("Search the latest bookings"),
            }
            return page(request, "404.html", context, partial="error", status=error.status)

    return with_search
