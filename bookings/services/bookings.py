"""Create and move bookings. Decisions on a booking are in `decisions`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from bookings.actions import RESCHEDULE
from bookings.items import Booking, BookingRef, Customer, Provider, Service
from bookings.queries import booking_state
from bookings.services import booking_writes
from bookings.services.decisions import cancel, confirm, lapse, no_show, pay, provider_and_start, restore, unconfirm
from bookings.services.ledger import Ledger
from bookings.services.locks import provider_lock
from bookings.services.schedule import schedule_unchanged
from bookings.slots import Rules, SlotLength
from bookings.states import Payment, Status
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.core.ids import new_id
from dashboard.table import schema
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent, report_unchanged

__all__ = ["cancel", "confirm", "create", "lapse", "no_show", "pay", "reschedule", "restore", "unconfirm"]

MAX_NOTE_LENGTH = 1000
MINUTE = timedelta(minutes=1)
# Attributes that place an item in the table and its indexes.
_KEY_ATTRIBUTES = {schema.PK, schema.SK} | {name for index in schema.INDEXES for name in (index.pk, index.sk) if name}


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
    command: Command,
) -> Booking:
    """Create a booking if its start time is free. A PENDING booking keeps its time until `lapses_at`, if it is set."""
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
    )
    return booking_writes.load_booking(business, _create(business, booking_request, command=command))


@idempotent
def _create(business: str, booking_request: BookingRequest, *, command: Command) -> BookingRef:
    booking_id = new_id()
    return booking_writes.retry_while_busy(lambda: _try_create(business, booking_id, booking_request, command))


def _try_create(business: str, booking_id: str, booking_request: BookingRequest, command: Command) -> BookingRef:
    provider_id, service_id, start = booking_request.provider_id, booking_request.service_id, booking_request.start
    parties = booking_state.load_booking_parties(
        business, provider=provider_id, service=service_id, customer=booking_request.customer_id
    )
    service, slot_length = _ensure_bookable(parties.service)
    provider = _ensure_offers(parties.provider, service_id)
    if parties.customer is None:
        raise Refused(_("This customer does not exist. Choose another."), field="customer")
    with provider_lock(business, provider_id):
        schedule = booking_state.load_schedule(business, hours_of=provider_id, around=[(provider_id, start)])
        hours = booking_state.hours_of_provider(provider, schedule.availabilities, parties.business)
        ledger = Ledger(business, schedule.days)
        ledger.ensure_free(provider_id, slot_length, start, booking_request.rules, hours)
        booking = _build_booking(business, booking_id, booking_request, service, slot_length, parties.customer)
        booking.provider_name = provider.name or None
        ledger.put(booking)
        transaction = Transaction(command)
        transaction.create(booking, on_failure=StaleRevision)
        ref = BookingRef.new(tenant=business, booking=booking_id)
        booking_writes.write_pointer(transaction, ref, booking, is_new_pointer=True)
        _mark_booked(transaction, provider)
        ledger.write(transaction)
        booking_writes.record_change(transaction, business, "booking.create", booking, {})
        return transaction.commit(ref)


def _ensure_bookable(service: Service | None) -> tuple[Service, SlotLength]:
    if service is None:
        raise Refused(_("This service does not exist. Choose another."), field="service")
    if service.active is False:
        raise Refused(_("This service is no longer offered. Choose another."), field="service")
    slot_length = service.slot_length
    if slot_length is None:
        text = _("This service cannot be booked: its duration is missing, or with its buffers longer than a day.")
        raise Refused(text, field="service")
    return service, slot_length


def _ensure_offers(provider: Provider | None, service_id: str) -> Provider:
    if provider is None:
        raise Refused(_("This staff member does not exist. Choose another."), field="provider")
    if provider.active is False:
        raise Refused(_("This staff member can no longer be booked. Choose another."), field="provider")
    if service_id not in (provider.services or []):
        raise Refused(_("This staff member does not offer the service. Choose another."), field="provider")
    return provider


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
    booking.lapses_at, booking.note = booking_request.lapses_at, booking_request.note or None
    booking.customer_name, booking.service_name = customer.name or None, service.name or None
    booking.price, booking.currency = service.price, service.currency or None
    return booking


def _mark_booked(transaction: Transaction, provider: Provider) -> None:
    """Check that the provider is unchanged, and mark them as booked, so that a deletion at this moment is refused."""
    if provider.ever_booked:
        is_bookable_and_marked = cast(Condition, _still_bookable(provider) & (Provider.ever_booked == True))  # noqa: E712
        transaction.check(provider.key, is_bookable_and_marked, StaleRevision)
    else:
        transaction.update(provider.key, [Provider.ever_booked.set(True)], _still_bookable(provider), StaleRevision)


def _still_bookable(provider: Provider) -> Condition:
    """Return the condition that the hours are unchanged and the provider is active."""
    active = Provider.active.does_not_exist() | (Provider.active != False)  # noqa: E712
    return cast(Condition, schedule_unchanged(provider) & active)


# --- Moving --------------------------------------------------------------------------------------
def reschedule(
    business: str,
    booking_id: str,
    *,
    provider: str,
    start: datetime,
    revision: int,
    rules: Rules | None = None,
    command: Command,
) -> Booking:
    """Move a booking to another time, another provider, or both. Its id, length and history stay."""
    start_utc = start.astimezone(UTC).replace(microsecond=0)
    rules = rules or Rules(now())
    ref = _reschedule(business, booking_id, provider, start_utc, rules, revision=revision, command=command)
    return booking_writes.load_booking(business, ref)


@idempotent
def _reschedule(
    business: str, booking_id: str, provider_id: str, start: datetime, rules: Rules, *, revision: int, command: Command
) -> BookingRef:
    return booking_writes.retry_while_busy(
        lambda: _try_reschedule(business, booking_id, provider_id, start, rules, revision, command)
    )


def _try_reschedule(
    business: str, booking_id: str, new_provider_id: str, start: datetime, rules: Rules, revision: int, command: Command
) -> BookingRef:
    parties = booking_state.load_booking_parties(business, provider=new_provider_id, booking=booking_id)
    ref, key, is_new_pointer = booking_writes.locate(business, booking_id, parties.ref)
    provider_before, old_starts = provider_and_start(key)
    with provider_lock(business, provider_before, new_provider_id):
        starts = [*old_starts, (new_provider_id, start)]
        schedule = booking_state.load_schedule(business, hours_of=new_provider_id, around=starts, key=key)
        booking = booking_writes.ensure_found(business, ref, schedule.booking)
        if booking.revision != revision:
            raise Conflict(booking)
        check_movable(booking)
        previous = {"provider": booking.provider, "start": booking.start_key}
        if (booking.provider, booking.start_time) == (new_provider_id, start):
            ref.booking = booking
            return report_unchanged(ref, previous, command)
        provider = _ensure_offers(parties.provider, booking.service_id or "")
        hours = booking_state.hours_of_provider(provider, schedule.availabilities, parties.business)
        before, ledger = booking_writes.audit_values(booking), Ledger(business, schedule.days)
        if booking.taken is not None:
            ledger.open(booking.provider, booking.taken.span_with_buffers)
        ledger.ensure_free(new_provider_id, booking.slot_length, start, rules, hours, without=booking.id)
        ledger.drop(booking.provider, booking.id)
        moved = _copy_to(booking, business, provider, start)
        ledger.put(moved)
        transaction = Transaction(command)
        transaction.delete(
            booking, revision=revision, condition=booking_writes.time_unchanged(booking), on_failure=StaleRevision
        )
        transaction.create(moved, on_failure=StaleRevision, revision=revision + 1)
        booking_writes.write_pointer(transaction, ref, moved, is_new_pointer=is_new_pointer)
        _mark_booked(transaction, provider)
        ledger.write(transaction)
        booking_writes.record_change(transaction, business, RESCHEDULE.audit_action, moved, before)
        return transaction.commit(ref, previous)


def check_movable(booking: Booking) -> None:
    if refusal := RESCHEDULE.refusal(booking, now()):
        raise Refused(refusal)


def _copy_to(booking: Booking, business: str, new_provider: Provider, start: datetime) -> Booking:
    """Copy a booking to another key, with all attributes of outside writers."""
    copy = Booking.new(tenant=business, provider=new_provider.id, start=start, booking=booking.id)
    for name, attribute in Booking.get_attributes().items():
        if attribute.attr_name not in _KEY_ATTRIBUTES:
            setattr(copy, name, booking.attribute_values.get(name))
    copy.booking_id, copy.business_id = booking.id, business
    copy.provider_id, copy.provider_name = new_provider.id, new_provider.name or None
    copy.start_time, copy.end_time = start, start + booking.slot_length.duration
    copy.extra_attributes, copy.moved_from = booking.extra_attributes, booking
    return copy
