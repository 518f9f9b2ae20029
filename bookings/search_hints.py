"""Addresses of a booking that cannot be found by its id alone yet: they say where it is, or where to search."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote, urlencode

from django.http import QueryDict

from bookings.items import Booking
from bookings.queries.unlisted_bookings import MAX_PROVIDERS_SEARCHED, SearchHint

# The provider and the start in the key; the providers to search.
KEY, PROVIDERS = "at", "among"
MAX_PART = 200


def path_of(booking: Booking) -> str:
    """Its page, below that of the calendar. An outside writer's id may contain a slash."""
    path = f"{quote(booking.id, safe='')}/"
    # One round trip finds any other booking.
    return path if booking.is_listed else f"{path}{hint_query(booking)}"


def hint_query(booking: Booking) -> str:
    return "" if booking.is_listed else f"?{urlencode({KEY: f'{booking.provider}/{booking.start_key}'})}"


def search_query(providers: Sequence[str]) -> str:
    return f"?{urlencode({PROVIDERS: list(providers)}, doseq=True)}"


def hint_of(query: QueryDict) -> SearchHint:
    provider, _slash, start = query.get(KEY, "")[: 2 * MAX_PART].rpartition("/")
    key = (provider, start) if provider and start else None
    return SearchHint(key, tuple(each[:MAX_PART] for each in query.getlist(PROVIDERS)[:MAX_PROVIDERS_SEARCHED]))
