"""The rows of the form of a week: times for each weekday, and dates with special hours."""

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
    """One input with its value and its error."""

    name: str
    label: str
    value: str = ""
    error: str = ""

    @property
    def id(self) -> str:
        return f"id_{self.name}"

    @property
    def input_type(self) -> str:
        """An input of type time or date would hide an invalid text, so such a text gets a text input."""
        pattern, kind = (_DAY, "date") if self.name.endswith("_day") else (_TIME, "time")
        return kind if not self.value or pattern.fullmatch(self.value) else "text"


@dataclass
class TimeRange:
    """A row with a start and an end."""

    start: Cell
    end: Cell
    # The value of the button that removes it.
    remove: str
    is_new: bool = False


@dataclass
class DateRow(TimeRange):
    """A date with special hours, or off. A date with two ranges takes two rows."""

    day: Cell = field(default_factory=lambda: Cell("", ""))
    kind: str = OFF

    @property
    def kind_name(self) -> str:
        return self.day.name.removesuffix("_day") + "_kind"


@dataclass
class WeekdayHours:
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
    kind_label = _("break") if kind == BREAK else _("hours")
    params = {"day": label, "kind": kind_label, "number": number + 1}
    start = Cell(f"{name}_start", _("%(day)s, %(kind)s %(number)s, from") % params)
    end = Cell(f"{name}_end", _("%(day)s, %(kind)s %(number)s, until") % params)
    if each is not None:
        start.value, end.value = _input_value(each.start_minute), _input_value(each.end_minute)
    return TimeRange(start, end, f"remove {weekday} {kind} {number}", is_new)


def copy_row(weekday: str, kind: str, number: int, row: TimeRange) -> TimeRange:
    copied = row_of(weekday, kind, number)
    copied.start.value, copied.end.value = row.start.value, row.end.value
    return copied


def date_row(number: int, day: str, each: Range | None, *, is_new: bool = False) -> DateRow:
    name, params = f"date_{number}", {"number": number + 1}
    row = DateRow(
        Cell(f"{name}_start", _("Date %(number)s, from") % params),
        Cell(f"{name}_end", _("Date %(number)s, until") % params),
        f"remove date {number}",
        is_new,
        day=Cell(f"{name}_day", _("Date %(number)s") % params, day),
    )
    if each is not None:
        row.kind, row.start.value, row.end.value = OTHER, _input_value(each.start_minute), _input_value(each.end_minute)
    return row


def copy_date(number: int, row: DateRow) -> DateRow:
    copied = date_row(number, row.day.value, None)
    copied.kind, copied.start.value, copied.end.value = row.kind, row.start.value, row.end.value
    return copied


def _input_value(minute: int) -> str:
    """An input of type time has no 24:00, so the end of the day is 00:00."""
    return clock(0 if minute == MINUTES_A_DAY else minute)
