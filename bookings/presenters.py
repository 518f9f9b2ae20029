"""Bookings as the templates show them: as lines, and as blocks in columns of time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from bookings import grid
from bookings.actions import RESCHEDULE
from bookings.audit_labels import PAYMENT_LABELS
from bookings.grid import Axis, GridPosition
from bookings.hours import Hours, Span
from bookings.items import Booking, Provider, Service
from bookings.reasons import clock_times
from bookings.search_hints import path_of
from bookings.states import LAPSED, STATUSES, UNKNOWN, Payment
from dashboard.web.templatetags.ui import day_format, zone_name

MINUTE = timedelta(minutes=1)
_PAYMENTS = {
    Payment.NONE: ("plain", "circle-dashed"),
    Payment.PENDING: ("warn", "timer"),
    Payment.PAID: ("good", "credit-card"),
}
_LAPSED = gettext_lazy("Not confirmed in time")


@dataclass(frozen=True)
class StateBadge:
    """The text, the colour and the icon of a state."""

    code: str
    text: str
    level: str
    icon: str


def state_of(booking: Booking, now: datetime) -> StateBadge:
    """An outside writer's unknown status is shown as it is."""
    code = booking.state(now)
    if code == LAPSED:
        return StateBadge(LAPSED, str(_LAPSED), "plain", "calendar-x")
    if code == UNKNOWN:
        return StateBadge(UNKNOWN, booking.status or "", "plain", "circle-help")
    spec = STATUSES[code]
    return StateBadge(code, str(spec.label), spec.level, spec.icon)


def payment_of(booking: Booking) -> StateBadge:
    code = booking.payment_status or Payment.NONE.value
    if code not in set(Payment):
        return StateBadge(UNKNOWN, code, "plain", "circle-help")
    level, icon = _PAYMENTS[Payment(code)]
    return StateBadge(code, str(PAYMENT_LABELS[Payment(code)]), level, icon)


@dataclass(frozen=True)
class DisplayNames:
    """Names of services, providers and customers by their ids."""

    services: Mapping[str, str] = field(default_factory=dict)
    providers: Mapping[str, str] = field(default_factory=dict)
    customers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, services: Iterable[Service], providers: Iterable[Provider]) -> DisplayNames:
        return cls({each.id: each.title for each in services}, {each.id: each.title for each in providers})

    def service(self, booking: Booking) -> str:
        """The name at the time of booking, otherwise the current one."""
        return booking.service_name or self.services.get(booking.service_id or "", booking.service_id or "")

    def provider(self, provider_id: str) -> str:
        return self.providers.get(provider_id, provider_id)

    def customer(self, booking: Booking) -> str:
        return booking.customer_name or self.customers.get(booking.customer_id or "", booking.title)


class BookingLine:
    """A booking as text, with times in a zone."""

    def __init__(self, booking: Booking, names: DisplayNames, zone: ZoneInfo, now: datetime) -> None:
        self.booking, self.zone = booking, zone
        self.id, self.title, self.revision = booking.id, names.customer(booking), booking.revision
        self.service, self.provider = names.service(booking), names.provider(booking.provider)
        self.state, self.payment = state_of(booking, now), payment_of(booking)
        self.is_movable = RESCHEDULE.is_offered(booking, now)

    @property
    def selection_value(self) -> str:
        """Identifies the booking as the person sees it, in lists with checkboxes."""
        return f"{self.revision}:{self.id}"

    @property
    def path(self) -> str:
        """Its page, below that of the calendar."""
        return path_of(self.booking)

    @cached_property
    def clock(self) -> str:
        """`10:00–11:00`. An outside writer's booking may have no readable time."""
        span = self.booking.span
        if span is None:
            return self.booking.start_key
        times = clock_times(span, self.zone)
        return f"{times['start']}–{times['end']}"

    @property
    def date(self) -> dt.date | None:
        start = self.booking.start_time
        return start.astimezone(self.zone).date() if start else None

    @property
    def day(self) -> str:
        return short_day(self.date) if self.date else ""

    @property
    def summary(self) -> str:
        """`10:00–11:00 Ana, Massage: Confirmed, Paid`."""
        return f"{self.clock} {self.title}, {self.service}: {self.state.text}, {self.payment.text}"

    @property
    def full(self) -> str:
        """`Wed 25 Nov 2026, 16:45–17:30 GMT-3`."""
        start = self.booking.start_time
        return f"{self.day}, {self.clock} {zone_name(start.astimezone(self.zone))}" if start else self.clock


