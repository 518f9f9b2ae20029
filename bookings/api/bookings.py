"""Endpoints of bookings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from bookings.api.bodies import (
    BookingBody,
    BookingPage,
    CustomerInput,
    Line,
    Note,
    booking_body,
    customer_values,
)
from bookings.api.slots import ANY, YEARS
from bookings.errors import SlotTaken, StartNotBookable
from bookings.items import Booking
from bookings.queries import bookings as queries
from bookings.queries import customers as customer_queries
from bookings.queries.bookings import BookingFilter
from bookings.queries.conversations import find_thread
from bookings.queries.providers import providers_of, sort_by_name
from bookings.rules import rules_of
from bookings.services import bookings as services
from bookings.states import Status
from dashboard.core.clock import now
from dashboard.core.errors import NotFound
from dashboard.platform.apikeys.calls import ApiCall
from dashboard.table.timestamps import to_wire
from dashboard.web.api.endpoints import Scope, endpoint
from dashboard.web.api.messages import Id, Input, Moment, PageQuery, described
from dashboard.web.api.problems import ApiError, declare_problem

TAKEN = declare_problem("slot_taken", 409, "Another booking takes this time.")
NOT_BOOKABLE = declare_problem("not_bookable", 422, "This start cannot be booked.")
TIMES = (TAKEN, NOT_BOOKABLE)
Status_ = Literal["PENDING", "CONFIRMED", "CANCELLED", "NO_SHOW"]


class BookingsQuery(PageQuery, frozen=True):
    since: Moment | None = msgspec.field(name="from", default=None)
    provider: Annotated[str, msgspec.Meta(max_length=200)] = ""
    service: Annotated[str, msgspec.Meta(max_length=200)] = ""
    status: Status_ | None = None


class NewBooking(Input, frozen=True):
    service: Id
    start: Moment
    provider: Id = ANY
    customer: Annotated[CustomerInput | None, described("Either of the two. Public keys send `customer`.")] = None
    customer_id: Id | None = None
    note: Note = ""
    status: Literal["PENDING", "CONFIRMED"] = "CONFIRMED"
    lapses_at: Annotated[Moment | None, described("A PENDING booking keeps its time until then.")] = None
    conversation: Annotated[
        Id | None,
        described(
            "The conversation that the booking results from; it gets the booking. The key needs the scope `chat`."
        ),
    ] = None


class Cancellation(Input, frozen=True):
    reason: Line = ""


class Move(Input, frozen=True):
    start: Moment
    provider: Annotated[Id | None, described("The staff member of the booking where it is missing.")] = None


@endpoint("GET", "bookings", scope=Scope.READ, summary=_("Bookings in order of time"))
def bookings(call: ApiCall, query: BookingsQuery) -> BookingPage:
    since = checked_moment(query.since, "from") if query.since else None
    filters = (query.provider, query.service, query.status or "", to_wire(since) if since else "")
    found = queries.agenda(
        call.tenant,
        BookingFilter(query.provider, query.service, query.status or ""),
        since=since,
        start_key=call.start_key(query, *filters),
        limit=query.limit,
    )
    return BookingPage([booking_body(each) for each in found.items], call.cursor(found.next_start_key, *filters))


@endpoint("GET", "bookings/<str:booking>", scope=Scope.READ, has_etag=True, summary=_("A booking"))
def booking(call: ApiCall, booking: str) -> BookingBody:
    return _answer(call, queries.load_booking(call.tenant, booking))


@endpoint(
    "POST",
    "bookings",
    scope=Scope.BOOK,
    public_keys=True,
    status=201,
    has_etag=True,
    errors=TIMES,
    cost=4,
    summary=_("Book a service with a staff member or with anyone"),
)
def create_booking(call: ApiCall, body: NewBooking) -> BookingBody:
    start = checked_moment(body.start, "start")
    lapses_at = checked_moment(body.lapses_at, "lapsesAt") if body.lapses_at else None
    conversation = _conversation(call, body)
    customer_id, new_customer = _customer(call, body)
    providers = [body.provider] if body.provider != ANY else _providers_of(call, body.service)
    refusal: ApiError | None = None
    for provider in providers:
        try:
            with answering_times():
                created = services.create(
                    call.tenant,
                    body.service,
                    provider,
                    start,
                    customer_id,
                    lapses_at=lapses_at,
                    status=Status(body.status),
                    note=body.note,
                    rules=rules_of(call.business, now()),
                    new_customer=new_customer,
                    conversation_id=conversation,
                    command=call.command,
                )
        except ApiError as error:
            refusal = refusal or error
        else:
            return _answer(call, created)
    raise refusal or ApiError("not_bookable", "Nobody offers this service.")


@endpoint(
    "POST",
    "bookings/<str:booking>/confirm",
    scope=Scope.BOOK,
    has_etag=True,
    needs_revision=True,
    errors=(TAKEN,),
    cost=3,
    summary=_("Confirm a booking"),
)
def confirm_booking(call: ApiCall, booking: str) -> BookingBody:
    with answering_times():
        return _answer(call, services.confirm(call.tenant, booking, revision=call.revision, command=call.command))


@endpoint(
    "POST",
    "bookings/<str:booking>/cancel",
    scope=Scope.BOOK,
    has_etag=True,
    needs_revision=True,
    cost=3,
    summary=_("Cancel a booking"),
)
def cancel_booking(call: ApiCall, booking: str, body: Cancellation) -> BookingBody:
    changed = services.cancel(call.tenant, booking, revision=call.revision, reason=body.reason, command=call.command)
    return _answer(call, changed)


@endpoint(
    "POST",
    "bookings/<str:booking>/reschedule",
    scope=Scope.BOOK,
    has_etag=True,
    needs_revision=True,
    errors=TIMES,
    cost=4,
    summary=_("Move a booking to another time or another staff member"),
)
def reschedule_booking(call: ApiCall, booking: str, body: Move) -> BookingBody:
    start = checked_moment(body.start, "start")
    provider = body.provider or queries.load_booking(call.tenant, booking).provider
    with answering_times():
        moved = services.reschedule(
            call.tenant,
            booking,
            provider=provider,
            start=start,
            revision=call.revision,
            rules=rules_of(call.business, now()),
            command=call.command,
        )
    return _answer(call, moved)


@contextmanager
def answering_times() -> Iterator[None]:
    """Name the next free starts where a start is not free. Never the customer who has the time."""
    try:
        yield
    except SlotTaken as error:
        raise ApiError(TAKEN, more=_alternatives(error)) from error
    except StartNotBookable as error:
        with translation.override("en"):
            text = str(error.text)
        reason = {"reason": error.verdict.reason.value} if error.verdict.reason else {}
        raise ApiError(NOT_BOOKABLE, text, reason | _alternatives(error)) from error


def _alternatives(error: SlotTaken | StartNotBookable) -> dict[str, Any]:
    return {"alternatives": [to_wire(each) for each in error.alternatives]}


def checked_moment(moment: datetime, field: str) -> datetime:
    if moment.year not in YEARS:
        raise ApiError("invalid", "This year is too far away.", {"field": field})
    return moment


def _customer(call: ApiCall, body: NewBooking) -> tuple[str, dict[str, Any] | None]:
    """The id of a known customer, or the values of a new one. A known e-mail is a known customer."""
    if (body.customer is None) == (body.customer_id is None):
        raise ApiError("invalid", "Send either customer or customerId.", {"field": "customer"})
    if body.customer_id is not None:
        if call.key.is_public:
            raise ApiError("invalid", "A public key sends customer.", {"field": "customerId"})
        return body.customer_id, None
    assert body.customer is not None
    values = customer_values(body.customer)
    known = customer_queries.customers_by_email(call.tenant, values["email"])
    return (known[0].id, None) if len(known) == 1 else ("", values)


def _conversation(call: ApiCall, body: NewBooking) -> str:
    """The id of the conversation; empty without one."""
    if body.conversation is None:
        return ""
    if Scope.CHAT not in call.key.scopes:
        raise ApiError("key_not_allowed", "Naming a conversation needs a secret key with the scope “chat”.")
    if find_thread(call.tenant, body.conversation) is None:
        raise ApiError("invalid", "There is no such conversation.", {"field": "conversation"})
    return body.conversation


def _providers_of(call: ApiCall, service: str) -> list[str]:
    found = [each for each in providers_of(call.tenant).items if each.is_active and service in each.service_ids]
    return [each.id for each in sort_by_name(found)]


def _answer(call: ApiCall, booking: Booking) -> BookingBody:
    if booking.business_id not in (None, call.tenant):
        raise NotFound
    call.answer_revision = booking.revision
    return booking_body(booking, with_customer=not call.key.is_public)
