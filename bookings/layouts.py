"""The tables of the booking service: one per kind of item."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime

from bookings.hours import WEEKDAYS
from bookings.items import Booking
from bookings.slots import TakenTime
from bookings.states import status_takes_time
from dashboard.core.names import printable_value
from dashboard.platform.transfer.layouts import CHECKS, build_key, move_item, register_layout, text_of
from dashboard.platform.transfer.values import BadLine
from dashboard.table import keys
from dashboard.table.items import Raw
from dashboard.table.timestamps import from_wire, to_wire

_PREFIX = "(ChatBooking-)?"
# A row with the dates that differ, beside those of the weekdays.
_EXCEPTIONS = "EXCEPTIONS"
# So many overlapping pairs are named.
MAX_OVERLAPS = 20


@register_layout("Tenants", f"{_PREFIX}Tenants")
def convert_tenant(item: Raw) -> Iterator[Raw]:
    yield move_item(item, build_key(keys.TENANT, tenant=text_of(item, "tenantId")))


@register_layout("TenantApiKeys", f"{_PREFIX}(Tenant)?ApiKeys")
def convert_api_key(item: Raw) -> Iterator[Raw]:
    yield move_item(item, build_key(keys.API_KEY, tenant=text_of(item, "tenantId"), key_id=text_of(item, "apiKeyId")))


@register_layout("Services", f"{_PREFIX}Services")
def convert_service(item: Raw) -> Iterator[Raw]:
    yield move_item(item, build_key(keys.SERVICE, tenant=text_of(item, "tenantId"), service=text_of(item, "serviceId")))


@register_layout("Providers", f"{_PREFIX}Providers")
def convert_provider(item: Raw) -> Iterator[Raw]:
    yield move_item(
        item, build_key(keys.PROVIDER, tenant=text_of(item, "tenantId"), provider=text_of(item, "providerId"))
    )


@register_layout("ProviderAvailability", f"{_PREFIX}ProviderAvailability")
def convert_availability(item: Raw) -> Iterator[Raw]:
    """Its key is `<tenant>#<provider>`, in the seed as PK and in the real table as `tenantId_providerId`."""
    owner = text_of(item, "tenantId_providerId", "PK")
    business, separator, provider = owner.partition("#")
    if not separator:
        raise BadLine("the key has no #, so the provider is unknown")
    weekday = text_of(item, "dayOfWeek", "SK")
    if weekday not in {*WEEKDAYS, _EXCEPTIONS}:
        raise BadLine("dayOfWeek is neither MON to SUN nor EXCEPTIONS")
    yield move_item(item, build_key(keys.AVAILABILITY, tenant=business, provider=provider, weekday=weekday))


@register_layout("Bookings", f"{_PREFIX}Bookings")
def convert_booking(item: Raw) -> Iterator[Raw]:
    """The start in the key is UTC, so that bookings with different offsets are in order."""
    business, provider = _owner(item)
    start = text_of(item, "startTime", "start", "SK")
    key = build_key(
        keys.BOOKING,
        tenant=business,
        provider=provider,
        start=to_wire(_moment(start)),
        booking=text_of(item, "bookingId"),
    )
    own = {"tenantId": business, "providerId": provider, "startTime": start}
    yield move_item(item, key, **{name: text for name, text in own.items() if name not in item})


def _owner(item: Raw) -> tuple[str, str]:
    """The business and the provider: as attributes, or in the seed as the key `<tenant>#<provider>`."""
    if "tenantId" in item and "providerId" in item:
        return text_of(item, "tenantId"), text_of(item, "providerId")
    business, separator, provider = text_of(item, "PK").partition("#")
    if not separator:
        raise BadLine("tenantId or providerId is missing")
    return business, provider


def _moment(text: str) -> datetime:
    try:
        return from_wire(text)
    except (ValueError, OverflowError):
        raise BadLine("the start is not a time") from None


@register_layout("ConversationState", f"{_PREFIX}(Conversations|ConversationState)")
def convert_conversation(item: Raw) -> Iterator[Raw]:
    key = build_key(keys.CONVERSATION, tenant=text_of(item, "tenantId"), conversation=text_of(item, "conversationId"))
    yield move_item(item, key)


class OverlapCheck:
    """Finds bookings of one staff member that overlap. They are kept; only one of them can be confirmed here."""

    def __init__(self) -> None:
        self._taken: dict[tuple[str, str], dict[str, TakenTime]] = defaultdict(dict)

    def add(self, raw: Raw) -> None:
        if keys.BOOKING.read(raw["PK"]["S"], raw["SK"]["S"]) is None:
            return
        booking = Booking.of(raw, partial=True)
        if booking.taken is not None and status_takes_time(booking.status):
            owner = str(booking.key_parts["tenant"]), booking.provider
            self._taken[owner][booking.id] = booking.taken

    def report_lines(self) -> list[str]:
        found = [
            f"  {business}, {provider}: {printable_value(one)} and {printable_value(other)}"
            for (business, provider), taken in sorted(self._taken.items())
            for one, other in _overlapping(list(taken.values()))
        ]
        if not found:
            return []
        more = [f"  … and {len(found) - MAX_OVERLAPS:,} more"] if len(found) > MAX_OVERLAPS else []
        return [
            f"Bookings that overlap: {len(found):,}. Only one of each pair can be confirmed.",
            *found[:MAX_OVERLAPS],
            *more,
        ]


def _overlapping(taken: list[TakenTime]) -> Iterator[tuple[str, str]]:
    """The ids of each booking that overlaps, with the one before it that ends last."""
    last: TakenTime | None = None
    for each in sorted(taken, key=lambda one: (one.span_with_buffers.start, one.booking_id)):
        if last is not None and each.span_with_buffers.start < last.span_with_buffers.end:
            yield last.booking_id, each.booking_id
        if last is None or each.span_with_buffers.end > last.span_with_buffers.end:
            last = each


CHECKS.append(OverlapCheck)
