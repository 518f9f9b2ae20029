"""What a business offers, who does it and when, and who comes (seed 004)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Self
from zoneinfo import ZoneInfo

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from bookings.hours import Span
from bookings.slots import LONGEST, Taken, Want, minutes
from bookings.states import LAPSED, Status
from dashboard.table import keys
from dashboard.table.attributes import DecimalAttribute, PlainListAttribute, PlainMapAttribute
from dashboard.table.items import Item, Raw
from dashboard.table.keypattern import BadKey, IndexKey, Key
from dashboard.table.timestamps import TimestampAttribute, from_wire, to_wire
from dashboard.ui.locale import ZONES, zone

NO_TIME = timedelta()
# How long a booking counts that does not say when it ends.
UNTOLD = timedelta(hours=1)
# Nothing that is booked takes longer than a week.
MOST_MINUTES = 7 * 24 * 60


def whole_minutes(value: Any) -> int:
    """Minutes as another service may have written them; nothing where that is no number of minutes."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if number and 0 < value <= MOST_MINUTES else 0


class Service(Item):
    """Something one can book."""

    pattern = keys.SERVICE

    tenant_id = UnicodeAttribute(null=True, attr_name="tenantId")
    service_id = UnicodeAttribute(null=True, attr_name="serviceId")
    name = UnicodeAttribute(null=True)
    description = UnicodeAttribute(null=True)
    duration_minutes = NumberAttribute(null=True, attr_name="durationMinutes")
    # Before and after: nobody else comes then.
    buffer_before = NumberAttribute(null=True, attr_name="bufferBeforeMinutes")
    buffer_after = NumberAttribute(null=True, attr_name="bufferAfterMinutes")
    price = DecimalAttribute(null=True)
    currency = UnicodeAttribute(null=True)
    category = UnicodeAttribute(null=True)
    active = BooleanAttribute(null=True)

    # What lists show.
    CARD = (
        "name",
        "description",
        "durationMinutes",
        "bufferBeforeMinutes",
        "bufferAfterMinutes",
        "price",
        "currency",
        "category",
        "active",
        "revision",
    )

    @property
    def id(self) -> str:
        return str(self.key_parts["service"])

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def is_active(self) -> bool:
        """Whether it can be booked; where another service has not said, it can."""
        return self.active is not False

    @property
    def minutes(self) -> int | None:
        """How long it takes; none where that is no length of time."""
        return whole_minutes(self.duration_minutes) or None

    def index_keys(self) -> Iterator[IndexKey]:
        tenant = self.key_parts["tenant"]
        yield from keys.SERVICES_BY_CATEGORY.place(tenant=tenant, category=self.category, name=self.name)


class Provider(Item):
    """Someone who can be booked."""

    pattern = keys.PROVIDER

    tenant_id = UnicodeAttribute(null=True, attr_name="tenantId")
    provider_id = UnicodeAttribute(null=True, attr_name="providerId")
    name = UnicodeAttribute(null=True)
    bio = UnicodeAttribute(null=True)
    services = PlainListAttribute(null=True)
    timezone = UnicodeAttribute(null=True)
    active = BooleanAttribute(null=True)
    # Moved by any change of hours or zone: a booking checks that it was made on the hours it saw.
    schedule_revision = NumberAttribute(null=True, attr_name="scheduleRevision")
    # Who moved it, and when: the item's own stamps tell of its name and the like.
    schedule_by = UnicodeAttribute(null=True, attr_name="scheduleBy")
    schedule_by_name = UnicodeAttribute(null=True, attr_name="scheduleByName")
    schedule_at = TimestampAttribute(null=True, attr_name="scheduleAt")
    feed_hash = UnicodeAttribute(null=True, attr_name="feedHash")
    # Set with a booking: whoever deletes them has looked for bookings while it was not there.
    ever_booked = BooleanAttribute(null=True, attr_name="everBooked")

    # What lists show.
    CARD = ("name", "services", "timezone", "active", "scheduleRevision", "revision")

    @property
    def id(self) -> str:
        return str(self.key_parts["provider"])

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def is_active(self) -> bool:
        """Whether they can be booked; where another service has not said, they can."""
        return self.active is not False

    @property
    def service_ids(self) -> list[str]:
        """What they do, by id; what is no id is left out."""
        return [each for each in self.services or [] if isinstance(each, str) and each]

    @property
    def schedule_seen(self) -> int:
        """What a form about hours sends back as `version`."""
        return max(int(self.schedule_revision or 0), 0)

    def zone(self, business: str | None) -> ZoneInfo:
        """Where their clock hangs: their own zone, else the business's."""
        return zone(self.timezone if self.timezone in ZONES else business)


