"""The start times that a form offers on a day, the next free ones, and why the requested one is not free."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError

from bookings.grid import clock_at
from bookings.hours import Hours, Span, working_spans
from bookings.items import Booking, Provider
from bookings.presenters import short_day
from bookings.queries.calendar import ProviderAvailability
from bookings.reasons import clock_time, refusal_text
from bookings.slots import Rules, SlotLength, TakenTime, Verdict, check_start, free_starts, next_free
from dashboard.table.timestamps import to_wire
from dashboard.web.local_times import Skipped, as_local, read_moment
from dashboard.web.locale import zone_label
from dashboard.web.templatetags.ui import zone_name


@dataclass(frozen=True)
class StartOption:
    """A start that can be chosen."""

    value: str
    label: str
    is_chosen: bool = False
    # The start of the booking that is being moved.
    is_current: bool = False


@dataclass(frozen=True)
class StartOptions:
    """The starts of one provider on one day for a service."""

    availability: ProviderAvailability
    slot_length: SlotLength
    rules: Rules
    day: dt.date
    # As typed or chosen; it may be none of the offered starts.
    requested_start: str = ""
    # The booking that is being moved does not block itself.
    moving: Booking | None = None
    taken: list[TakenTime] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        availability: ProviderAvailability,
        slot_length: SlotLength,
        rules: Rules,
        day: dt.date,
        requested_start: str = "",
        moving: Booking | None = None,
    ) -> StartOptions:
        others = [each for each in availability.bookings if moving is None or each.id != moving.id]
        taken = [each.taken for each in others if each.taken is not None]
        return cls(availability, slot_length, rules, day, requested_start, moving, taken)

    @property
    def provider(self) -> Provider:
        return self.availability.provider

    @property
    def hours(self) -> Hours:
        return self.availability.hours

    @property
    def zone(self) -> ZoneInfo:
        return self.hours.zone

    @property
    def zone_key(self) -> str:
        return self.zone.key

    @property
    def zone_text(self) -> str:
        return zone_label(self.zone_key)

    @cached_property
    def moment(self) -> datetime | None:
        """The requested start; None if it is no valid time."""
        return moment_of(self.requested_start, self.zone)

    @cached_property
    def starts(self) -> list[StartOption]:
        options = free_starts(self.hours, self.day, self.slot_length, self.taken, self.rules)
        return [
            StartOption(to_wire(each), clock_time(each, self.zone), each == self.moment, each == self._current_start)
            for each in options
        ]

    @property
    def _current_start(self) -> datetime | None:
        moving = self.moving
        return moving.start_time if moving is not None and moving.provider == self.provider.id else None

    @cached_property
    def following(self) -> list[StartOption]:
        """The next free starts after the requested one, or from that day on."""
        since = self.moment or self._after_skipped_start or clock_at(self.day, 0, self.zone)
        options = next_free(self.hours, since, self.slot_length, self.taken, self.rules)
        return options_with_day(options, self.zone)

    @cached_property
    def skipped(self) -> ValidationError | None:
        """The error of a requested start that a clock change skips. It names the next time."""
        try:
            read_moment(self.requested_start, self.zone)
        except ValidationError as error:
            return error if isinstance(error.__cause__, Skipped) else None
        return None

    @property
    def _after_skipped_start(self) -> datetime | None:
        cause = self.skipped.__cause__ if self.skipped is not None else None
        return cause.following.astimezone(UTC) if isinstance(cause, Skipped) else None

    @cached_property
    def verdict(self) -> Verdict | None:
        """Whether the requested start is free."""
        if self.moment is None:
            return None
        return check_start(self.hours, self.moment, self.slot_length, self.taken, self.rules)

    @property
    def refusal(self) -> str:
        verdict = self.verdict
        return refusal_text(verdict, self.zone) if verdict is not None else ""

    @property
    def closed(self) -> str:
        """Why the day has no starts regardless of bookings; empty if it is only full."""
        worked = self.working_spans
        last = worked[-1].end - self.slot_length.duration if worked else clock_at(self.day, 12 * 60, self.zone)
        return refusal_text(check_start(self.hours, last, self.slot_length, [], self.rules), self.zone)

    @property
    def blocking_booking(self) -> Booking | None:
        verdict = self.verdict
        taken = verdict.taken if verdict is not None else None
        return next((each for each in self.availability.bookings if taken and each.id == taken.booking_id), None)

    @property
    def typed_start(self) -> str:
        """The requested start, if it is none of the offered ones, for the field for another time."""
        moment = self.moment
        if moment is None or any(each.is_chosen for each in self.starts):
            return ""
        return as_local(moment, self.zone_key)

    @property
    def working_spans(self) -> list[Span]:
        return working_spans(self.hours, self.day)


def options_with_day(moments: list[datetime], zone: ZoneInfo) -> list[StartOption]:
    """Starts with day and zone, for buttons."""
    options = []
    for moment in moments:
        local = moment.astimezone(zone)
        text = f"{short_day(local.date())}, {clock_time(moment, zone)} {zone_name(local)}"
        options.append(StartOption(to_wire(moment), text))
    return options


def start_text(moment: datetime, zone: ZoneInfo, here: ZoneInfo) -> str:
    """`Wed 25 Nov 2026, 16:45`, with the zone if the clock time is ambiguous or differs from the business's."""
    local = moment.astimezone(zone)
    twice = local.replace(fold=1 - local.fold).utcoffset() != local.utcoffset()
    elsewhere = local.utcoffset() != moment.astimezone(here).utcoffset()
    text = f"{short_day(local.date())}, {local:%H:%M}"
    return f"{text} {zone_name(local)}" if twice or elsewhere else text


def moment_of(text: Any, zone: ZoneInfo) -> datetime | None:
    """The moment that a URL or a form means; None if it is no valid time."""
    try:
        return read_moment(str(text), zone).utc if text else None
    except (ValidationError, ValueError, OverflowError):
        return None
