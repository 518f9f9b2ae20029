"""Making a booking and moving it. What becomes of it at its time stands in `deciding`, under the same roof."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import cast

from django.utils.translation import gettext_lazy as _
from pynamodb.expressions.condition import Condition

from bookings.actions import RESCHEDULE
from bookings.items import Booking, BookingRef, Customer, Provider, Service
from bookings.queries import snapshot
from bookings.services import booking_writes
from bookings.services.decisions import around, cancel, confirm, lapse, no_show, pay, restore, unconfirm
from bookings.services.ledger import Ledger
from bookings.services.locks import in_turn
from bookings.services.schedule import as_scheduled
from bookings.slots import Rules, Want
from bookings.states import Payment, Status
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.core.ids import new_id
from dashboard.table import schema
from dashboard.table.commands import Command
from dashboard.table.transactions import Transaction, idempotent, unchanged

__all__ = ["cancel", "confirm", "create", "lapse", "no_show", "pay", "reschedule", "restore", "unconfirm"]

MOST_NOTE = 1000
MINUTE = timedelta(minutes=1)
# Where an item stands, not what it is.
_PLACES = {schema.PK, schema.SK} | {name for index in schema.INDEXES for name in (index.pk, index.sk) if name}


@dataclass(frozen=True)
class BookingRequest:
    """What someone asks for."""

    service: str
    provider: str
    start: datetime
    customer: str
    status: Status
    lapses_at: datetime | None
    note: str
    rules: Rules


def create(
    business: str,
    service: str,
    provider: str,
    start: datetime,
    customer: str,
    *,
    lapses_at: datetime | None = None,
    status: Status = Status.CONFIRMED,
    note: str = "",
    rules: Rules | None = None,
    command: Command,
) -> Booking:
    """Book a start, if it is free. A PENDING one holds its time, until `lapses_at` where that is set."""
    until = lapses_at if status == Status.PENDING else None
    if until is not None and until <= now():
        raise Refused(_("This is in the past."), field="lapses_at")
    begins = start.astimezone(UTC).replace(microsecond=0)
    wish = BookingRequest(
        service, provider, begins, customer, status, until, note.strip()[:MOST_NOTE], rules or Rules(now())
    )
    return booking_writes.load_booking(business, _create(business, wish, command=command))


@idempotent
def _create(business: str, wish: BookingRequest, *, command: Command) -> BookingRef:
    booking_id = new_id()
    return booking_writes.retry_while_busy(lambda: _try_create(business, booking_id, wish, command))


def _try_create(business: str, booking_id: str, wish: BookingRequest, command: Command) -> BookingRef:
    asked = snapshot.load_booking_parties(
        business, provider=wish.provider, service=wish.service, customer=wish.customer
    )
    service, want = _bookable(asked.service)
    provider = _offering(asked.provider, wish.service)
    if asked.customer is None:
        raise Refused(_("There is no such customer. Choose another, or add them first."), field="customer")
    with in_turn(business, wish.provider):
        at = snapshot.load_schedule(business, hours=wish.provider, around=[(wish.provider, wish.start)])
        hours = snapshot.hours_of_provider(provider, at.availabilities, asked.business)
        ledger = Ledger(business, at.days)
        ledger.ensure_free(wish.provider, want, wish.start, wish.rules, hours)
        booking = _made(business, booking_id, wish, service, want, asked.customer)
        booking.provider_name = provider.name or None
        ledger.put(booking)
        transaction = Transaction(command)
        transaction.create(booking, otherwise=StaleRevision)
        ref = BookingRef.at(tenant=business, booking=booking_id)
        booking_writes.point(transaction, ref, booking, new=True)
        _claim(transaction, provider)
        ledger.write(transaction)
        booking_writes.record_change(transaction, business, "booking.create", booking, {})
        return transaction.commit(ref)


def _bookable(service: Service | None) -> tuple[Service, Want]:
    if service is None:
        raise Refused(_("There is no such service. Choose another."), field="service")
    if service.active is False:
        raise Refused(_("This service is not offered any more. Choose another."), field="service")
    want = service.want
    if want is None:
        text = _("This service cannot be booked: its duration is missing, or with its buffers longer than a day.")
        raise Refused(text, field="service")
    return service, want


def _offering(provider: Provider | None, service: str) -> Provider:
    if provider is None:
        raise Refused(_("There is no such staff member. Choose another."), field="provider")
    if provider.active is False:
        raise Refused(_("This staff member cannot be booked anymore. Choose another."), field="provider")
    if service not in (provider.services or []):
        raise Refused(_("This staff member does not offer the service. Choose another."), field="provider")
    return provider


def _made(
    business: str, booking_id: str, wish: BookingRequest, service: Service, want: Want, customer: Customer
) -> Booking:
    booking = Booking.at(tenant=business, provider=wish.provider, start=wish.start, booking=booking_id)
    booking.booking_id, booking.business_id, booking.provider_id = booking_id, business, wish.provider
    booking.service_id, booking.customer_id = wish.service, wish.customer
    booking.start_time, booking.end_time = wish.start, wish.start + want.duration
    booking.buffer_before, booking.buffer_after = want.before // MINUTE, want.after // MINUTE
    booking.status, booking.payment_status = wish.status, Payment.NONE
    booking.lapses_at, booking.note = wish.lapses_at, wish.note or None
    booking.customer_name, booking.service_name = customer.name or None, service.name or None
    booking.price, booking.currency = service.price, service.currency or None
    return booking


def _claim(transaction: Transaction, provider: Provider) -> None:
    """They are as they were read, and from now on they are booked: whoever deletes them at this moment is refused."""
    if provider.ever_booked:
        marked = cast(Condition, _bookable_still(provider) & (Provider.ever_booked == True))  # noqa: E712
        transaction.check(provider.key, marked, StaleRevision)
    else:
        transaction.update(provider.key, [Provider.ever_booked.set(True)], _bookable_still(provider), StaleRevision)


def _bookable_still(provider: Provider) -> Condition:
    """Nobody has changed the hours that were read, or taken the provider off the list."""
    active = Provider.active.does_not_exist() | (Provider.active != False)  # noqa: E712
    return cast(Condition, as_scheduled(provider) & active)


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
    """Move it to another time, another provider, or both at once: the id, the length and the history stay."""
    begins = start.astimezone(UTC).replace(microsecond=0)
    asked_by = rules or Rules(now())
    ref = _reschedule(business, booking_id, provider, begins, asked_by, revision=revision, command=command)
    return booking_writes.load_booking(business, ref)


@idempotent
def _reschedule(
    business: str, booking_id: str, provider: str, start: datetime, rules: Rules, *, revision: int, command: Command
) -> BookingRef:
    return booking_writes.retry_while_busy(
        lambda: _try_reschedule(business, booking_id, provider, start, rules, revision, command)
    )


def _try_reschedule(
    business: str, booking_id: str, to: str, start: datetime, rules: Rules, revision: int, command: Command
) -> BookingRef:
    asked = snapshot.load_booking_parties(business, provider=to, booking=booking_id)
    ref, place, new = booking_writes.located(business, booking_id, asked.ref)
    whose, days = around(place)
    with in_turn(business, whose, to):
        at = snapshot.load_schedule(business, hours=to, around=[*days, (to, start)], place=place)
        booking = booking_writes.found(business, ref, at.booking)
        if booking.revision != revision:
            raise Conflict(booking)
        check_movable(booking)
        was = {"provider": booking.provider, "start": booking.start_key}
        if (booking.provider, booking.start_time) == (to, start):
            ref.booking = booking
            return unchanged(ref, was, command)
        provider = _offering(asked.provider, booking.service_id or "")
        hours = snapshot.hours_of_provider(provider, at.availabilities, asked.business)
        before, ledger = booking_writes.audit_values(booking), Ledger(business, at.days)
        if booking.taken is not None:
            ledger.open(booking.provider, booking.taken.span_with_buffers)
        ledger.ensure_free(to, booking.want, start, rules, hours, without=booking.id)
        ledger.drop(booking.provider, booking.id)
        moved = _moved(booking, business, provider, start)
        ledger.put(moved)
        transaction = Transaction(command)
        transaction.delete(
            booking, revision=revision, also=booking_writes.status_unchanged(booking), otherwise=StaleRevision
        )
        transaction.create(moved, otherwise=StaleRevision, revision=revision + 1)
        booking_writes.point(transaction, ref, moved, new=new)
        _claim(transaction, provider)
        ledger.write(transaction)
        booking_writes.record_change(transaction, business, RESCHEDULE.audit_action, moved, before)
        return transaction.commit(ref, was)


def check_movable(booking: Booking) -> None:
    if refusal := RESCHEDULE.refusal(booking, now()):
        raise Refused(refusal)


def _moved(booking: Booking, business: str, to: Provider, start: datetime) -> Booking:
    """The same at another key, with all that other services have put on it."""
    made = Booking.at(tenant=business, provider=to.id, start=start, booking=booking.id)
    for name, attribute in Booking.get_attributes().items():
        if attribute.attr_name not in _PLACES:
            setattr(made, name, booking.attribute_values.get(name))
    made.booking_id, made.business_id = booking.id, business
    made.provider_id, made.provider_name = to.id, to.name or None
    made.start_time, made.end_time = start, start + booking.want.duration
    made.extra_attributes = booking.extra_attributes
    return made
