"""The form of a staff member's week: rows of times for each weekday, and dates with special hours.

The buttons that add and remove rows send the form. It keeps what was typed, and only Save saves it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from bookings.forms.rows import (
    BREAK,
    OFF,
    OTHER,
    RANGE,
    Cell,
    DateRow,
    TimeRange,
    WeekdayHours,
    copy_date,
    copy_row,
    date_row,
    row_of,
)
from bookings.forms.times import InvalidTime, check_breaks, day_names, read_date, read_times
from bookings.hours import WEEKDAYS, DayHours, Hours, Range
from bookings.week import Exceptions, Week, clock
from dashboard.web.forms import submitted_revision

MAX_ROWS = 8
MAX_DATES = 60
# Outside writers store more: all their rows are shown, but only this many of their dates.
MAX_LISTED_DATES = 50
_ROW = re.compile(r"(MON|TUE|WED|THU|FRI|SAT|SUN)_(range|break)_([0-9]{1,3})_start")
_DATE = re.compile(r"date_([0-9]{1,2})_day")


class HoursForm:
    """The rows of a week, as stored or as sent. `is_valid` sets `week`, the requested week."""

    week: Week
    is_checked = False

    def __init__(self, days: list[WeekdayHours], dates: list[DateRow], revision: int) -> None:
        self.days, self.dates, self.revision = days, dates, revision
        self.copy_from, self.copy_to = WEEKDAYS[0], set[str]()
        self.copy_error = ""
        # Dates from this one on are not shown, and stay as they are stored.
        self.beyond: dt.date | None = None

    @classmethod
    def from_hours(cls, hours: Hours, since: dt.date, revision: int) -> HoursForm:
        """The stored hours. A weekday without hours has one empty row."""
        days = []
        for number, (weekday, label) in enumerate(day_names().items()):
            known = hours.weekly.get(number, DayHours())
            day = WeekdayHours(weekday, label)
            day.ranges = [row_of(weekday, RANGE, n, each) for n, each in enumerate(known.ranges or (None,))]
            day.breaks = [row_of(weekday, BREAK, n, each) for n, each in enumerate(known.breaks)]
            days.append(day)
        dates = [(day, each) for day in sorted(hours.exceptions) if day >= since for each in _date_ranges(hours, day)]
        beyond = dates[MAX_LISTED_DATES][0] if len(dates) > MAX_LISTED_DATES else None
        listed = [(day, each) for day, each in dates if beyond is None or day < beyond]
        form = cls(days, [date_row(n, day.isoformat(), each) for n, (day, each) in enumerate(listed)], revision)
        form.beyond = beyond
        return form

    @classmethod
    def from_post(cls, data: Mapping[str, Any]) -> HoursForm:
        """The rows as they were typed, valid or not."""
        days = {weekday: WeekdayHours(weekday, label) for weekday, label in day_names().items()}
        # In the order of the page.
        matches = [match for name in data if (match := _ROW.fullmatch(name))]
        for match in sorted(matches, key=lambda each: int(each[3])):
            rows = days[match[1]].ranges if match[2] == RANGE else days[match[1]].breaks
            row = row_of(match[1], match[2], len(rows))
            row.start.value, row.end.value = _typed(data, match[0]), _typed(data, match[0][:-5] + "end")
            rows.append(row)
        numbers = sorted(int(match[1]) for name in data if (match := _DATE.fullmatch(name)))
        dates: list[DateRow] = []
        for number in numbers[:MAX_DATES]:
            row = date_row(len(dates), _typed(data, f"date_{number}_day"), None)
            row.kind = OTHER if data.get(f"date_{number}_kind") == OTHER else OFF
            row.start.value, row.end.value = (_typed(data, f"date_{number}_{name}") for name in ("start", "end"))
            dates.append(row)
        revision = submitted_revision(data)[:40]
        form = cls(list(days.values()), dates, int(revision) if revision.isascii() and revision.isdecimal() else 0)
        form.copy_from = data.get("copy_from", "") if data.get("copy_from") in WEEKDAYS else WEEKDAYS[0]
        form.beyond = _date(_typed(data, "beyond"))
        form.copy_to = {weekday for weekday in WEEKDAYS if data.get(f"copy_to_{weekday}")}
        return form

    def act(self, action: str) -> None:
        """Execute the action of a button: add a row, remove one, or copy a day to others."""
        match action.split():
            case ["copy"]:
                self._copy()
            case ["add", "date"] if len(self.dates) < MAX_DATES:
                self.dates.append(date_row(len(self.dates), "", None, is_new=True))
            case ["remove", "date", _]:
                remaining = [row for row in self.dates if row.remove != action]
                self.dates = [copy_date(number, row) for number, row in enumerate(remaining)]
            case ["add", weekday, kind]:
                self._add(weekday, kind)
            case ["remove", weekday, kind, _]:
                rows = self._rows(weekday, kind)
                left = [row for row in rows if row.remove != action]
                rows[:] = [copy_row(weekday, kind, number, row) for number, row in enumerate(left)]

    def _add(self, weekday: str, kind: str) -> None:
        rows = self._rows(weekday, kind)
        if kind in {RANGE, BREAK} and weekday in WEEKDAYS and len(rows) < MAX_ROWS:
            rows.append(row_of(weekday, kind, len(rows), is_new=True))

    def _rows(self, weekday: str, kind: str) -> list[TimeRange]:
        """The rows of a weekday, to be changed in place. An unknown weekday has none."""
        day = next((each for each in self.days if each.weekday == weekday), WeekdayHours("", ""))
        return {RANGE: day.ranges, BREAK: day.breaks}.get(kind, [])

    def _copy(self) -> None:
        source = self.days[WEEKDAYS.index(self.copy_from)]
        if not self.copy_to - {self.copy_from}:
            self.copy_error = _("Choose the days to copy to.")
            return
        for day in self.days:
            if day.weekday in self.copy_to and day is not source:
                day.ranges = [copy_row(day.weekday, RANGE, n, row) for n, row in enumerate(source.ranges)]
                day.breaks = [copy_row(day.weekday, BREAK, n, row) for n, row in enumerate(source.breaks)]

    def is_valid(self, since: dt.date, known: Exceptions) -> bool:
        """Whether every row is valid. `known` are the stored special hours, whose dates are always valid."""
        days = {day.weekday: self._day_hours(day) for day in self.days}
        unseen = {day: each for day, each in known.items() if self.beyond is not None and day >= self.beyond}
        self.week = Week(days, unseen | self._exceptions(since, set(known)), since)
        self.is_checked = True
        return not self.errors

    def clear_errors(self) -> None:
        """Remove all errors: they are shown only after Save."""
        for cell in self.errors:
            cell.error = ""

    @property
    def errors(self) -> list[Cell]:
        cells = [cell for day in self.days for row in day.rows for cell in (row.start, row.end)]
        cells += [cell for row in self.dates for cell in (row.day, row.start, row.end)]
        return [cell for cell in cells if cell.error]

    def _day_hours(self, day: WeekdayHours) -> DayHours:
        ranges, breaks = _read(day.ranges), _read(day.breaks)
        if not any(row.start.error or row.end.error for row in day.ranges):
            check_breaks(day.breaks, breaks, [each for each in ranges if each])
        return DayHours(tuple(each for each in ranges if each), tuple(each for each in breaks if each))

    def _exceptions(self, since: dt.date, known: set[dt.date]) -> dict[dt.date, DayHours | None]:
        rows: dict[dt.date, list[DateRow]] = {}
        for row in self.dates:
            try:
                day = read_date(row, since, known)
            except InvalidTime as error:
                row.day.error = str(error)
                continue
            if day is not None:
                rows.setdefault(day, []).append(row)
        exceptions: dict[dt.date, DayHours | None] = {}
        for day, day_rows in rows.items():
            off = [row for row in day_rows if row.kind == OFF]
            if off and len(day_rows) > 1:
                day_rows[-1].day.error = _("This date is listed twice, once as off.")
            if off:
                exceptions[day] = None
                continue
            for row in day_rows:
                if not row.start.value and not row.end.value:
                    row.start.error = _("Enter the hours of this date, or choose “Off all day”.")
            ranges = _read(list(day_rows))
            exceptions[day] = DayHours(tuple(each for each in ranges if each))
        return exceptions


def _read(rows: list[TimeRange]) -> list[Range | None]:
    """The range of each row; None where the row is empty or has an error."""
    ranges: list[Range | None] = []
    for row in rows:
        try:
            each = read_times(row.start.value, row.end.value)
        except InvalidTime as error:
            (row.end if error.at_end else row.start).error = str(error)
            each = None
        before = next((one for one in ranges if one and each and _overlap(one, each)), None)
        if before is not None:
            times = {"start": clock(before.start_minute), "end": clock(before.end_minute)}
            row.start.error = _("This overlaps %(start)s–%(end)s.") % times
        ranges.append(each)
    return ranges


def _overlap(one: Range, other: Range) -> bool:
    return one.start_minute < other.end_minute and other.start_minute < one.end_minute


def _date_ranges(hours: Hours, day: dt.date) -> tuple[Range | None, ...]:
    known = hours.exceptions[day]
    return known.ranges if known is not None and known.ranges else (None,)


def _date(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None


def _typed(data: Mapping[str, Any], name: str) -> str:
    return str(data.get(name) or "").strip()[:40]
