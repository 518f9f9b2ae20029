"""Decisions on a booking: confirm, cancel, restore, no-show, payment. Each also writes the ledger."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bookings import actions
from bookings.actions import BookingAction, Inputs
from bookings.items import Booking, BookingRef
from bookings.queries import booking_state
from bookings.services import booking_writes
from bookings.services.ledger import Ledger
from bookings.slots import Rules
from bookings.states import LAPSED, LAPSED_REASON, Payment, Status
from dashboard.core.clock import now
from dashboard.core.errors import Conflict, Refused, StaleRevision
from dashboard.core.locks import queue_up
from dashboard.table import write
from dashboard.table.commands import SYSTEM, Command
from dashboard.table.keypattern import Key
from dashboard.table.timestamps import TimestampAttribute
from dashboard.table.transactions import Transaction, at_revision, idempotent, report_unchanged

MAX_REASON = 200


@dataclass(frozen=True)
class BookingCase:
    """A booking that a decision changes, its state before, and the ledger of its days."""

    booking: Booking
    ledger: Ledger
    inputs: Inputs
    status_before: str | None
    state_before: str

    def keep_time(self) -> None:
        """Write the booking's current status into the ledger."""
        self.ledger.put(self.booking)

    def claim_time(self, *, over_pending: bool = False) -> None:
        """Take the time, if no other booking has it. With `over_pending`, other pending bookings do not count."""
        booking = self.booking
        if booking.start_time:
            start, rules = booking.start_time, Rules(now())
            self.ledger.ensure_free(
                booking.provider, booking.slot_length, start, rules, None, without=booking.id, over_pending=over_pending
            )
        self.keep_time()

    def release_time(self) -> None:
        taken = self.booking.taken
        if taken is not None:
            self.ledger.open(self.booking.provider, taken.span_with_buffers)
            self.ledger.drop(self.booking.provider, self.booking.id)


def confirm(business: str, booking_id: str, *, revision: int, command: Command) -> Booking:
    """After its deadline, the booking's time must still be free."""
    return decide(actions.CONFIRM, business, booking_id, revision=revision, command=command)


def unconfirm(business: str, booking_id: str, *, revision: int, command: Command) -> Booking:
    """The inverse of confirm. The booking keeps its time without a deadline."""
    return decide(actions.UNCONFIRM, business, booking_id, revision=revision, command=command)


def cancel(business: str, booking_id: str, *, revision: int, reason: str = "", command: Command) -> Booking:
    return decide(actions.CANCEL, business, booking_id, revision=revision, command=command, reason=reason)


def restore(business: str, booking_id: str, *, revision: int, command: Command) -> Booking:
    """The inverse of cancel, if the time is still free."""
    return decide(actions.RESTORE, business, booking_id, revision=revision, command=command)


def no_show(business: str, booking_id: str, *, revision: int, command: Command) -> Booking:
    return decide(actions.NO_SHOW, business, booking_id, revision=revision, command=command)


def pay(business: str, booking_id: str, *, payment: Payment, revision: int, command: Command) -> Booking:
    return decide(actions.PAY, business, booking_id, revision=revision, command=command, payment=payment)


def lapse(ref: BookingRef) -> Booking:
    """Cancel a booking whose deadline has passed, so that readers of the item alone see it."""
    command = _lapse_command(ref)
    return decide(actions.LAPSE, ref.business, ref.id, revision=None, command=command, reason=LAPSED_REASON)


def _lapse_command(ref: BookingRef) -> Command:
    """Derived from the deadline, so that several runs cancel the booking once."""
    due = int(ref.due_at.timestamp()) if ref.due_at else 0
    return Command(f"lapse-{ref.revision}-{due}", SYSTEM).part(repr(ref.key))


def forget_deadline(ref: BookingRef, until: datetime | None) -> None:
    """Move or remove the deadline on the pointer, after an outside writer has changed the booking."""
    ref.due_at = until
    ref.set_index_keys()
    names = ("due_at", "gsistatuspk", "gsistatussk")
    changed = [(BookingRef.get_attributes()[name], getattr(ref, name)) for name in names]
    updates = [attribute.remove() if value is None else attribute.set(value) for attribute, value in changed]
    write.update(ref.key, updates, at_revision(ref.revision))


