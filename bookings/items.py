"""What a business offers, who does it and when, and who comes (seed 004)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from zoneinfo import ZoneInfo

from pynamodb.attributes import BooleanAttribute, NumberAttribute, UnicodeAttribute

from dashboard.table import keys
from dashboard.table.attributes import DecimalAttribute, PlainListAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute
from dashboard.ui.locale import ZONES, zone

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
    """The ledger of a provider's day: what takes which time."""

    pattern = keys.PROVIDER_DAY

    busy = PlainMapAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.PROVIDER_DAYS.place(**self.key_parts)


class Booking(Item):
    """Someone comes at a time."""

    pattern = keys.BOOKING

    booking_id = UnicodeAttribute(null=True, attr_name="bookingId")
    tenant_id = UnicodeAttribute(null=True, attr_name="tenantId")
    provider_id = UnicodeAttribute(null=True, attr_name="providerId")
    service_id = UnicodeAttribute(null=True, attr_name="serviceId")
    customer_id = UnicodeAttribute(null=True, attr_name="customerId")
    start_time = TimestampAttribute(null=True, attr_name="startTime")
    end_time = TimestampAttribute(null=True, attr_name="endTime")
    status = UnicodeAttribute(null=True)
    payment_status = UnicodeAttribute(null=True, attr_name="paymentStatus")

    def index_keys(self) -> Iterator[IndexKey]:
        # The key has the start, the attribute may be missing: the seed has it in the key alone.
        tenant, start = self.key_parts["tenant"], self.key_parts["start"]
        yield from keys.BOOKINGS_OF_CUSTOMER.place(tenant=tenant, customer=self.customer_id, start=start)
        yield from keys.BOOKINGS_OF_SERVICE.place(tenant=tenant, service=self.service_id, start=start)
        yield from keys.BOOKINGS.place(tenant=tenant, start=start)
        yield from keys.BOOKINGS_BY_STATUS.place(tenant=tenant, status=self.status, start=start)


class BookingRef(Item):
    """Where a booking is, by its id."""

    pattern = keys.BOOKING_REF

    provider_id = UnicodeAttribute(null=True, attr_name="providerId")
    start_time = TimestampAttribute(null=True, attr_name="startTime")
    status = UnicodeAttribute(null=True)


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
