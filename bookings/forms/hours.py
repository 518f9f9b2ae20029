"""A provider's week as a plain form: rows of times for each day, and dates that differ.

Rows come and go by buttons that send the form: what was typed stays, and nothing is saved until Save is pressed.
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
    Day,
    TimeRange,
    date_row,
    row_of,
    same_date,
    same_row,
)
from bookings.forms.times import Wrong, day_names, read_date, read_times, within_hours
from bookings.hours import WEEKDAYS, DayHours, Hours, Range
from bookings.week import Exceptions, Week, clock
from dashboard.web.forms import submitted_revision

MOST_ROWS = 8
MOST_DATES = 60
# Other services write more: their rows are all shown and read again, of their dates so many.
SHOWN_DATES = 50
# As many rows as a form can have fields.
_ROW = re.compile(r"(MON|TUE|WED|THU|FRI|SAT|SUN)_(range|break)_([0-9]{1,3})_start")
_DATE = re.compile(r"date_([0-9]{1,2})_day")


class HoursForm:
    """The rows of a week, from the table or as they were sent; once it is valid, `week` says what is wanted."""

    week: Week

    def __init__(self, days: list[Day], dates: list[DateRow], revision: int) -> None:
        self.days, self.dates, self.revision = days, dates, revision
        self.copy_from, self.copy_to = WEEKDAYS[0], set[str]()
        self.copy_error = ""
        # From this date on nothing is shown, and what stands there stays.
        self.beyond: dt.date | None = None

    @classmethod
    def of(cls, hours: Hours, since: dt.date, version: int) -> HoursForm:
        """As it stands: a day without hours has one empty row, ready to be written."""
        days = []
        for number, (weekday, label) in enumerate(day_names().items()):
            known = hours.weekly.get(number, DayHours())
            day = Day(weekday, label)
            day.ranges = [row_of(weekday, RANGE, n, each) for n, each in enumerate(known.ranges or (None,))]
            day.breaks = [row_of(weekday, BREAK, n, each) for n, each in enumerate(known.breaks)]
            days.append(day)
        stretches = [(day, each) for day in sorted(hours.exceptions) if day >= since for each in _stretches(hours, day)]
        beyond = stretches[SHOWN_DATES][0] if len(stretches) > SHOWN_DATES else None
        shown = [(day, each) for day, each in stretches if beyond is None or day < beyond]
        form = cls(days, [date_row(n, day.isoformat(), each) for n, (day, each) in enumerate(shown)], version)
        form.beyond = beyond
        return form

    @classmethod
    def sent(cls, data: Mapping[str, Any]) -> HoursForm:
        """As it was typed, whatever that is."""
        days = {weekday: Day(weekday, label) for weekday, label in day_names().items()}
        # As they stood on the page.
        found = [match for name in data if (match := _ROW.fullmatch(name))]
        for match in sorted(found, key=lambda each: int(each[3])):
            rows = days[match[1]].ranges if match[2] == RANGE else days[match[1]].breaks
            row = row_of(match[1], match[2], len(rows))
            row.start.value, row.end.value = _typed(data, match[0]), _typed(data, match[0][:-5] + "end")
            rows.append(row)
        numbers = sorted(int(match[1]) for name in data if (match := _DATE.fullmatch(name)))
        dates: list[DateRow] = []
        for number in numbers[:MOST_DATES]:
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

    # --- What the buttons do ---
    def act(self, wanted: str) -> None:
        """Add a row, take one away, or copy a day to others."""
        match wanted.split():
            case ["copy"]:
                self._copy()
            case ["add", "date"] if len(self.dates) < MOST_DATES:
                self.dates.append(date_row(len(self.dates), "", None, is_new=True))
            case ["remove", "date", _]:
                stay = [row for row in self.dates if row.remove != wanted]
                self.dates = [same_date(number, row) for number, row in enumerate(stay)]
            case ["add", weekday, kind]:
                self._add(weekday, kind)
            case ["remove", weekday, kind, _]:
                rows = self._rows(weekday, kind)
                left = [row for row in rows if row.remove != wanted]
                rows[:] = [same_row(weekday, kind, number, row) for number, row in enumerate(left)]

    def _add(self, weekday: str, kind: str) -> None:
        rows = self._rows(weekday, kind)
        if kind in {RANGE, BREAK} and weekday in WEEKDAYS and len(rows) < MOST_ROWS:
            rows.append(row_of(weekday, kind, len(rows), is_new=True))

    def _rows(self, weekday: str, kind: str) -> list[TimeRange]:
        """The rows of a day, to be changed; what is no day has none."""
        day = next((each for each in self.days if each.weekday == weekday), Day("", ""))
        return {RANGE: day.ranges, BREAK: day.breaks}.get(kind, [])

    def _copy(self) -> None:
        source = self.days[WEEKDAYS.index(self.copy_from)]
        if not self.copy_to - {self.copy_from}:
            self.copy_error = _("Choose the days that are to be the same.")
            return
        for day in self.days:
            if day.weekday in self.copy_to and day is not source:
                day.ranges = [same_row(day.weekday, RANGE, n, row) for n, row in enumerate(source.ranges)]
                day.breaks = [same_row(day.weekday, BREAK, n, row) for n, row in enumerate(source.breaks)]

    # --- What is wrong with it ---
    def is_valid(self, since: dt.date, known: Exceptions) -> bool:
        """Whether every row means something; `known` are dates that stand there already, however far they are."""
        days = {day.weekday: self._day_hours(day) for day in self.days}
        unseen = {day: each for day, each in known.items() if self.beyond is not None and day >= self.beyond}
        self.week = Week(days, unseen | self._exceptions(since, set(known)), since)
        return not self.errors

    def forgive(self) -> None:
        """Say nothing of what is wrong: nobody has asked for it to be saved."""
        for cell in self.errors:
            cell.error = ""

    @property
    def errors(self) -> list[Cell]:
        cells = [cell for day in self.days for row in day.rows for cell in (row.start, row.end)]
        cells += [cell for row in self.dates for cell in (row.day, row.start, row.end)]
        return [cell for cell in cells if cell.error]

    def _day_hours(self, day: Day) -> DayHours:
        ranges, breaks = _read(day.ranges), _read(day.breaks)
        if not any(row.start.error or row.end.error for row in day.ranges):
            within_hours(day.breaks, breaks, [each for each in ranges if each])
        return DayHours(tuple(each for each in ranges if each), tuple(each for each in breaks if each))

    def _exceptions(self, since: dt.date, known: set[dt.date]) -> dict[dt.date, DayHours | None]:
        rows: dict[dt.date, list[DateRow]] = {}
        for row in self.dates:
            try:
                day = read_date(row, since, known)
            except Wrong as wrong:
                row.day.error = str(wrong)
                continue
            if day is not None:
                rows.setdefault(day, []).append(row)
        found: dict[dt.date, DayHours | None] = {}
        for day, told in rows.items():
            off = [row for row in told if row.kind == OFF]
            if off and len(told) > 1:
                told[-1].day.error = _("This date stands here twice, once as off.")
            if off:
                found[day] = None
                continue
            for row in told:
                if not row.start.value and not row.end.value:
                    row.start.error = _("Write the hours of that day, or choose that it is off.")
            ranges = _read(list(told))
            found[day] = DayHours(tuple(each for each in ranges if each))
        return found


def _read(rows: list[TimeRange]) -> list[Range | None]:
    """What each row means; none where it is empty or wrong, and then it says so."""
    found: list[Range | None] = []
    for row in rows:
        try:
            each = read_times(row.start.value, row.end.value)
        except Wrong as wrong:
            (row.end if wrong.at_end else row.start).error = str(wrong)
            each = None
        before = next((one for one in found if one and each and _overlap(one, each)), None)
        if before is not None:
            at = {"start": clock(before.start_minute), "end": clock(before.end_minute)}
            row.start.error = _("This overlaps %(start)s–%(end)s.") % at
        found.append(each)
    return found


def _overlap(one: Range, other: Range) -> bool:
    return one.start_minute < other.end_minute and other.start_minute < one.end_minute


def _stretches(hours: Hours, day: dt.date) -> tuple[Range | None, ...]:
    known = hours.exceptions[day]
    return known.ranges if known is not None and known.ranges else (None,)


def _date(text: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        return None


def _typed(data: Mapping[str, Any], name: str) -> str:
    return str(data.get(name) or "").strip()[:40]
