"""The rows of a week's form: times for each day, and dates that differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from bookings.forms.times import day_names
from bookings.hours import MINUTES_A_DAY, Range
from bookings.week import clock

OFF, OTHER = "off", "other"
RANGE, BREAK = "range", "break"
_TIME, _DAY = re.compile(r"[0-9]{2}:[0-9]{2}"), re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass
class Cell:
    """One input: what it holds, and what is wrong with it."""

    name: str
    label: str
    value: str = ""
    error: str = ""

    @property
    def id(self) -> str:
        return f"id_{self.name}"

    @property
    def input_type(self) -> str:
        """A field of time or date shows nothing that is none: such a text stays as it was typed."""
        wanted, kind = (_DAY, "date") if self.name.endswith("_day") else (_TIME, "time")
        return kind if not self.value or wanted.fullmatch(self.value) else "text"


@dataclass
class TimeRange:
    """From a time up to another."""

    start: Cell
    end: Cell
    # The button that takes it away.
    remove: str
    is_new: bool = False


@dataclass
class DateRow(TimeRange):
    """A date that differs: off, or other hours. Two rows with the same date are two stretches of that day."""

    day: Cell = field(default_factory=lambda: Cell("", ""))
    kind: str = OFF

    @property
    def kind_name(self) -> str:
        return self.day.name.removesuffix("_day") + "_kind"


@dataclass
class Day:
    weekday: str
    label: str
    ranges: list[TimeRange] = field(default_factory=list)
    breaks: list[TimeRange] = field(default_factory=list)

    @property
    def rows(self) -> Iterator[TimeRange]:
        yield from self.ranges
        yield from self.breaks


def row_of(weekday: str, kind: str, number: int, each: Range | None = None, *, is_new: bool = False) -> TimeRange:
    name, label = f"{weekday}_{kind}_{number}", day_names()[weekday]
    what = _("break") if kind == BREAK else _("hours")
    said = {"day": label, "what": what, "number": number + 1}
    start = Cell(f"{name}_start", _("%(day)s, %(what)s %(number)s, from") % said)
    end = Cell(f"{name}_end", _("%(day)s, %(what)s %(number)s, until") % said)
    if each is not None:
        start.value, end.value = _shown(each.start_minute), _shown(each.end_minute)
    return TimeRange(start, end, f"remove {weekday} {kind} {number}", is_new)


def same_row(weekday: str, kind: str, number: int, row: TimeRange) -> TimeRange:
    made = row_of(weekday, kind, number)
    made.start.value, made.end.value = row.start.value, row.end.value
    return made


def date_row(number: int, day: str, each: Range | None, *, is_new: bool = False) -> DateRow:
    name, said = f"date_{number}", {"number": number + 1}
    row = DateRow(
        Cell(f"{name}_start", _("Date %(number)s, from") % said),
        Cell(f"{name}_end", _("Date %(number)s, until") % said),
        f"remove date {number}",
        is_new,
        day=Cell(f"{name}_day", _("Date %(number)s") % said, day),
    )
    if each is not None:
        row.kind, row.start.value, row.end.value = OTHER, _shown(each.start_minute), _shown(each.end_minute)
    return row


def same_date(number: int, row: DateRow) -> DateRow:
    made = date_row(number, row.day.value, None)
    made.kind, made.start.value, made.end.value = row.kind, row.start.value, row.end.value
    return made


def _shown(minute: int) -> str:
    """A field of time has no 24:00: as an end, midnight is 00:00."""
    return clock(0 if minute == MINUTES_A_DAY else minute)
