"""Services, and staff members with their hours."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from zoneinfo import ZoneInfo

from bookings.slots import SlotLength, slot_length_of, to_minutes
from dashboard.table import keys
from dashboard.table.attributes import (
    DecimalAttribute,
    LenientBooleanAttribute,
    LenientNumberAttribute,
    LenientUnicodeAttribute,
    PlainListAttribute,
)
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.nested import texts_in
from dashboard.table.timestamps import TimestampAttribute
from dashboard.web.locale import ZONES, zone

# We never count this far; a larger number is not ours.
MAX_REVISIONS = 10**15


class Service(Item):
    """A service that customers book."""

    key_pattern = keys.SERVICE
    needs_key_parts = True

    business_id = LenientUnicodeAttribute(null=True, attr_name="tenantId")
    service_id = LenientUnicodeAttribute(null=True, attr_name="serviceId")
    name = LenientUnicodeAttribute(null=True)
    description = LenientUnicodeAttribute(null=True)
    duration_minutes = LenientNumberAttribute(null=True, attr_name="durationMinutes")
    # Minutes before and after, in which nobody else can be booked.
    buffer_before = LenientNumberAttribute(null=True, attr_name="bufferBeforeMinutes")
    buffer_after = LenientNumberAttribute(null=True, attr_name="bufferAfterMinutes")
    price = DecimalAttribute(null=True)
    currency = LenientUnicodeAttribute(null=True)
    category = LenientUnicodeAttribute(null=True)
    active = LenientBooleanAttribute(null=True)

    @property
    def id(self) -> str:
        return str(self.key_parts["service"])

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def is_active(self) -> bool:
        """Whether it can be booked. A service of an outside writer without the attribute is active."""
        return self.active is not False

    @property
    def minutes(self) -> int | None:
        """The duration in minutes; None where it is not valid."""
        length = to_minutes(self.duration_minutes)
        return length // timedelta(minutes=1) if length else None

    @property
    def slot_length(self) -> SlotLength | None:
        """The duration with its buffers; None where it cannot be booked."""
        return slot_length_of(self.duration_minutes, self.buffer_before, self.buffer_after)

    def index_keys(self) -> Iterator[IndexKey]:
        business = self.key_parts["tenant"]
        yield from keys.SERVICES_BY_CATEGORY.optional_key(tenant=business, category=self.category, name=self.name)


class Provider(Item):
    """A staff member who can be booked."""

    key_pattern = keys.PROVIDER
    needs_key_parts = True

    business_id = LenientUnicodeAttribute(null=True, attr_name="tenantId")
    provider_id = LenientUnicodeAttribute(null=True, attr_name="providerId")
    name = LenientUnicodeAttribute(null=True)
    bio = LenientUnicodeAttribute(null=True)
    services = PlainListAttribute(null=True)
    timezone = LenientUnicodeAttribute(null=True)
    active = LenientBooleanAttribute(null=True)
    # Every change of hours or time zone increments it. A booking checks that the hours it read still apply.
    stored_schedule_revision = LenientNumberAttribute(null=True, attr_name="scheduleRevision")
    # Who changed the hours, and when. `updatedBy` is about the other attributes.
    schedule_by = LenientUnicodeAttribute(null=True, attr_name="scheduleBy")
    schedule_by_name = LenientUnicodeAttribute(null=True, attr_name="scheduleByName")
    schedule_at = TimestampAttribute(null=True, attr_name="scheduleAt")
    feed_hash = LenientUnicodeAttribute(null=True, attr_name="feedHash")
    # Set with every booking, so that a deletion fails if a booking is made at the same time.
    ever_booked = LenientBooleanAttribute(null=True, attr_name="everBooked")

    @property
    def id(self) -> str:
        return str(self.key_parts["provider"])

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def is_active(self) -> bool:
        """Whether they can be booked. One of an outside writer without the attribute is active."""
        return self.active is not False

    @property
    def service_ids(self) -> list[str]:
        """The services that they provide, by id. Entries of outside writers that are no id are left out."""
        return [each for each in texts_in(self.services or []) if each]

    @service_ids.setter
    def service_ids(self, ids: list[str] | None) -> None:
        known = self.service_ids
        self.services = [*(ids or []), *(each for each in self.services or [] if each not in known)]

    @property
    def schedule_revision(self) -> int:
        """The number of changes of the hours. A missing or impossible number counts as 0."""
        number = self.stored_schedule_revision or 0
        return int(number) if 0 < number < MAX_REVISIONS else 0

    @schedule_revision.setter
    def schedule_revision(self, number: int) -> None:
        self.stored_schedule_revision = number

    def zone(self, business: str | None) -> ZoneInfo:
        """Their own time zone, else that of the business."""
        return zone(self.timezone if self.timezone in ZONES else business)


class Availability(Item):
    """The hours of a staff member on a weekday."""

    key_pattern = keys.AVAILABILITY
    needs_key_parts = True

    time_ranges = PlainListAttribute(null=True, attr_name="timeRanges")
    breaks = PlainListAttribute(null=True)
    exceptions = PlainListAttribute(null=True)
    # The exceptions of all weekdays as the booking service stores them, in the item with the weekday EXCEPTIONS. The
    # follower copies them to the items of their weekdays.
    exception_rules = PlainListAttribute(null=True, attr_name="exceptionRules")

    # What lists read.
    IN_LISTS = ("timeRanges", "breaks", "exceptions")

    @property
    def weekday(self) -> str:
        return str(self.key_parts["weekday"])

    @property
    def provider(self) -> str:
        return str(self.key_parts["provider"])

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.AVAILABILITY_OF_DAY.optional_key(**self.key_parts)
