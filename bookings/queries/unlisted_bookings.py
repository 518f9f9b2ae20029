"""Queries for bookings that outside writers have written and the stream follower has not repaired yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.utils.translation import gettext_lazy as _

from bookings.items import Booking, Provider
from bookings.queries.providers import providers_of
from dashboard.core.errors import NotFound
from dashboard.core.ids import is_our_id
from dashboard.table import keys, read
from dashboard.table.keypattern import BadKey
from dashboard.table.registry import access_pattern

# A booking without index keys is searched among the latest bookings of this many providers.
MAX_PROVIDERS_SEARCHED = 20
SEARCHED_IN_PART = _(
    "No booking with this id was found among the latest ones. If another service has just written it, "
    "try again in a few seconds."
)


@dataclass(frozen=True)
class SearchHint:
    """Where a page looks for a booking that neither its pointer nor the index shows."""

    # The provider and the start in its key.
    key: tuple[str, str] | None = None
    # Otherwise among the latest bookings of these providers.
    providers: tuple[str, ...] = ()

    def reads(self, business: str, booking_id: str) -> list[Callable[[], Any]]:
        if self.key is not None:
            return [partial(find_at, business, *self.key, booking_id)]
        return _searches(business, booking_id, self.providers)

    def not_found(self, booking_id: str, providers: Sequence[Provider], answers: Sequence[Any]) -> NotFound:
        """The error if none of the reads has found the booking."""
        if is_our_id(booking_id) or not providers:
            return NotFound()
        if not self.providers:
            return UnlistedBooking([each.id for each in providers[:MAX_PROVIDERS_SEARCHED]])
        is_complete = len(providers) <= len(answers) and not any(page.next_start_key for page in answers)
        return NotFound(None if is_complete else SEARCHED_IN_PART)


class UnlistedBooking(NotFound):
    """Neither the pointer nor the index of the booking exists. These providers may have it."""

    def __init__(self, providers: Sequence[str]) -> None:
        super().__init__()
        self.providers = providers


def load_unlisted(business: str, booking_id: str, providers: Sequence[Provider] | None = None) -> Booking:
    """A booking that neither its pointer nor the index shows. One of ours always has a pointer."""
    if is_our_id(booking_id):
        raise NotFound
    known = providers_of(business).items if providers is None else providers
    found, is_complete = find_unlisted(business, booking_id, known)
    if found is None:
        raise NotFound(None if is_complete else SEARCHED_IN_PART)
    return found


def find_unlisted(business: str, booking_id: str, providers: Sequence[Provider]) -> tuple[Booking | None, bool]:
    """Search the 250 latest bookings of each of the first providers, and return whether these are all bookings.

    An outside writer has written it, and the stream follower has not added its index keys yet.
    """
    searches = _searches(business, booking_id, [each.id for each in providers])
    pages = read.gather_all(searches) if searches else []
    is_complete = len(providers) <= MAX_PROVIDERS_SEARCHED and not any(page.next_start_key for page in pages)
    return found_in(pages, booking_id), is_complete


def _searches(business: str, booking_id: str, providers: Sequence[str]) -> list[Callable[[], Any]]:
    return [partial(latest_bookings, business, each, booking_id) for each in providers[:MAX_PROVIDERS_SEARCHED]]


@access_pattern("Is a booking with this id among the latest ones of this provider?", keys.BOOKING, partition=True)
def latest_bookings(business: str, provider: str, booking_id: str) -> read.FilteredPage[Booking]:
    """Outside writers may leave out the attribute with the id: the caller compares the keys."""
    keep = (Booking.booking_id == booking_id) | Booking.booking_id.does_not_exist()
    try:
        partition = keys.BOOKING.collection(tenant=business, provider=provider)
    except BadKey:
        return read.FilteredPage([])
    return read.filter_page(partition, Booking, keep, newest_first=True, max_requests=1)


@access_pattern("Which booking has this provider, start and id?", keys.BOOKING)
def find_at(business: str, provider: str, start: str, booking_id: str) -> Booking | None:
    try:
        return read.get(Booking, keys.BOOKING.key(tenant=business, provider=provider, start=start, booking=booking_id))
    except BadKey:
        return None


def found_in(answers: Sequence[Any], booking_id: str) -> Booking | None:
    """The booking among the answers of `find_at` and of searches."""
    found = [each for answer in answers for each in (answer.items if isinstance(answer, read.Page) else [answer])]
    return next((each for each in found if each is not None and each.id == booking_id), None)
