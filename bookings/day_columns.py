"""Days as columns: whose, when they work, who comes."""

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
from bookings.presenters import BookingLine, Column, Names, blocks_of, day_said, hours_said, zone_said
from bookings.queries.calendar import Days
from bookings.queries.providers import by_name
from bookings.states import Status

# So many of a day are named where a week of everybody is shown.
NAMED = 12


@dataclass(frozen=True)
class Look:
    """Who looks at what, and when."""

    business: str
    asked: CalendarParams
    where: ZoneInfo
    now: datetime
    just: str = ""

    @property
    def base(self) -> str:
        return reverse("bookings", args=[self.business])

    @property
    def today(self) -> dt.date:
        return self.now.astimezone(self.where).date()


@dataclass(frozen=True)
class Shelf:
    """A day of a week, with who comes in a few lines."""

    title: str
    url: str
    lines: list[BookingLine]
    count: int
    is_today: bool

    @property
    def more(self) -> int:
        return self.count - len(self.lines)


def day(found: Days, look: Look) -> dict[str, Any]:
    """A column for each provider, and for whoever is booked without being one."""
    span = day_span(look.asked.day, look.where)
    columns = _people(found, look)
    hours = {each: _hours(found, each, people, look) for each, people in columns.items()}
    needed = [part for each in hours.values() for part in grid.worked(each, span)]
    axis = grid.axis_of(look.asked.day, look.where, [*needed, *_spans(found.bookings, look)])
    names = Names.of(found.services, found.providers)
    made = [
        _column(found, look, axis, names, person, hours[person], title=names.provider(person), who=who)
        for person, who in columns.items()
    ]
    return _drawn_as(made, axis)


def week(found: Days, look: Look) -> dict[str, Any]:
    """Seven days of one provider, side by side."""
    person = look.asked.provider
    who = next((each for each in found.providers if each.id == person), None)
    hours = _hours(found, person, who, look)
    whole = Span(day_span(look.asked.days[0], look.where).start, day_span(look.asked.days[-1], look.where).end)
    own = found.of(person)
    axes = grid.same_axes(look.asked.days, look.where, [*grid.worked(hours, whole), *_spans(own, look)])
    names = Names.of(found.services, found.providers)
    made = [
        _column(found, look, axis, names, person, hours, title=day_said(each), who=who, day=each)
        for each, axis in zip(look.asked.days, axes, strict=True)
    ]
    return _drawn_as(made, axes[0]) | {"person": names.provider(person)}


def _drawn_as(columns: list[Column], axis: Axis) -> dict[str, Any]:
    lines = (block.line for column in columns for block in column.blocks if not block.is_other)
    return {
        "columns": columns,
        "axis": axis,
        "ticks": axis.ticks,
        "shown": sum(each.count for each in columns),
        "waiting": sum(
            block.line.state.code == Status.PENDING for each in columns for block in each.blocks if not block.is_other
        ),
        # One that can be moved lends the form that moves any of them its address.
        "movable": next((each for each in lines if each.is_movable), None),
    }


def week_of_all(found: Days, look: Look) -> dict[str, Any]:
    """How many come on each day, and the first of them."""
    names = Names.of(found.services, found.providers)
    kept = [BookingLine(each, names, look.where, look.now) for each in found.bookings if look.asked.keeps(each)]
    shelves = []
    for each in look.asked.days:
        lines = [line for line in kept if line.date == each]
        url = look.base + look.asked.query(view="day", day=each.isoformat())
        shelves.append(Shelf(day_said(each), url, lines[:NAMED], len(lines), each == look.today))
    waiting = sum(line.state.code == Status.PENDING for line in kept if line.date in look.asked.days)
    return {"shelves": shelves, "shown": sum(each.count for each in shelves), "waiting": waiting}


def _people(found: Days, look: Look) -> dict[str, Provider | None]:
    """Whose columns are shown: who can be booked, and whoever is booked all the same."""
    booked = {each.provider for each in found.bookings if look.asked.keeps(each)}
    known: dict[str, Provider | None] = {
        each.id: each for each in by_name(found.providers) if each.is_active or each.id in booked
    }
    known |= {each: None for each in sorted(booked) if each not in known}
    chosen = look.asked.provider
    return {each: who for each, who in known.items() if not chosen or each == chosen}


def _hours(found: Days, person: str, who: Provider | None, look: Look) -> Hours:
    where = who.zone(look.where.key) if who is not None else look.where
    return hours_of(where, found.hours.get(person, []))


def _spans(bookings: Iterable[Booking], look: Look) -> list[Span]:
    return [each.span for each in bookings if each.span is not None and look.asked.keeps(each)]


def _column(
    found: Days,
    look: Look,
    axis: Axis,
    names: Names,
    person: str,
    hours: Hours,
    *,
    title: str,
    who: Provider | None,
    day: dt.date | None = None,
) -> Column:
    asked, business = look.asked, look.business
    date = day or asked.day
    span = day_span(date, look.where)
    own = [each for each in found.of(person) if _drawn(each, asked, look.now)]
    lines = [(BookingLine(each, names, look.where, look.now), not asked.keeps(each)) for each in own]
    opens, pauses = (
        [place for each in spans if (place := axis.place(each))]
        for spans in (grid.worked(hours, span), grid.pauses(hours, span))
    )
    query = urlencode({"provider": person, "day": date.isoformat(), "service": asked.service})
    return Column(
        key=day.isoformat() if day else person,
        title=title,
        url=look.base
        + (asked.query(view="day", day=date.isoformat()) if day else f"providers/{quote(person, safe='')}/"),
        said=hours_said(hours, span, look.where),
        axis=axis,
        provider=person,
        opens=opens,
        pauses=pauses,
        blocks=blocks_of(lines, axis, look.just),
        now=axis.at(look.now),
        new=f"{reverse('booking_new', args=[business])}?{query}" if who is not None and who.is_active else "",
        zone=zone_said(who, look.where, span.start) if day is None else "",
        is_today=date == look.today,
        to_hours=reverse("provider_hours", args=[business, person]) if _has_none(who, hours) else "",
    )


def _has_none(who: Provider | None, hours: Hours) -> bool:
    """Whether nobody has said yet when someone works."""
    if who is None or not who.is_active or "/" in who.id:
        return False
    return not hours.exceptions and not any(each.ranges for each in hours.weekly.values())


def _drawn(booking: Booking, asked: CalendarParams, now: datetime) -> bool:
    """What is asked for, and whatever takes time although it is not."""
    if asked.keeps(booking):
        return True
    return booking.status != Status.CANCELLED and not booking.has_lapsed(now)