def decide(
    action: BookingAction, business: str, booking_id: str, *, revision: int | None, command: Command, **inputs: Any
) -> Booking:
    """Carry out an action. The result's outcome has the status and the payment before it."""
    ref = _decide(business, booking_id, action, inputs, revision=revision, command=command)
    return booking_writes.load_booking(business, ref)


@idempotent
def _decide(
    business: str, booking_id: str, action: BookingAction, inputs: Inputs, *, revision: int | None, command: Command
) -> BookingRef:
    return booking_writes.retry_while_busy(lambda: _try(business, booking_id, action, inputs, revision, command))


def _try(
    business: str, booking_id: str, action: BookingAction, inputs: Inputs, revision: int | None, command: Command
) -> BookingRef:
    parties = booking_state.load_booking_parties(business, booking=booking_id)
    ref, key, is_new_pointer = booking_writes.locate(business, booking_id, parties.ref)
    provider, starts = provider_and_start(key)
    with queue_up((business, provider)):
        schedule = booking_state.load_schedule(business, around=starts, key=key)
        booking = booking_writes.ensure_found(business, ref, schedule.booking)
        if revision is not None and booking.revision != revision:
            raise Conflict(booking)
        previous = {"status": booking.status or "", "payment": booking.payment_status or Payment.NONE.value}
        if action.changes_nothing(booking, now(), inputs):
            ref.booking = booking
            return report_unchanged(ref, previous, command)
        if refusal := action.refusal(booking, now()):
            raise Refused(refusal)
        before, ledger = booking_writes.audit_values(booking), Ledger(business, schedule.days)
        _apply(action, BookingCase(booking, ledger, inputs, booking.status, booking.state(now())))
        transaction = Transaction(command)
        transaction.save(
            booking,
            revision=booking.revision,
            condition=booking_writes.time_unchanged(booking),
            on_failure=StaleRevision,
        )
        booking_writes.write_pointer(transaction, ref, booking, is_new_pointer=is_new_pointer)
        ledger.write(transaction)
        booking_writes.record_change(transaction, business, action.audit_action, booking, before)
        return transaction.commit(ref, previous)


def _apply(action: BookingAction, case: BookingCase) -> None:
    if action.target is not None:
        case.booking.status = action.target
    EFFECTS.get(action.name, BookingCase.keep_time)(case)


def provider_and_start(key: Key) -> tuple[str, list[tuple[str, datetime]]]:
    """The provider and the start of the booking at a key. An outside writer's key may have no readable start."""
    booking = Booking.new_at_key(key)
    start = TimestampAttribute().deserialize(booking.start_key)
    return booking.provider, [(booking.provider, start)] if start is not None else []


# --- The effects of decisions, after the status has changed --------------------------------------
def _confirm(case: BookingCase) -> None:
    booking = case.booking
    booking.lapses_at = booking.cancel_reason = booking.status_before = None
    if case.state_before == LAPSED:
        case.claim_time()
    elif case.status_before == Status.PENDING:
        # Outside writers may have made two pending bookings for the same time.
        case.claim_time(over_pending=True)
    else:
        case.keep_time()


def _unconfirm(case: BookingCase) -> None:
    if case.status_before != Status.CONFIRMED:
        # A booking of an outside writer without a status is shown as confirmed, but nobody confirmed it.
        raise Refused(actions.UNCONFIRM.refusals[Status.CANCELLED])
    case.booking.lapses_at = None
    case.keep_time()


def _cancel(case: BookingCase) -> None:
    case.booking.status_before = case.status_before
    case.booking.cancel_reason = case.inputs["reason"].strip()[:MAX_REASON] or None
    case.release_time()


def _restore(case: BookingCase) -> None:
    booking = case.booking
    earlier = booking.status_before
    booking.status = earlier if earlier in set(Status) - {Status.CANCELLED} else Status.CONFIRMED
    booking.cancel_reason = booking.status_before = None
    if booking.lapses_at is not None and booking.lapses_at <= now():
        # With its old deadline it would lapse again at once.
        booking.lapses_at = None
    case.claim_time()


def _pay(case: BookingCase) -> None:
    """The ledger has no payments and is not written."""
    case.booking.payment_status = Payment(case.inputs["payment"])


# An action that is not listed changes the status and keeps the time.
EFFECTS: dict[str, Callable[[BookingCase], None]] = {
    "confirm": _confirm,
    "unconfirm": _unconfirm,
    "cancel": _cancel,
    "lapse": _cancel,
    "restore": _restore,
    "pay": _pay,
}