class Customer(Item):
    """Someone who books."""

    pattern = keys.CUSTOMER

    tenant_id = UnicodeAttribute(null=True, attr_name="tenantId")
    customer_id = UnicodeAttribute(null=True, attr_name="customerId")
    name = UnicodeAttribute(null=True)
    email = UnicodeAttribute(null=True)
    phone = UnicodeAttribute(null=True)

    # What lists show.
    CARD = ("name", "email", "phone", "createdAt", "revision")

    @property
    def id(self) -> str:
        return str(self.key_parts["customer"])

    @property
    def title(self) -> str:
        return self.name or self.email or self.phone or self.id


class Availability(Item):
    """A provider's hours on a day of the week."""

    pattern = keys.AVAILABILITY

    time_ranges = PlainListAttribute(null=True, attr_name="timeRanges")
    breaks = PlainListAttribute(null=True)
    exceptions = PlainListAttribute(null=True)

    # What is said of a day in lists.
    CARD = ("timeRanges", "breaks", "exceptions")

    @property
    def weekday(self) -> str:
        return str(self.key_parts["weekday"])

    @property
    def provider(self) -> str:
        return str(self.key_parts["provider"])

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.AVAILABILITY_OF_DAY.place(**self.key_parts)


class ProviderDay(Item):
    """The ledger of a provider's day in UTC: what takes which time. It guards the time, not the bookings' keys."""

    pattern = keys.PROVIDER_DAY

    # Booking's id → from when to when with its buffers, its status, until when it holds, and the start in its key.
    busy = PlainMapAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.PROVIDER_DAYS.place(**self.key_parts)

    @property
    def provider(self) -> str:
        return str(self.key_parts["provider"])

    @property
    def date(self) -> dt.date | None:
        return _date(self.key_parts.get("date"))

    @property
    def taken(self) -> list[Taken]:
        """What takes time, as the slot engine has it; what is none is left out."""
        entries = self.busy.items() if self.busy else ()
        found = (_taken(name, entry) for name, entry in entries if isinstance(entry, dict))
        return [each for each in found if each is not None]

    def start_of(self, booking_id: str) -> str:
        """The start in the key of a booking that stands here."""
        entry = (self.busy or {}).get(booking_id)
        return str(entry.get("startTime") or "") if isinstance(entry, dict) else ""

    def put(self, booking: Booking) -> None:
        taken = booking.taken
        if taken is None:
            return
        span = taken.span_with_buffers
        entry = {"start": to_wire(span.start), "end": to_wire(span.end), "status": str(taken.status)}
        entry["startTime"] = booking.start_key
        if taken.lapses_at is not None:
            entry["lapsesAt"] = to_wire(taken.lapses_at)
        self.busy = (self.busy or {}) | {booking.id: entry}

    def drop(self, booking_id: str) -> None:
        self.busy = {name: entry for name, entry in (self.busy or {}).items() if name != booking_id}


def _taken(booking_id: str, entry: dict[str, Any]) -> Taken | None:
    start, end, lapses = (_moment(entry.get(name)) for name in ("start", "end", "lapsesAt"))
    if start is None or end is None:
        return None
    return Taken(booking_id, Span(start, end), str(entry.get("status") or Status.CONFIRMED), lapses)


