"""Repairs of items that outside writers change: the pointer and the ledger of a booking, and attributes of ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bookings.hours_repairs import HoursState, hours_writes, load_changed_hours
from bookings.items import Booking, BookingRef, Provider, ProviderDay
from bookings.queries.booking_state import BookingState, load_booking_state
from bookings.services.ledger import days_of
from bookings.states import status_takes_time
from dashboard.platform.stream.changes import Change, Write, revision_of
from dashboard.platform.stream.lost_attributes import lost_attributes
from dashboard.platform.stream.rules import repairs_of
from dashboard.table.item_size import size_of
from dashboard.table.items import Raw
from dashboard.table.keypattern import Key

# Attributes that only this product writes. A Put of the booking service removes them.
OUR_ATTRIBUTES = {
    "booking": (
        *("customerName", "serviceName", "providerName", "bufferBeforeMinutes", "bufferAfterMinutes"),
        *("price", "currency", "note"),
    ),
    "service": ("bufferBeforeMinutes", "bufferAfterMinutes", "currency"),
    "provider": ("scheduleBy", "scheduleByName", "scheduleAt", "feedHash", "everBooked"),
    "availability": ("exceptions",),
    # The website service stores no e-mail, and the other services not every contact that people add here.
    "customer": ("name", "email", "phone"),
}
# Attributes that belong to one status of a booking.
STATUS_ATTRIBUTES = ("lapsesAt", "cancelReason", "statusBefore")
# The attributes of a pointer, which depend on one another.
POINTER_ATTRIBUTES = ("providerId", "startTime", "status", "dueAt", "revision")
# A ledger is one item of at most 400 KB. Beyond this size it is left alone, and bookings of that day are refused.
MAX_LEDGER_BYTES = 380 * 1024


# --- Attributes of ours --------------------------------------------------------------------------
@repairs_of("customer")
@repairs_of("service")
def repair_catalog_item(change: Change, loaded: None) -> Iterable[Write]:
    values = _lost_attributes(change)
    if values:
        yield Write(change.key, values)


@repairs_of("availability", load=load_changed_hours, on_delete=True)
def repair_hours(change: Change, state: HoursState | None) -> Iterator[Write]:
    values = _lost_attributes(change)
    if values:
        yield Write(change.key, values)
    yield from hours_writes(change, state)


@repairs_of("provider")
def repair_provider(change: Change, loaded: None) -> Iterable[Write]:
    values = _lost_attributes(change)
    before = _schedule_revision(change.old)
    is_lost = change.new is not None and _schedule_revision(change.new) < before
    if is_lost or (change.old is not None and "timezone" in change.changed):
        # A form that was opened before must not be saved, and a booking that read the previous hours must fail.
        values["scheduleRevision"] = {"N": str(before + 1)}
    if values:
        yield Write(change.key, values)


def _schedule_revision(raw: Raw | None) -> int:
    return Provider.of(raw, partial=True).schedule_revision if raw is not None else 0


def _lost_attributes(change: Change) -> Raw:
    """Our attributes of this kind of item that a Put has removed."""
    names: tuple[str, ...] = OUR_ATTRIBUTES[change.kind or ""]
    if change.kind == "booking" and "status" not in change.changed:
        names += STATUS_ATTRIBUTES
    return lost_attributes(change, names)


# --- The pointer and the ledger of a booking -----------------------------------------------------
@repairs_of("booking", load=lambda change: load_booking_state(change.key), on_delete=True)
def repair_booking(change: Change, state: BookingState) -> Iterator[Write]:
    """Make pointer and ledger equal to the booking as it is now, which may be newer than the change.

    A transaction of ours changes the revisions of pointer and ledger, so that this write then has no effect.
    """
    lost = _lost_attributes(change)
    if lost:
        yield Write(change.key, lost)
    booking = Booking.of({**lost, **state.booking.raw}) if state.booking is not None else None
    ref = state.ref
    can_get_pointer = ref is None or ref.booking_key == change.key or not state.is_duplicate_decided
    is_current = booking is not None and can_get_pointer
    if booking is not None and is_current:
        yield _point_to(booking, ref, _revision_after(change, booking))
    elif booking is None and ref is not None and ref.booking_key == change.key:
        duplicate = state.duplicate
        yield _point_to(duplicate, ref, duplicate.revision) if duplicate is not None else _remove(ref)
    yield from _ledger_writes(change.key, booking, state, replaces_duplicate=is_current)


def _revision_after(change: Change, booking: Booking) -> int:
    """The revision of the booking after its repair: a lost one is restored above the old one."""
    before = revision_of(change.old)
    return before + 1 if booking.revision < before else booking.revision


def _point_to(booking: Booking, ref: BookingRef | None, revision: int) -> Write:
    pointer = ref or BookingRef.new(tenant=booking.key_parts["tenant"], booking=booking.id)
    pointer.follow(booking)
    if revision > pointer.revision:
        pointer.revision = revision
    return Write.of_changed(pointer, POINTER_ATTRIBUTES) if ref is not None else Write.of_new(pointer)


def _remove(ref: BookingRef) -> Write:
    return Write(ref.key, expected={name: ref.raw.get(name) for name in POINTER_ATTRIBUTES}, deletes=True)


def _ledger_writes(
    key: Key, booking: Booking | None, state: BookingState, *, replaces_duplicate: bool
) -> Iterator[Write]:
    """The days that change. An entry of another booking with the same id stays, unless this booking replaces it."""
    parts = Booking.new_at_key(key)  # It has no attributes: only the parts of its key are read.
    taken = booking.taken if booking is not None and status_takes_time(booking.status) else None
    days = days_of(taken.span_with_buffers) if taken is not None else []
    for date in state.dates:
        ledger = state.days.get(date)
        is_new = ledger is None
        if ledger is None:
            ledger = ProviderDay.new(tenant=parts.key_parts["tenant"], provider=parts.provider, date=date.isoformat())
        before = ledger.busy or {}
        is_own = parts.id in before and ledger.start_of(parts.id) in {"", parts.start_key}
        if booking is not None and date in days and (is_own or parts.id not in before or replaces_duplicate):
            ledger.put(booking)
        elif is_own:
            ledger.drop(parts.id)
        if (ledger.busy or {}) == before or size_of(ledger.busy) > MAX_LEDGER_BYTES:
            continue
        ledger.revision = ledger.revision + 1
        yield Write.of_new(ledger) if is_new else Write.of_changed(ledger)
