"""Bookings and the pointers to them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Self

from bookings.hours import Span
from bookings.slots import MAX_BOOKING_LENGTH, SlotLength, TakenTime, to_minutes
from bookings.states import LAPSED, LAPSED_REASON, SOFT_LOCKED, UNKNOWN, Status
from dashboard.core.ids import is_our_id
from dashboard.table import keys
from dashboard.table.attributes import DecimalAttribute, LenientNumberAttribute, LenientUnicodeAttribute
from dashboard.table.items import Item, Raw
from dashboard.table.keypattern import BadKey, IndexKey, Key
from dashboard.table.timestamps import TimestampAttribute, to_wire

NO_TIME = timedelta()
ONLINE = "online"
# The length of a booking without an end.
DEFAULT_LENGTH = timedelta(hours=1)


class Booking(Item):
    """An appointment of a customer with a provider."""

    key_pattern = keys.BOOKING
    needs_key_parts = True
    attributes_from_key = {"bookingId": "booking", "tenantId": "tenant", "providerId": "provider", "startTime": "start"}

    booking_id = LenientUnicodeAttribute(null=True, attr_name="bookingId")
    business_id = LenientUnicodeAttribute(null=True, attr_name="tenantId")
    provider_id = LenientUnicodeAttribute(null=True, attr_name="providerId")
    service_id = LenientUnicodeAttribute(null=True, attr_name="serviceId")
    customer_id = LenientUnicodeAttribute(null=True, attr_name="customerId")
    # The conversation in which the customer asked for it.
    conversation_id = LenientUnicodeAttribute(null=True, attr_name="conversationId")
    # The start is in the key. The attribute may be missing: the booking service does not always write it.
    start_time = TimestampAttribute(null=True, attr_name="startTime")
    end_time = TimestampAttribute(null=True, attr_name="endTime")
    status = LenientUnicodeAttribute(null=True)
    payment_status = LenientUnicodeAttribute(null=True, attr_name="paymentStatus")
    # Copies from the time of booking, so that lists are one query and later changes of a service do not apply.
    customer_name = LenientUnicodeAttribute(null=True, attr_name="customerName")
    # The customer's name as the booking service writes it.
    client_name = LenientUnicodeAttribute(null=True, attr_name="clientName")
    client_first_name = LenientUnicodeAttribute(null=True, attr_name="clientFirstName")
    client_last_name = LenientUnicodeAttribute(null=True, attr_name="clientLastName")
    service_name = LenientUnicodeAttribute(null=True, attr_name="serviceName")
    # For the audit log.
    provider_name = LenientUnicodeAttribute(null=True, attr_name="providerName")
    buffer_before = LenientNumberAttribute(null=True, attr_name="bufferBeforeMinutes")
    buffer_after = LenientNumberAttribute(null=True, attr_name="bufferAfterMinutes")
    price = DecimalAttribute(null=True)
    currency = LenientUnicodeAttribute(null=True)
    note = LenientUnicodeAttribute(null=True)
    # `ONLINE` for a booking that a visitor made on the booking page or in the widget.
    channel = LenientUnicodeAttribute(null=True)
    # The deadline of a PENDING booking; None if it has none.
    lapses_at = TimestampAttribute(null=True, attr_name="lapsesAt")
    # The deadline of a SOFT_LOCKED booking of the booking service.
    soft_lock_expires_at = TimestampAttribute(null=True, attr_name="softLockExpiresAt")
    # Of a cancelled booking: the reason, and the status before.
    cancel_reason = LenientUnicodeAttribute(null=True, attr_name="cancelReason")
    status_before = LenientUnicodeAttribute(null=True, attr_name="statusBefore")

    # The attributes in lists.
    IN_LISTS = (
        *("serviceId", "customerId", "endTime", "status", "paymentStatus", "customerName", "serviceName"),
        *("bufferBeforeMinutes", "bufferAfterMinutes", "price", "currency", "lapsesAt", "cancelReason", "revision"),
        *("clientName", "clientFirstName", "clientLastName", "softLockExpiresAt", "GSI2PK"),
    )

    @classmethod
    def of(cls, raw: Raw, *, partial: bool = False) -> Self:
        item = super().of(raw, partial=partial)
        if not partial:
            known = {str(each.attr_name) for each in cls.get_attributes().values()} - item.mistyped
            item.extra_attributes = {name: value for name, value in raw.items() if name not in known}
        return item

    def index_keys(self) -> Iterator[IndexKey]:
        parts = self.key_parts
        business, start = parts["tenant"], self.start_in_index
        yield from keys.BOOKINGS_OF_CUSTOMER.optional_key(tenant=business, customer=self.customer_id, start=start)
        yield from keys.BOOKING_BY_ID.optional_key(**parts | {"start": start})
        yield from keys.BOOKINGS_OF_SERVICE.optional_key(tenant=business, service=self.service_id, start=start)
        yield from keys.BOOKINGS.optional_key(tenant=business, start=start)
        yield from keys.BOOKINGS_BY_STATUS.optional_key(tenant=business, status=self.status, start=start)

    @property
    def id(self) -> str:
        return str(self.key_parts["booking"])

    @property
    def is_listed(self) -> bool:
        """Whether it can be found by its id alone: by its pointer, which ours have, or by its key in the index."""
        return is_our_id(self.id) or self.gsi2pk is not None

    @property
    def provider(self) -> str:
        return str(self.key_parts["provider"])

    @property
    def start_key(self) -> str:
        """The start as it is in the key: outside writers may format it differently."""
        return str(self.key_parts["start"])

    @property
    def start_in_index(self) -> str:
        """The start in UTC, so that indexes are in order of time. One that is no time stays as it is in the key."""
        start = TimestampAttribute().deserialize(self.start_key)
        return to_wire(start) if start is not None else self.start_key

    @property
    def is_online(self) -> bool:
        """Whether a visitor of a website made it."""
        return self.channel == ONLINE

    @property
    def title(self) -> str:
        first_and_last = f"{self.client_first_name or ''} {self.client_last_name or ''}".strip()
        return self.customer_name or self.client_name or first_and_last or self.customer_id or self.id

    @property
    def slot_length(self) -> SlotLength:
        """Its length. A missing end counts as an hour, and no booking counts for more than a day."""
        start, end = self.start_time, self.end_time
        known = start is not None and end is not None and end > start
        length = min((end - start) if known else DEFAULT_LENGTH, MAX_BOOKING_LENGTH)
        before, after = to_minutes(self.buffer_before) or NO_TIME, to_minutes(self.buffer_after) or NO_TIME
        before = min(before, MAX_BOOKING_LENGTH - length)
        return SlotLength(length, before, min(after, MAX_BOOKING_LENGTH - length - before))

    @property
    def span(self) -> Span | None:
        """The time without buffers; None if the key has no readable start."""
        return self.slot_length.span(self.start_time) if self.start_time else None

    @property
    def taken(self) -> TakenTime | None:
        """The time with buffers, for the slot engine."""
        if not self.start_time:
            return None
        span, status = self.slot_length.with_buffers(self.start_time), self.status or Status.CONFIRMED
        deadlines = {Status.PENDING: self.lapses_at, SOFT_LOCKED: self.soft_lock_expires_at}
        return TakenTime(self.id, span, status, deadlines.get(status))

    def has_lapsed(self, now: datetime) -> bool:
        """Whether its deadline passed before someone confirmed it, also before `run_due` has cancelled it."""
        if self.status == Status.CANCELLED:
            return self.cancel_reason == LAPSED_REASON
        return self.status == Status.PENDING and self.lapses_at is not None and now >= self.lapses_at

    def state(self, now: datetime) -> str:
        """The status, LAPSED or UNKNOWN. A booking without a status counts as confirmed."""
        if self.has_lapsed(now):
            return LAPSED
        status = self.status or Status.CONFIRMED
        return status if status in set(Status) else UNKNOWN


class BookingRef(Item):
    """The pointer to a booking by its id. A moved booking has another key."""

    key_pattern = keys.BOOKING_REF

    provider_id = LenientUnicodeAttribute(null=True, attr_name="providerId")
    # As in the booking's key.
    start_key = LenientUnicodeAttribute(null=True, attr_name="startTime")
    status = LenientUnicodeAttribute(null=True)
    # The deadline of a PENDING booking. The booking itself is in that index by its status.
    due_at = TimestampAttribute(null=True, attr_name="dueAt")

    # The booking, if a service has it at hand.
    booking: Booking | None = None

    def follow(self, booking: Booking) -> None:
        """Point to this booking."""
        self.provider_id, self.start_key, self.status = booking.provider, booking.start_key, booking.status
        self.due_at = booking.lapses_at if booking.status == Status.PENDING else None

    def index_keys(self) -> Iterator[IndexKey]:
        if self.due_at:
            yield keys.DUE.key(due_at=self.due_at)

    @property
    def id(self) -> str:
        return str(self.key_parts["booking"])

    @property
    def business(self) -> str:
        return str(self.key_parts["tenant"])

    @property
    def booking_key(self) -> Key | None:
        """The key of the booking; None if an outside writer wrote invalid parts."""
        parts = {"tenant": self.business, "provider": self.provider_id, "start": self.start_key, "booking": self.id}
        try:
            return keys.BOOKING.key(**{name: part for name, part in parts.items() if part is not None})
        except BadKey:
            return None
