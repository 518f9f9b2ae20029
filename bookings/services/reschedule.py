"""Move bookings to another time, another provider, or both."""

from __future__ import annotations

from datetime import UTC, datetime

from bookings.actions import RESCHEDULE
from bookings.items import Booking, BookingRef, Provider
from bookings.queries import booking_state
from bookings.services import booking_writes
from bookings.services.bookable import ensure_offers, mark_booked
from bookings.services.decisions import provider_and_start
from bookings.services.duplicates import ensure_no_other_booking
from bookings.services.ledger import Ledger
from bookings.slots import Rules
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.core.locks import queue_up
from dashboard.table import schema
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent, report_unchanged

# Attributes that place an item in the table and its indexes.
_KEY_ATTRIBUTES = {schema.PK, schema.SK} | {name for index in schema.INDEXES for name in (index.pk, index.sk) if name}


def reschedule(
    business: str,
    booking_id: str,
    *,
    provider: str,
    start: datetime,
    revision: int,
    rules: Rules | None = None,
    accepts: str | None = None,
    command: Command,
) -> Booking:
    """Move a booking to another time, another provider, or both. Its id, length and history stay.

    With `accepts`, other bookings of the customer at that time than those that it names are refused.
    """
    start_utc = start.astimezone(UTC).replace(microsecond=0)
    rules = rules or Rules(now())
    ref = _reschedule(business, booking_id, provider, start_utc, rules, accepts, revision=revision, command=command)
    return booking_writes.load_booking(business, ref)


@idempotent
def _reschedule(
    business: str,
    booking_id: str,
    provider_id: str,
    start: datetime,
    rules: Rules,
    accepts: str | None,
    *,
    revision: int,
    command: Command,
) -> BookingRef:
    return booking_writes.retry_while_busy(
        lambda: _try_reschedule(business, booking_id, provider_id, start, rules, accepts, revision, command)
    )


def _try_reschedule(
    business: str,
    booking_id: str,
    new_provider_id: str,
    start: datetime,
    rules: Rules,
    accepts: str | None,
    revision: int,
    command: Command,
) -> BookingRef:
    parties = booking_state.load_booking_parties(business, provider=new_provider_id, booking=booking_id)
    ref, key, is_new_pointer = booking_writes.locate(business, booking_id, parties.ref)
    provider_before, old_starts = provider_and_start(key)
    with queue_up((business, provider_before), (business, new_provider_id)):
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
        provider = ensure_offers(parties.provider, booking.service_id or "")
        hours = booking_state.hours_of_provider(provider, schedule.availabilities, parties.business)
        before, ledger = booking_writes.audit_values(booking), Ledger(business, schedule.days)
        if booking.taken is not None:
            ledger.open(booking.provider, booking.taken.span_with_buffers)
        ledger.ensure_free(new_provider_id, booking.slot_length, start, rules, hours, without=booking.id)
        if accepts is not None and booking.customer_id and start != booking.start_time:
            span = booking.slot_length.span(start)
            ensure_no_other_booking(business, booking.customer_id, span, accepts=accepts, without=booking.id)
        ledger.drop(booking.provider, booking.id)
        new_booking = _copy_to(booking, business, provider, start)
        ledger.put(new_booking)
        transaction = Transaction(command)
        transaction.delete(
            booking, revision=revision, condition=booking_writes.time_unchanged(booking), on_failure=StaleRevision
        )
        transaction.create(new_booking, on_failure=StaleRevision, revision=revision + 1)
        booking_writes.write_pointer(transaction, ref, new_booking, is_new_pointer=is_new_pointer)
        mark_booked(transaction, provider)
        ledger.write(transaction)
        booking_writes.record_change(transaction, business, RESCHEDULE.audit_action, new_booking, before)
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
