"""The endpoint of slots: the starts at which a service can be booked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated, Any

import msgspec
from django.utils.translation import gettext_lazy as _

from bookings.hours import DAY, Hours, Span, hours_of
from bookings.items import Service
from bookings.queries import bookings as booking_queries
from bookings.queries import calendar
from bookings.queries.booking_state import provider_and_hours
from bookings.queries.services import find_service
from bookings.rules import rules_of
from bookings.slots import SlotLength, TakenTime, UnavailableReason, check_start, free_starts, offered_starts
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.apikeys.calls import ApiCall
from dashboard.web.api.endpoints import Scope, endpoint
from dashboard.web.api.messages import Id, Input, Message, Moment, described
from dashboard.web.api.problems import ApiError

ANY = "any"
# How many days one request covers, of one staff member and of all.
MAX_DAYS, MAX_DAYS_OF_ALL = 31, 7
YEARS = range(2000, 2200)


class SlotsQuery(Input, frozen=True):
    service: Id
    since: Moment = msgspec.field(name="from")
    until: Moment = msgspec.field(name="to")
    provider: Id = ANY
    reasons: bool = False


class Slot(Message):
    start: Moment
    end: Moment
    provider: str


class UnavailableStart(Message):
    start: Moment
    provider: str
    reason: UnavailableReason


class Slots(Message):
    slots: list[Slot]
    unavailable: Annotated[list[UnavailableStart], described("Empty unless `reasons=true`.")]


@dataclass(frozen=True)
class Candidate:
    """A staff member who offers the service, and what takes their time."""

    provider: str
    hours: Hours
    taken: list[TakenTime]


def slot_reads(tenant: str, query: SlotsQuery) -> list[Callable[[], Any]]:
    """The reads for `candidates`. They run in the same trip as the check of the key."""
    span = period(query)
    if query.provider == ANY:
        return calendar.days_reads(tenant, span)
    return [
        partial(find_service, tenant, query.service),
        partial(provider_and_hours, tenant, query.provider),
        partial(booking_queries.bookings_taking_time, tenant, query.provider, span.start, span.end + DAY),
    ]


def period(query: SlotsQuery) -> Span:
    if query.since.year not in YEARS or query.until.year not in YEARS:
        raise ApiError("invalid", "This year is too far away.", {"field": "from"})
    span = Span(query.since.astimezone(UTC), query.until.astimezone(UTC))
    most = MAX_DAYS_OF_ALL if query.provider == ANY else MAX_DAYS
    if not timedelta() < span.end - span.start <= most * DAY:
        raise ApiError("invalid", f"Ask for up to {most} days, and for an end after the start.", {"field": "to"})
    return span


@endpoint(
    "GET",
    "slots",
    scope=Scope.READ,
    public_keys=True,
    summary=_("The starts at which a service can be booked, with one staff member or with anyone"),
    cost=0,
    prefetch=slot_reads,
)
def slots(call: ApiCall, query: SlotsQuery) -> Slots:
    span, answers = period(query), call.read()
    if query.provider == ANY:
        service, found = _candidates_of_all(call, query, span, answers)
    else:
        service, found = _one_candidate(query, answers)
    slot_length = service.slot_length if service is not None and service.is_active else None
    if service is None or slot_length is None:
        raise NotFound
    rules = rules_of(call.business, now())
    free, unavailable = list[Slot](), list[UnavailableStart]()
    for each in found:
        for day in _days(each.hours, span):
            if not query.reasons:
                starts = free_starts(each.hours, day, slot_length, each.taken, rules)
                free += [_slot(each, start, slot_length) for start in starts if span.contains(start)]
                continue
            for start in filter(span.contains, offered_starts(each.hours, day, rules.step)):
                reason = check_start(each.hours, start, slot_length, each.taken, rules).reason
                if reason is None:
                    free.append(_slot(each, start, slot_length))
                else:
                    unavailable.append(UnavailableStart(start, each.provider, reason))
    return Slots(
        sorted(free, key=lambda each: (each.start, each.provider)),
        sorted(unavailable, key=lambda each: (each.start, each.provider)),
    )


def _one_candidate(query: SlotsQuery, answers: list[Any]) -> tuple[Service | None, list[Candidate]]:
    service, (provider, hours), booked = answers
    if not provider.is_active:
        raise NotFound
    taken = [each.taken for each in booked if each.taken is not None]
    offers = query.service in provider.service_ids
    return service, [Candidate(provider.id, hours, taken)] if offers else []


def _candidates_of_all(
    call: ApiCall, query: SlotsQuery, span: Span, answers: list[Any]
) -> tuple[Service | None, list[Candidate]]:
    days = calendar.days_from(answers, span)
    service = next((each for each in days.services if each.id == query.service), None)
    found = [
        Candidate(
            each.id,
            hours_of(each.zone(call.business.timezone), days.hours.get(each.id, [])),
            [booking.taken for booking in days.of(each.id) if booking.taken is not None],
        )
        for each in days.providers
        if each.is_active and query.service in each.service_ids
    ]
    return service, found


def _days(hours: Hours, span: Span) -> Iterator[Any]:
    day, last = hours.date_of(span.start), hours.date_of(span.end)
    while day <= last:
        yield day
        day += DAY


def _slot(candidate: Candidate, start: datetime, slot_length: SlotLength) -> Slot:
    return Slot(start, start + slot_length.duration, candidate.provider)
