"""The columns of the calendar: one day of each provider, or the days of one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode
from zoneinfo import ZoneInfo

from django.urls import reverse

from bookings import grid
from bookings.grid import Axis, day_span
from bookings.hours import Hours, Span, hours_of
from bookings.items import Booking, Provider
from bookings.params import CalendarParams
from bookings.presenters import BookingLine, Column, DisplayNames, blocks_of, day_text, hours_text, zone_text
from bookings.queries.calendar import CalendarDays
from bookings.queries.providers import sort_by_name
from bookings.states import Status, status_takes_time

# How many bookings of a day are listed in a week of all providers.
MAX_LINES_A_DAY = 12


@dataclass(frozen=True)
class CalendarContext:
    """The calendar that a person looks at: its parameters, zone and moment."""

    business: str
    params: CalendarParams
    zone: ZoneInfo
    now: datetime
    just_changed: str = ""

    @property
    def base(self) -> str:
        return reverse("bookings", args=[self.business])

    @property
    def today(self) -> dt.date:
        return self.now.astimezone(self.zone).date()


@dataclass(frozen=True)
class DaySummary:
    """A day in a week of all providers: the number of bookings and the first of them."""

    title: str
    url: str
    lines: list[BookingLine]
    count: int
    is_today: bool

    @property
    def more(self) -> int:
        return self.count - len(self.lines)


def day(days: CalendarDays, calendar: CalendarContext) -> dict[str, Any]:
    """A column for each provider, also for one that is not in the catalog but has bookings."""
    span = day_span(calendar.params.day, calendar.zone)
    providers = _providers(days, calendar)
    hours = {each: _hours(days, each, provider, calendar) for each, provider in providers.items()}
    needed = [part for each in hours.values() for part in grid.worked(each, span)]
    axis = grid.axis_of(calendar.params.day, calendar.zone, [*needed, *_spans(days.bookings, calendar)])
    names = DisplayNames.of(days.services, days.providers)
    columns = [
        _column(
            days,
            calendar,
            axis,
            names,
            provider_id,
            hours[provider_id],
            title=names.provider(provider_id),
            provider=provider,
        )
        for provider_id, provider in providers.items()
    ]
    return _grid_context(columns, axis)


def week(days: CalendarDays, calendar: CalendarContext) -> dict[str, Any]:
    """Seven days of one provider, side by side."""
    provider_id = calendar.params.provider
    provider = next((each for each in days.providers if each.id == provider_id), None)
    hours = _hours(days, provider_id, provider, calendar)
    period = Span(
        day_span(calendar.params.days[0], calendar.zone).start, day_span(calendar.params.days[-1], calendar.zone).end
    )
    own_bookings = days.of(provider_id)
    axes = grid.same_axes(
        calendar.params.days, calendar.zone, [*grid.worked(hours, period), *_spans(own_bookings, calendar)]
    )
    names = DisplayNames.of(days.services, days.providers)
    columns = [
        _column(days, calendar, axis, names, provider_id, hours, title=day_text(each), provider=provider, day=each)
        for each, axis in zip(calendar.params.days, axes, strict=True)
    ]
    return _grid_context(columns, axes[0]) | {"provider_name": names.provider(provider_id)}


def _grid_context(columns: list[Column], axis: Axis) -> dict[str, Any]:
    lines = (block.line for column in columns for block in column.blocks if not block.is_other)
    return {
        "columns": columns,
        "axis": axis,
        "ticks": axis.ticks,
        "booking_count": sum(each.count for each in columns),
        "pending_count": sum(
            block.line.state.code == Status.PENDING for each in columns for block in each.blocks if not block.is_other
        ),
        # The form that moves any booking needs the URL of one.
        "movable": next((each for each in lines if each.is_movable), None),
    }


def week_of_all(days: CalendarDays, calendar: CalendarContext) -> dict[str, Any]:
    """The number of bookings of each day, and the first of them."""
    names = DisplayNames.of(days.services, days.providers)
    matching = [
        BookingLine(each, names, calendar.zone, calendar.now) for each in days.bookings if calendar.params.matches(each)
    ]
    summaries = []
    for each in calendar.params.days:
        lines = [line for line in matching if line.date == each]
        url = calendar.base + calendar.params.query(view="day", day=each.isoformat())
        summaries.append(DaySummary(day_text(each), url, lines[:MAX_LINES_A_DAY], len(lines), each == calendar.today))
    pending_count = sum(line.state.code == Status.PENDING for line in matching if line.date in calendar.params.days)
    return {
        "day_summaries": summaries,
        "booking_count": sum(each.count for each in summaries),
        "pending_count": pending_count,
    }


def _providers(days: CalendarDays, calendar: CalendarContext) -> dict[str, Provider | None]:
    """Active providers, and others that have bookings."""
    booked = {each.provider for each in days.bookings if calendar.params.matches(each)}
    known: dict[str, Provider | None] = {
        each.id: each for each in sort_by_name(days.providers) if each.is_active or each.id in booked
    }
    known |= {each: None for each in sorted(booked) if each not in known}
    chosen = calendar.params.provider
    return {each: provider for each, provider in known.items() if not chosen or each == chosen}


def _hours(days: CalendarDays, provider_id: str, provider: Provider | None, calendar: CalendarContext) -> Hours:
    zone = provider.zone(calendar.zone.key) if provider is not None else calendar.zone
    return hours_of(zone, days.hours.get(provider_id, []))


def _spans(bookings: Iterable[Booking], calendar: CalendarContext) -> list[Span]:
    return [each.span for each in bookings if each.span is not None and calendar.params.matches(each)]


def _column(
    days: CalendarDays,
    calendar: CalendarContext,
    axis: Axis,
    names: DisplayNames,
    provider_id: str,
    hours: Hours,
    *,
    title: str,
    provider: Provider | None,
    day: dt.date | None = None,
) -> Column:
    params, business = calendar.params, calendar.business
    date = day or params.day
    span = day_span(date, calendar.zone)
    own_bookings = [each for each in days.of(provider_id) if _is_drawn(each, params, calendar.now)]
    lines = [(BookingLine(each, names, calendar.zone, calendar.now), not params.matches(each)) for each in own_bookings]
    open_positions, pauses = (
        [position for each in spans if (position := axis.position_of(each))]
        for spans in (grid.worked(hours, span), grid.pauses(hours, span))
    )
    service = params.service if provider is not None and params.service in provider.service_ids else ""
    query = urlencode({"provider": provider_id, "day": date.isoformat(), "service": service})
    return Column(
        key=day.isoformat() if day else provider_id,
        title=title,
        url=calendar.base
        + (params.query(view="day", day=date.isoformat()) if day else f"providers/{quote(provider_id, safe='')}/"),
        hours_text=hours_text(hours, span, calendar.zone),
        axis=axis,
        provider=provider_id,
        open_positions=open_positions,
        pauses=pauses,
        blocks=blocks_of(lines, axis, calendar.just_changed),
        now=axis.at(calendar.now),
        new_url=f"{reverse('booking_new', args=[business])}?{query}"
        if provider is not None and provider.is_active
        else "",
        zone=zone_text(provider, calendar.zone, span.start) if day is None else "",
        is_today=date == calendar.today,
        hours_url=reverse("provider_hours", args=[business, provider_id]) if _has_no_hours(provider, hours) else "",
    )


def _has_no_hours(provider: Provider | None, hours: Hours) -> bool:
    """Whether the provider has no hours at all."""
    if provider is None or not provider.is_active or "/" in provider.id:
        return False
    return not hours.exceptions and not any(each.ranges for each in hours.weekly.values())


def _is_drawn(booking: Booking, params: CalendarParams, now: datetime) -> bool:
    """A booking that the filter hides is drawn too while it takes time."""
    if params.matches(booking):
        return True
    return status_takes_time(booking.status) and not booking.has_lapsed(now)