def _date(text: Any) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None


def _moment(text: Any) -> datetime | None:
    try:
        return from_wire(text) if isinstance(text, str) else None
    except (ValueError, OverflowError):
        return None


class Booking(Item):
    """Someone comes at a time."""

    pattern = keys.BOOKING
    told_by_key = {"bookingId": "booking", "tenantId": "tenant", "providerId": "provider", "startTime": "start"}

    booking_id = UnicodeAttribute(null=True, attr_name="bookingId")
    tenant_id = UnicodeAttribute(null=True, attr_name="tenantId")
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
            known = {str(each.attr_name) for each in cls.get_attributes().values()} - item.unread
            item.beside = {name: value for name, value in raw.items() if name not in known}
        return item

    def index_keys(self) -> Iterator[IndexKey]:
        parts = self.key_parts
        tenant, start = parts["tenant"], parts["start"]
        yield from keys.BOOKINGS_OF_CUSTOMER.place(tenant=tenant, customer=self.customer_id, start=start)
        yield from keys.BOOKING_BY_ID.place(**parts)
        yield from keys.BOOKINGS_OF_SERVICE.place(tenant=tenant, service=self.service_id, start=start)
        yield from keys.BOOKINGS.place(tenant=tenant, start=start)
        yield from keys.BOOKINGS_BY_STATUS.place(tenant=tenant, status=self.status, start=start)

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
    def want(self) -> Want:
        """How long it takes. One of another service may not say, and none counts for more than a day."""
        start, end = self.start_time, self.end_time
        known = start is not None and end is not None and end > start
        length = min((end - start) if known else UNTOLD, LONGEST)
        before, after = minutes(self.buffer_before) or NO_TIME, minutes(self.buffer_after) or NO_TIME
        before = min(before, LONGEST - length)
        return Want(length, before, min(after, LONGEST - length - before))

    @property
    def span(self) -> Span | None:
        """From when to when someone is there; none where its key holds no moment."""
        return self.want.span(self.start_time) if self.start_time else None

    @property
    def taken(self) -> Taken | None:
        """The time it takes, as the slot engine has it."""
        if not self.start_time:
            return None
        span, status = self.want.with_buffers(self.start_time), self.status or Status.CONFIRMED
        return Taken(self.id, span, status, self.lapses_at if status == Status.PENDING else None)

    def lapsed(self, now: datetime) -> bool:
        """Whether it waited for a confirmation that did not come in time, whoever has noticed."""
        if self.status == Status.CANCELLED:
            return self.cancel_reason == LAPSED
        return self.status == Status.PENDING and self.lapses_at is not None and now >= self.lapses_at


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
    def tenant(self) -> str:
        return str(self.key_parts["tenant"])

    @property
    def place(self) -> Key | None:
        """The key of its booking; none where another service wrote what cannot be one."""
        parts = {"tenant": self.tenant, "provider": self.provider_id, "start": self.start_key, "booking": self.id}
        try:
            return keys.BOOKING.key(**{name: part for name, part in parts.items() if part is not None})
        except BadKey:
            return None


class Conversation(Item):
    """How far someone got with the agent."""

    pattern = keys.CONVERSATION

    state = UnicodeAttribute(null=True)
    service_id = UnicodeAttribute(null=True, attr_name="serviceId")
    provider_id = UnicodeAttribute(null=True, attr_name="providerId")
    slot_start = TimestampAttribute(null=True, attr_name="slotStart")
    slot_end = TimestampAttribute(null=True, attr_name="slotEnd")
    user_context = PlainMapAttribute(null=True, attr_name="userContext")

    def index_keys(self) -> Iterator[IndexKey]:
        tenant = self.key_parts["tenant"]
        yield from keys.CONVERSATIONS_BY_STATE.place(tenant=tenant, state=self.state, updated_at=self.updated_at)
