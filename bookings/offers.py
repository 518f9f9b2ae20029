"""Which starts a form offers: those of a day that are free, or the next ones, and why the wanted one is not."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError

from bookings.grid import clock_at
from bookings.hours import Hours, Span, windows
from bookings.items import Booking, Provider
from bookings.presenters import short_day
from bookings.queries.calendar import Around
from bookings.reasons import clock_time, in_words
from bookings.slots import Rules, Taken, Verdict, Want, free_starts, next_free, why_not
from dashboard.table.timestamps import to_wire
from dashboard.web.locale import zone_in_words
from dashboard.web.moments import as_local, read_moment
from dashboard.web.templatetags.ui import zone_name


@dataclass(frozen=True)
class Start:
    """A start that can be had."""

    value: str
    label: str
    is_chosen: bool = False
    # Where the booking that is to be moved stands.
    is_now: bool = False


@dataclass(frozen=True)
class Offers:
    """A provider's day for someone who wants some of it."""

    around: Around
    want: Want
    rules: Rules
    day: dt.date
    # As it was asked for: on the grid or off it.
    wanted: str = ""
    # A booking that is to be moved is not in its own way.
    moving: Booking | None = None
    taken: list[Taken] = field(default_factory=list)

    @classmethod
    def of(
        cls, around: Around, want: Want, rules: Rules, day: dt.date, wanted: str = "", moving: Booking | None = None
    ) -> Offers:
        others = [each for each in around.bookings if moving is None or each.id != moving.id]
        taken = [each.taken for each in others if each.taken is not None]
        return cls(around, want, rules, day, wanted, moving, taken)

    @property
    def provider(self) -> Provider:
        return self.around.provider

    @property
    def hours(self) -> Hours:
        return self.around.hours

    @property
    def where(self) -> ZoneInfo:
        return self.hours.zone

    @property
    def zone(self) -> str:
        return self.where.key

    @property
    def zone_said(self) -> str:
        return zone_in_words(self.zone)

    @cached_property
    def moment(self) -> datetime | None:
        """What is wanted; none where that is no time."""
        return moment_of(self.wanted, self.where)

    @cached_property
    def starts(self) -> list[Start]:
        found = free_starts(self.hours, self.day, self.want, self.taken, self.rules)
        return [
            Start(to_wire(each), clock_time(each, self.where), each == self.moment, each == self._now) for each in found
        ]

    @property
    def _now(self) -> datetime | None:
        moving = self.moving
        return moving.start_time if moving is not None and moving.provider == self.provider.id else None

    @cached_property
    def following(self) -> list[Start]:
        """The next ones, from what is wanted on, or from that day on."""
        since = self.moment or clock_at(self.day, 0, self.where)
        found = next_free(self.hours, since, self.want, self.taken, self.rules)
        return starts_in_full(found, self.where)

    @cached_property
    def verdict(self) -> Verdict | None:
        """Whether the wanted start is free."""
        if self.moment is None:
            return None
        return why_not(self.hours, self.moment, self.want, self.taken, self.rules)

    @property
    def refusal(self) -> str:
        verdict = self.verdict
        return in_words(verdict, self.where) if verdict is not None else ""

    @property
    def closed(self) -> str:
        """Why nothing can be had on that day, whoever has booked it; empty where it is only full."""
        worked = self.windows
        last = worked[-1].end - self.want.duration if worked else clock_at(self.day, 12 * 60, self.where)
        return in_words(why_not(self.hours, last, self.want, [], self.rules), self.where)

    @property
    def in_the_way(self) -> Booking | None:
        verdict = self.verdict
        taken = verdict.taken if verdict is not None else None
        return next((each for each in self.around.bookings if taken and each.id == taken.booking_id), None)

    @property
    def typed(self) -> str:
        """What the field for another time holds: what is wanted and not among the starts."""
        moment = self.moment
        if moment is None or any(each.is_chosen for each in self.starts):
            return ""
        return as_local(moment, self.zone)

    @property
    def windows(self) -> list[Span]:
        return windows(self.hours, self.day)


def starts_in_full(moments: list[datetime], where: ZoneInfo) -> list[Start]:
    """Starts with their day and zone, for buttons."""
    found = []
    for moment in moments:
        local = moment.astimezone(where)
        text = f"{short_day(local.date())}, {clock_time(moment, where)} {zone_name(local)}"
        found.append(Start(to_wire(moment), text))
    return found


def start_said(moment: datetime, where: ZoneInfo, here: ZoneInfo) -> str:
    """`Wed 25 Nov 2026, 16:45`, as one says it to whoever comes; the zone where the clock alone would not tell."""
    local = moment.astimezone(where)
    twice = local.replace(fold=1 - local.fold).utcoffset() != local.utcoffset()
    elsewhere = local.utcoffset() != moment.astimezone(here).utcoffset()
    said = f"{short_day(local.date())}, {local:%H:%M}"
    return f"{said} {zone_name(local)}" if twice or elsewhere else said


def moment_of(text: Any, where: ZoneInfo) -> datetime | None:
    """What an address or a form means by a time; none where it means none."""
    try:
        return read_moment(str(text), where).utc if text else None
    except (ValidationError, ValueError, OverflowError):
        return None
