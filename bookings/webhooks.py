"""Events about bookings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from bookings.items import Booking, BookingRef
from bookings.queries import bookings as queries
from bookings.states import Status
from dashboard.core.errors import NotFound
from dashboard.platform.audit.items import AuditEntry
from dashboard.platform.outbox.items import OutsideEvent, outside_event
from dashboard.platform.stream.changes import Change
from dashboard.platform.webhooks.events import EventType, WebhookEvent, event_after, register_event
from dashboard.table.timestamps import TimestampAttribute, to_wire

CREATED, CONFIRMED, RESCHEDULED = "booking.created", "booking.confirmed", "booking.rescheduled"
CANCELLED, RESTORED = "booking.cancelled", "booking.restored"
_SAMPLE = {
    "id": "01jb3w5k8m2q4r6s8t0v2w4x6y",
    "status": "CONFIRMED",
    "start": "2026-03-02T15:00:00Z",
    "end": "2026-03-02T16:00:00Z",
    "service_id": "massage",
    "provider_id": "maria",
    "customer_id": "juan",
}

register_event(EventType(CREATED, label=_("A booking is made"), sample=_SAMPLE))
register_event(EventType(CONFIRMED, label=_("A booking is confirmed"), sample=_SAMPLE))
register_event(
    EventType(
        RESCHEDULED,
        label=_("A booking is moved"),
        sample=_SAMPLE | {"previous_start": "2026-03-01T15:00:00Z"},
    )
)
register_event(
    EventType(CANCELLED, label=_("A booking is cancelled"), sample=_SAMPLE | {"status": "CANCELLED", "reason": ""})
)
register_event(EventType(RESTORED, label=_("A cancelled booking is restored"), sample=_SAMPLE))

_TYPES = {
    "booking.create": CREATED,
    "booking.confirm": CONFIRMED,
    "booking.reschedule": RESCHEDULED,
    "booking.cancel": CANCELLED,
    "booking.lapse": CANCELLED,
    "booking.restore": RESTORED,
}


@event_after(*_TYPES)
def booking_event(entry: AuditEntry) -> WebhookEvent:
    """What the entry says about status and time, and the rest as it is now."""
    booking_id = str(entry.target_data.get("id") or "").partition(":")[2]
    event_type = _TYPES[entry.action]
    try:
        data = booking_data(queries.load_booking(entry.record_place.business, booking_id))
    except NotFound:
        data = {"id": booking_id}
    before, after = entry.before or {}, entry.after or {}
    recorded = {"status": after.get("bookingStatus"), "start": after.get("starts"), "end": after.get("ends")}
    data |= {name: value for name, value in recorded.items() if value}
    if event_type == RESCHEDULED and before.get("starts"):
        data["previous_start"] = before["starts"]
    if event_type == CANCELLED:
        data |= {"status": Status.CANCELLED.value, "reason": after.get("cancelReason") or ""}
    return WebhookEvent(event_type, object_of(booking_id), data)


def booking_data(booking: Booking) -> dict[str, Any]:
    """Without name and contact of the customer: receivers read these through the API."""
    return {
        "id": booking.id,
        "status": booking.status or Status.CONFIRMED.value,
        "start": booking.start_key,
        "end": to_wire(booking.end_time) if booking.end_time else None,
        "service_id": booking.service_id,
        "provider_id": booking.provider,
        "customer_id": booking.customer_id,
    }


def object_of(booking_id: str) -> str:
    return f"booking:{booking_id}"


@dataclass(frozen=True)
class _KnownBooking:
    """What we knew of a booking before an outside writer changed it."""

    status: str
    start: str
    provider: str


def outside_booking_event(change: Change, booking: Booking | None, ref: BookingRef | None) -> OutsideEvent | None:
    """The event of an outside writer's change: what differs from the pointer, which is what we knew.

    The repair changes the pointer in the same transaction, so that each change has one event.
    """
    if not change.is_from_stream:
        return None
    known = _known_booking(change, ref)
    if booking is None:
        if ref is None or known is None or known.status == Status.CANCELLED:
            return None
        data = {"id": ref.id, "status": Status.CANCELLED.value, "start": known.start, "provider_id": known.provider}
        return outside_event(ref.business, CANCELLED, object_of(ref.id), data | {"reason": ""})
    event_type = _type_of_change(booking, known)
    if event_type is None:
        return None
    data = booking_data(booking)
    if event_type == RESCHEDULED and known is not None:
        data["previous_start"] = known.start
    if event_type == CANCELLED:
        data["reason"] = booking.cancel_reason or ""
    return outside_event(str(booking.key_parts["tenant"]), event_type, object_of(booking.id), data)


def _known_booking(change: Change, ref: BookingRef | None) -> _KnownBooking | None:
    """From the pointer; without one, from the image before the change."""
    if ref is not None:
        return _KnownBooking(ref.status or Status.CONFIRMED, ref.start_key or "", ref.provider_id or "")
    old = change.old_item
    if not isinstance(old, Booking):
        return None
    return _KnownBooking(old.status or Status.CONFIRMED, old.start_key, old.provider)


def _type_of_change(booking: Booking, known: _KnownBooking | None) -> str | None:
    status = booking.status or Status.CONFIRMED
    if known is None:
        return None if status == Status.CANCELLED else CREATED
    if status == Status.CANCELLED:
        return CANCELLED if known.status != Status.CANCELLED else None
    if known.status == Status.CANCELLED:
        return RESTORED
    if _moment(booking.start_key) != _moment(known.start) or booking.provider != known.provider:
        return RESCHEDULED
    return CONFIRMED if known.status == Status.PENDING and status == Status.CONFIRMED else None


def _moment(start: str) -> Any:
    """Outside writers may format the same time differently."""
    return TimestampAttribute().deserialize(start) or start
