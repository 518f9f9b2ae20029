"""Repairs of items that outside writers change: the pointer and the ledger of a booking, and attributes of ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bookings.items import Booking, BookingRef, Provider, ProviderDay
from bookings.queries.booking_state import BookingState, load_booking_state
from bookings.services.ledger import days_of
from bookings.states import status_takes_time
from dashboard.platform.stream.changes import revision_of
from dashboard.platform.stream.repairs import Change, Values, Write, repairs_of
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
}
# Attributes that belong to one status of a booking.
STATUS_ATTRIBUTES = ("lapsesAt", "cancelReason", "statusBefore")
# The attributes of a pointer, which depend on one another.
POINTER_ATTRIBUTES = ("providerId", "startTime", "status", "dueAt", "revision")
# A ledger is one item of at most 400 KB. Beyond this size it is left alone, and bookings of that day are refused.
MAX_LEDGER_BYTES = 380 * 1024


# --- Attributes of ours --------------------------------------------------------------------------
@repairs_of("service")
@repairs_of("availability")
def repair_catalog_item(change: Change, loaded: None) -> Iterable[Write]:
    return _restoring(change, _lost_attributes(change))


@repairs_of("provider")
def repair_provider(change: Change, loaded: None) -> Iterable[Write]:
    values = dict(_lost_attributes(change))
    before = [_schedule_revision(raw) for raw in (change.old, change.last_ours)]
    if change.new is not None and _schedule_revision(change.new) < max(before):
        # Like a lost revision: a form that was opened before must not be saved.
        values["scheduleRevision"] = {"N": str(max(before) + 1)}
    return _restoring(change, values)


def _schedule_revision(raw: Raw | None) -> int:
    return Provider.of(raw, partial=True).schedule_revision if raw is not None else 0


def _lost_attributes(change: Change) -> Raw:
    """Our attributes that a Put has removed. It has also removed the revision, so no person removed them."""
    old, new = change.last_ours or change.old, change.new
    if old is None or new is None or revision_of(new) >= revision_of(old):
        return {}
    names: tuple[str, ...] = OUR_ATTRIBUTES[change.kind or ""]
    if change.kind == "booking" and old.get("status") == new.get("status"):
        names += STATUS_ATTRIBUTES
    return {name: old[name] for name in names if name in old and name not in new}


def _restoring(change: Change, values: Values) -> list[Write]:
    return [Write(change.key, values, {name: (change.new or {}).get(name) for name in values})] if values else []


# --- The pointer and the ledger of a booking -----------------------------------------------------
@repairs_of("booking", load=lambda change: load_booking_state(change.key), on_delete=True)
def repair_booking(change: Change, state: BookingState) -> Iterator[Write]:
    """Make pointer and ledger equal to the booking as it is now, which may be newer than the change.

    A transaction of ours changes the revisions of pointer and ledger, so that this write then has no effect.
    """
    lost = _lost_attributes(change)
    yield from _restoring(change, lost)
    booking = Booking.of({**lost, **state.booking.raw}) if state.booking is not None else None
    ref = state.ref
    is_current = booking is not None and (ref is None or ref.booking_key == change.key or not state.is_elsewhere)
    if booking is not None and is_current:
        yield _point_to(booking, ref, _revision_after(change, booking))
    elif booking is None and ref is not None and ref.booking_key == change.key:
        other = state.elsewhere
        yield _point_to(other, ref, other.revision) if other is not None else _remove(ref)
    yield from _ledger_writes(change.key, booking, state, replaces_other=is_current)


def _revision_after(change: Change, booking: Booking) -> int:
    """The revision of the booking after its repair: a lost one is restored above the old one."""
    before = revision_of(change.last_ours or change.old)
    return before + 1 if booking.revision < before else booking.revision


def _point_to(booking: Booking, ref: BookingRef | None, revision: int) -> Write:
    pointer = ref or BookingRef.new(tenant=booking.key_parts["tenant"], booking=booking.id)
    pointer.follow(booking)
    if revision > pointer.revision:
        pointer.revision = revision
    return Write.of_changed(pointer, POINTER_ATTRIBUTES) if ref is not None else Write.of_new(pointer)


def _remove(ref: BookingRef) -> Write:
    return Write(ref.key, expected={name: ref.raw.get(name) for name in POINTER_ATTRIBUTES}, deletes=True)


def _ledger_writes(key: Key, booking: Booking | None, state: BookingState, *, replaces_other: bool) -> Iterator[Write]:
    """The days that change. An entry of another booking with the same id stays, unless this booking replaces it."""
    place = Booking.new_at_key(key)
    taken = booking.taken if booking is not None and status_takes_time(booking.status) else None
    days = days_of(taken.span_with_buffers) if taken is not None else []
    for date in state.dates:
        ledger = state.days.get(date)
        is_new = ledger is None
        if ledger is None:
            ledger = ProviderDay.new(tenant=place.key_parts["tenant"], provider=place.provider, date=date.isoformat())
        before = ledger.busy or {}
        is_own = place.id in before and ledger.start_of(place.id) in {"", place.start_key}
        if booking is not None and date in days and (is_own or place.id not in before or replaces_other):
            ledger.put(booking)
        elif is_own:
            ledger.drop(place.id)
        if (ledger.busy or {}) == before or size_of(ledger.busy) > MAX_LEDGER_BYTES:
            continue
        ledger.revision = ledger.revision + 1
        yield Write.of_new(ledger) if is_new else Write.of_changed(ledger)
