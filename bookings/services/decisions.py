"""What becomes of a booking at its time: confirmed, cancelled, restored, missed, paid. Each goes through the ledger."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.utils.translation import gettext_lazy as _

from bookings.items import Booking, BookingRef
from bookings.queries import snapshot
from bookings.services import booking_writes
from bookings.services.ledger import Ledger
from bookings.services.locks import in_turn
from bookings.slots import Rules
from bookings.states import LAPSED, Payment, Status
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.table import write
from dashboard.table.commands import SYSTEM, Command
from dashboard.table.keypattern import Key
from dashboard.table.timestamps import TimestampAttribute
from dashboard.table.transactions import Transaction, at_revision, idempotent, unchanged

MOST_REASON = 200


@dataclass(frozen=True)
class Case:
    """A booking that is decided on, and the days it stands in."""

    booking: Booking
    ledger: Ledger

    def keep_time(self, *, anew: bool = False, certain: bool = False) -> None:
        """Stand in the ledger as it is now; `anew` where it did not hold its time until now, `certain` where it waited:
        other services let two wait for the same time."""
        booking = self.booking
        if booking.start_time and (anew or certain):
            start, rules = booking.start_time, Rules(now())
            self.ledger.ensure_free(
                booking.provider, booking.want, start, rules, None, without=booking.id, over_waiting=not anew
            )
        self.ledger.put(booking)

    def give_time(self) -> None:
        taken = self.booking.taken
        if taken is not None:
            self.ledger.open(self.booking.provider, taken.span_with_buffers)
            self.ledger.drop(self.booking.provider, self.booking.id)


# Changes the booking and says what the trail calls that; none where it was so already.
Decision = Callable[[Case], str | None]


def confirm(business: str, booking_id: str, *, revision: int, command: Command) -> Booking:
    """One that waits is certain now. If its deadline has passed, its time is looked at again."""
    return _decided(business, booking_id, _confirm, revision, command)


def unconfirm(business: str, booking_id: str, *, revision: int, command: Command) -> Booking:
    """The inverse: it waits again, and holds its time without a deadline."""
    return _decided(business, booking_id, _unconfirm, revision, command)


def cancel(business: str, booking_id: str, *, revision: int, reason: str = "", command: Command) -> Booking:
    """Its time is free from now on."""
    return _decided(business, booking_id, partial(_cancel, reason=reason), revision, command)


def restore(business: str, booking_id: str, *, revision: int, command: Command) -> Booking:
    """The inverse of cancelling, if nobody has taken the time."""
    return _decided(business, booking_id, _restore, revision, command)


def no_show(business: str, booking_id: str, *, revision: int, command: Command) -> Booking:
    """Nobody came. Confirming it is the inverse."""
    return _decided(business, booking_id, _no_show, revision, command)


def pay(business: str, booking_id: str, *, status: Payment, revision: int, command: Command) -> Booking:
    """How far it is paid; the outcome says how far it was."""
    return _decided(business, booking_id, partial(_pay, status=Payment(status)), revision, command)


def lapse(ref: BookingRef) -> Booking:
    """Cancel what nobody confirmed in time, for those who read only the item; the outcome says if it was."""
    return _decided(ref.business, ref.id, _lapse, None, _lapse_operation(ref))


def _lapse_operation(ref: BookingRef) -> Command:
    """Of what was due, so that however many notice it, it is done once."""
    due = int(ref.due_at.timestamp()) if ref.due_at else 0
    return Command(f"lapse-{ref.revision}-{due}", SYSTEM).part(repr(ref.key))


def forget_deadline(ref: BookingRef, until: datetime | None) -> None:
    """Another service has changed the booking: what points at it is due later, or not at all. Nobody's act."""
    ref.due_at = until
    ref.set_index_keys()
    names = ("due_at", "gsistatuspk", "gsistatussk")
    moved = [(BookingRef.get_attributes()[name], getattr(ref, name)) for name in names]
    actions = [attribute.remove() if value is None else attribute.set(value) for attribute, value in moved]
    write.touch(ref.key, actions, at_revision(ref.revision))


def _decided(business: str, booking_id: str, decision: Decision, revision: int | None, command: Command) -> Booking:
    return booking_writes.load_booking(
        business, _decide(business, booking_id, decision, revision=revision, command=command)
    )