@dataclass(frozen=True)
class Block:
    """A booking in a column. With `is_other`, a filter hides it but its time is drawn as taken."""

    line: BookingLine
    position: GridPosition
    lane: tuple[int, int]
    buffers: list[GridPosition]
    is_other: bool = False
    is_just_changed: bool = False

    @property
    def before(self) -> int:
        """Minutes of buffer before it."""
        return self.line.booking.slot_length.buffer_before // MINUTE

    @property
    def after(self) -> int:
        return self.line.booking.slot_length.buffer_after // MINUTE

    @property
    def css(self) -> str:
        lane, of = self.lane
        size = "low" if self.position.length < 28 else "mid" if self.position.length < 55 else "tall"
        return f"{self.position.css} {size}" + (f" lane{lane} of{of}" if of > 1 else "")


@dataclass(frozen=True)
class Column:
    """One day of one provider."""

    key: str
    title: str
    url: str
    hours_text: str
    axis: Axis
    provider: str
    open_positions: list[GridPosition]
    pauses: list[GridPosition]
    blocks: list[Block]
    now: GridPosition | None
    # The form for a new booking; empty if the provider cannot be booked.
    new_url: str = ""
    zone: str = ""
    is_today: bool = False
    # The form for hours; empty if the provider has any.
    hours_url: str = ""

    @property
    def count(self) -> int:
        return sum(not each.is_other for each in self.blocks)


def blocks_of(lines: Sequence[tuple[BookingLine, bool]], axis: Axis, just_changed: str = "") -> list[Block]:
    """The blocks of a column. The flag of a line says that a filter hides it."""
    placed = []
    for line, is_other in lines:
        span = line.booking.span
        position = axis.position_of(span) if span is not None else None
        if span is not None and position is not None:
            placed.append((line, is_other, span, position))
    lanes = grid.lanes([each[2] for each in placed])
    return [
        Block(line, position, lane, _buffers(line, span, axis), is_other, line.id == just_changed)
        for (line, is_other, span, position), lane in zip(placed, lanes, strict=True)
    ]


def _buffers(line: BookingLine, span: Span, axis: Axis) -> list[GridPosition]:
    taken, spec = line.booking.taken, STATUSES.get(line.state.code)
    if taken is None or spec is None or not spec.takes_time:
        return []
    span_with_buffers = taken.span_with_buffers
    parts = [Span(span_with_buffers.start, span.start), Span(span.end, span_with_buffers.end)]
    positions = [axis.position_of(each) for each in parts if each.start < each.end]
    return [each for each in positions if each is not None]


def hours_text(hours: Hours, axis_day: Span, zone: ZoneInfo) -> str:
    """The working hours of a day, in the calendar's zone."""
    spans = grid.worked(hours, axis_day)
    if not spans:
        return _("Day off") if grid.is_off(hours, axis_day) else _("No hours")
    clipped = Span(max(spans[0].start, axis_day.start), min(spans[-1].end, axis_day.end))
    times = clock_times(clipped, zone)
    return f"{times['start']}–{times['end']}"


def zone_text(provider: Provider | None, business_zone: ZoneInfo, moment: datetime) -> str:
    """The provider's zone, if their clock shows another time; otherwise empty."""
    if provider is None:
        return ""
    provider_zone = provider.zone(business_zone.key)
    local = moment.astimezone(provider_zone)
    if local.utcoffset() == moment.astimezone(business_zone).utcoffset():
        return ""
    return f"{provider_zone.key.replace('_', ' ')} {zone_name(local)}"


def short_day(day: dt.date) -> str:
    """A day with its weekday, in the reader's language."""
    return date_format(day, f"D {day_format()}")


def day_text(day: dt.date) -> str:
    """A day as the heading of a column; the month is above."""
    return date_format(day, "D j")
