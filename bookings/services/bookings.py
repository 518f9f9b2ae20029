"""Create bookings. Moves are in `reschedule`, decisions on a booking in `decisions`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from django.utils.translation import gettext_lazy as _

from bookings.items import Booking, BookingRef, Customer, Service
from bookings.items.bookings import ONLINE
from bookings.queries import booking_state
from bookings.services import booking_writes, catalog_items
from bookings.services.bookable import ensure_bookable, ensure_offers, mark_booked
from bookings.services.conversation_bookings import link_conversation
from bookings.services.decisions import cancel, confirm, lapse, no_show, pay, restore, unconfirm
from bookings.services.duplicates import ensure_no_duplicates, new_customer_item
from bookings.services.holds import hold_for_visitor
from bookings.services.ledger import Ledger
from bookings.services.reschedule import check_movable, reschedule
from bookings.slots import Rules, SlotLength
from bookings.states import Payment, Status
from dashboard.core.clock import now
from dashboard.core.errors import Refused, StaleRevision
from dashboard.core.ids import new_id
from dashboard.core.locks import queue_up
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent

__all__ = [
    "cancel",
    "check_movable",
    "confirm",
    "create",
    "lapse",
    "no_show",
    "pay",
    "reschedule",
    "restore",
    "unconfirm",
]

MAX_NOTE_LENGTH = 1000
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class BookingRequest:
    """The booking that a person asks for."""

    service_id: str
    provider_id: str
    start: datetime
    customer_id: str
    status: Status
    lapses_at: datetime | None
    note: str
    rules: Rules
    # The values of a new customer, who is created with the booking.
    new_customer: Mapping[str, str] | None = None
    # The possible duplicates that the person accepts. None: they are not searched.
    accepts: str | None = None
    # The conversation that the booking results from. Empty for others.
    conversation_id: str = ""
    # The e-mail of the visitor who books online. Empty for others.
    visitor: str = ""


def create(
    business: str,
    service_id: str,
    provider_id: str,
    start: datetime,
    customer_id: str,
    *,
    lapses_at: datetime | None = None,
    status: Status = Status.CONFIRMED,
    note: str = "",
    rules: Rules | None = None,
    new_customer: Mapping[str, str] | None = None,
    accepts: str | None = None,
    conversation_id: str = "",
    visitor: str = "",
    command: Command,
) -> Booking:
    """Create a booking if its start time is free. A PENDING booking keeps its time until `lapses_at`, if it is set.

    The conversation that it results from gets its id in the same transaction. A new customer is created in the same
    transaction. With `accepts`, possible duplicates other than those that it names are refused. A visitor has one
    booking at a time that is still to be confirmed.
    """
    deadline = lapses_at if status == Status.PENDING else None
    if deadline is not None and deadline <= now():
        raise Refused(_("This is in the past."), field="lapses_at")
    start_utc = start.astimezone(UTC).replace(microsecond=0)
    booking_request = BookingRequest(
        service_id=service_id,
        provider_id=provider_id,
        start=start_utc,
        customer_id=customer_id,
        status=status,
        lapses_at=deadline,
        note=note.strip()[:MAX_NOTE_LENGTH],
        rules=rules or Rules(now()),
        new_customer=new_customer,
        accepts=accepts,
        conversation_id=conversation_id,
        visitor=visitor,
    )
    return booking_writes.load_booking(business, _create(business, booking_request, command=command))


@idempotent
def _create(business: str, booking_request: BookingRequest, *, command: Command) -> BookingRef:
    booking_id, customer_id = new_id(), booking_request.customer_id or new_id()
    booking_request = replace(booking_request, customer_id=customer_id)
    return booking_writes.retry_while_busy(lambda: _try_create(business, booking_id, booking_request, command))


def _try_create(business: str, booking_id: str, booking_request: BookingRequest, command: Command) -> BookingRef:
    provider_id, service_id, start = booking_request.provider_id, booking_request.service_id, booking_request.start
    parties = booking_state.load_booking_parties(
        business, provider=provider_id, service=service_id, customer=booking_request.customer_id
    )
    service, slot_length = ensure_bookable(parties.service)
    provider = ensure_offers(parties.provider, service_id)
    customer = parties.customer
    if booking_request.new_customer is not None:
        customer = new_customer_item(business, booking_request.customer_id, booking_request.new_customer)
    if customer is None:
        raise Refused(_("This customer does not exist. Choose another."), field="customer")
    with queue_up((business, provider_id)):
        schedule = booking_state.load_schedule(business, hours_of=provider_id, around=[(provider_id, start)])
        hours = booking_state.hours_of_provider(provider, schedule.availabilities, parties.business)
        ledger = Ledger(business, schedule.days)
        ledger.ensure_free(provider_id, slot_length, start, booking_request.rules, hours)
        if booking_request.accepts is not None:
            span, is_new = slot_length.span(start), booking_request.new_customer is not None
            ensure_no_duplicates(business, customer, span, is_new=is_new, accepts=booking_request.accepts)
        booking = _build_booking(business, booking_id, booking_request, service, slot_length, customer)
        booking.provider_name = provider.name or None
        ledger.put(booking)
        transaction = Transaction(command)
        transaction.create(booking, on_failure=StaleRevision)
        if booking_request.new_customer is not None:
            transaction.create(customer, on_failure=StaleRevision)
            catalog_items.record_change(transaction, "create", customer, None, catalog_items.audit_values(customer))
        ref = BookingRef.new(tenant=business, booking=booking_id)
        booking_writes.write_pointer(transaction, ref, booking, is_new_pointer=True)
        mark_booked(transaction, provider)
        ledger.write(transaction)
        booking_writes.record_change(transaction, business, "booking.create", booking, {})
        if booking_request.conversation_id:
            link_conversation(transaction, business, booking)
        if booking_request.visitor and booking.status == Status.PENDING:
            hold_for_visitor(transaction, business, booking_request.visitor, booking)
        return transaction.commit(ref)


def _build_booking(
    business: str,
    booking_id: str,
    booking_request: BookingRequest,
    service: Service,
    slot_length: SlotLength,
    customer: Customer,
) -> Booking:
    booking = Booking.new(
        tenant=business, provider=booking_request.provider_id, start=booking_request.start, booking=booking_id
    )
    booking.booking_id, booking.business_id, booking.provider_id = booking_id, business, booking_request.provider_id
    booking.service_id, booking.customer_id = booking_request.service_id, booking_request.customer_id
    booking.start_time, booking.end_time = booking_request.start, booking_request.start + slot_length.duration
    booking.buffer_before = slot_length.buffer_before // MINUTE
    booking.buffer_after = slot_length.buffer_after // MINUTE
    booking.status, booking.payment_status = booking_request.status, Payment.NONE
    booking.conversation_id = booking_request.conversation_id or None
    booking.lapses_at, booking.note = booking_request.lapses_at, booking_request.note or None
    booking.customer_name, booking.service_name = customer.name or None, service.name or None
    booking.price, booking.currency = service.price, service.currency or None
    booking.channel = ONLINE if booking_request.visitor else None
    return booking