@idempotent
def _decide(
    business: str, booking_id: str, decision: Decision, *, revision: int | None, command: Command
) -> BookingRef:
    return booking_writes.retry_while_busy(lambda: _try(business, booking_id, decision, revision, command))


def _try(business: str, booking_id: str, decision: Decision, revision: int | None, command: Command) -> BookingRef:
    asked = snapshot.load_booking_parties(business, booking=booking_id)
    ref, place, new = booking_writes.located(business, booking_id, asked.ref)
    provider, days = around(place)
    with in_turn(business, provider):
        at = snapshot.load_schedule(business, around=days, place=place)
        booking = booking_writes.found(business, ref, at.booking)
        if revision is not None and booking.revision != revision:
            raise Conflict(booking)
        was = {"status": booking.status or "", "payment": booking.payment_status or Payment.NONE.value}
        before, ledger = booking_writes.audit_values(booking), Ledger(business, at.days)
        action = decision(Case(booking, ledger))
        if action is None:
            ref.booking = booking
            return unchanged(ref, was, command)
        transaction = Transaction(command)
        transaction.save(
            booking, revision=booking.revision, also=booking_writes.status_unchanged(booking), otherwise=StaleRevision
        )
        booking_writes.point(transaction, ref, booking, new=new)
        ledger.write(transaction)
        booking_writes.record_change(transaction, business, action, booking, before)
        return transaction.commit(ref, was)


def around(place: Key) -> tuple[str, list[tuple[str, datetime]]]:
    """Whose days, and around which moment; a key of another service may hold none."""
    booking = Booking.at_key(place)
    start = TimestampAttribute().deserialize(booking.start_key)
    return booking.provider, [(booking.provider, start)] if start is not None else []


# --- The decisions -------------------------------------------------------------------------------
def _confirm(case: Case) -> str | None:
    booking = case.booking
    if booking.status == Status.CONFIRMED:
        return None
    if booking.status == Status.CANCELLED and booking.cancel_reason != LAPSED:
        raise Refused(_("This booking is cancelled. Restore it first."))
    lapsed, waited = booking.lapsed(now()), booking.status == Status.PENDING
    booking.status, booking.lapses_at, booking.cancel_reason, booking.status_before = Status.CONFIRMED, None, None, None
    case.keep_time(anew=lapsed, certain=waited)
    return "booking.confirm"


def _unconfirm(case: Case) -> str | None:
    booking = case.booking
    if booking.status == Status.PENDING and not booking.lapsed(now()):
        return None
    if booking.status != Status.CONFIRMED:
        raise Refused(_("Only a confirmed booking can wait again."))
    booking.status, booking.lapses_at = Status.PENDING, None
    case.keep_time()
    return "booking.unconfirm"


def _cancel(case: Case, reason: str) -> str | None:
    booking = case.booking
    if booking.status == Status.CANCELLED:
        return None
    booking.status_before, booking.status = booking.status, Status.CANCELLED
    booking.cancel_reason = reason.strip()[:MOST_REASON] or None
    case.give_time()
    return "booking.cancel"


def _lapse(case: Case) -> str | None:
    """By the rule it takes no time already: what others see follows."""
    if case.booking.status != Status.PENDING or not case.booking.lapsed(now()):
        return None
    _cancel(case, LAPSED)
    return "booking.lapse"


def _restore(case: Case) -> str | None:
    booking = case.booking
    if booking.status != Status.CANCELLED:
        return None
    before = booking.status_before
    booking.status = before if before in set(Status) - {Status.CANCELLED} else Status.CONFIRMED
    booking.cancel_reason = booking.status_before = None
    if booking.lapses_at is not None and booking.lapses_at <= now():
        # Someone wants it back: it waits without a deadline.
        booking.lapses_at = None
    case.keep_time(anew=True)
    return "booking.restore"


def _no_show(case: Case) -> str | None:
    booking = case.booking
    if booking.status == Status.NO_SHOW:
        return None
    if booking.status == Status.CANCELLED or booking.lapsed(now()):
        raise Refused(_("This booking is cancelled: nobody was to come."))
    if booking.start_time and booking.start_time > now():
        raise Refused(_("This booking has not begun yet. Cancel it if nobody will come."))
    booking.status = Status.NO_SHOW
    case.keep_time()
    return "booking.no_show"


def _pay(case: Case, status: Payment) -> str | None:
    booking = case.booking
    if (booking.payment_status or Payment.NONE) == status:
        return None
    booking.payment_status = status
    return "booking.pay"
