"""Who comes when."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Self

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from bookings.hours import Span
from bookings.slots import MAX_LENGTH, SlotLength, Taken, minutes
from bookings.states import LAPSED, LAPSED_REASON, UNKNOWN, Status
from dashboard.table import keys
from dashboard.table.attributes import DecimalAttribute
from dashboard.table.items import Item, Raw
from dashboard.table.keypattern import BadKey, IndexKey, Key
from dashboard.table.timestamps import TimestampAttribute

NO_TIME = timedelta()
# How long a booking counts that does not say when it ends.
DEFAULT_LENGTH = timedelta(hours=1)


class Booking(Item):
    """Someone comes at a time."""

    pattern = keys.BOOKING
    attributes_from_key = {"bookingId": "booking", "tenantId": "tenant", "providerId": "provider", "startTime": "start"}

    booking_id = UnicodeAttribute(null=True, attr_name="bookingId")
    business_id = UnicodeAttribute(null=True, attr_name="tenantId")
    provider_id = UnicodeAttribute(null=True, attr_name="providerId")
    service_id = UnicodeAttribute(null=True, attr_name="serviceId")
    customer_id = UnicodeAttribute(null=True, attr_name="customerId")
    # The key has the start, the attribute may be missing: the seed has it in the key alone.
    start_time = TimestampAttribute(null=True, attr_name="startTime")
    end_time = TimestampAttribute(null=True, attr_name="endTime")
    status = UnicodeAttribute(null=True)
    payment_status = UnicodeAttribute(null=True, attr_name="paymentStatus")
    # As they were when it was booked: lists are one query, and a service that changes later changes no booking.
    customer_name = UnicodeAttribute(null=True, attr_name="customerName")
    service_name = UnicodeAttribute(null=True, attr_name="serviceName")
    # For the trail: whoever reads it years later knows who that was.
    provider_name = UnicodeAttribute(null=True, attr_name="providerName")
    buffer_before = NumberAttribute(null=True, attr_name="bufferBeforeMinutes")
    buffer_after = NumberAttribute(null=True, attr_name="bufferAfterMinutes")
    price = DecimalAttribute(null=True)
    currency = UnicodeAttribute(null=True)
    note = UnicodeAttribute(null=True)
    # Until when a PENDING one holds its time; none for one that waits for ever.
    lapses_at = TimestampAttribute(null=True, attr_name="lapsesAt")
    # Of a cancelled one: why, and what it was before.
    cancel_reason = UnicodeAttribute(null=True, attr_name="cancelReason")
    status_before = UnicodeAttribute(null=True, attr_name="statusBefore")

    # What lists show.
    CARD = (
        *("serviceId", "customerId", "endTime", "status", "paymentStatus", "customerName", "serviceName"),
        *("bufferBeforeMinutes", "bufferAfterMinutes", "price", "currency", "lapsesAt", "cancelReason", "revision"),
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
        business, start = parts["tenant"], parts["start"]
        yield from keys.BOOKINGS_OF_CUSTOMER.place(tenant=business, customer=self.customer_id, start=start)
        yield from keys.BOOKING_BY_ID.place(**parts)
        yield from keys.BOOKINGS_OF_SERVICE.place(tenant=business, service=self.service_id, start=start)
        yield from keys.BOOKINGS.place(tenant=business, start=start)
        yield from keys.BOOKINGS_BY_STATUS.place(tenant=business, status=self.status, start=start)

    @property
    def id(self) -> str:
        return str(self.key_parts["booking"])

    @property
    def provider(self) -> str:
        return str(self.key_parts["provider"])

    @property
    def start_key(self) -> str:
        """The start as its key has it: another service may write the same moment otherwise."""
        return str(self.key_parts["start"])

    @property
    def title(self) -> str:
        return self.customer_name or self.customer_id or self.id

    @property
    def slot_length(self) -> SlotLength:
        """How long it takes. One of another service may not say, and none counts for more than a day."""
        start, end = self.start_time, self.end_time
        known = start is not None and end is not None and end > start
        length = min((end - start) if known else DEFAULT_LENGTH, MAX_LENGTH)
        before, after = minutes(self.buffer_before) or NO_TIME, minutes(self.buffer_after) or NO_TIME
        before = min(before, MAX_LENGTH - length)
        return SlotLength(length, before, min(after, MAX_LENGTH - length - before))

    @property
    def span(self) -> Span | None:
        """From when to when someone is there; none where its key holds no moment."""
        return self.slot_length.span(self.start_time) if self.start_time else None

    @property
    def taken(self) -> Taken | None:
        """The time it takes, as the slot engine has it."""
        if not self.start_time:
            return None
        span, status = self.slot_length.with_buffers(self.start_time), self.status or Status.CONFIRMED
        return Taken(self.id, span, status, self.lapses_at if status == Status.PENDING else None)

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
    """Where a booking is, by its id. It moves with the booking, which has another key at another time."""

    pattern = keys.BOOKING_REF

    provider_id = UnicodeAttribute(null=True, attr_name="providerId")
    # As the booking's key has it.
    start_key = UnicodeAttribute(null=True, attr_name="startTime")
    status = UnicodeAttribute(null=True)
    # When a PENDING one lapses: the booking itself stands in that index by its status.
    due_at = TimestampAttribute(null=True, attr_name="dueAt")

    # What it points at, where a service has it at hand.
    booking: Booking | None = None

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
        """The key of its booking; none where another service wrote what cannot be one."""
        parts = {"tenant": self.business, "provider": self.provider_id, "start": self.start_key, "booking": self.id}
        try:
            return keys.BOOKING.key(**{name: part for name, part in parts.items() if part is not None})
        except BadKey:
            return None
