"""Times and dates as people type them, and what is wrong with them in words."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils.dates import WEEKDAYS as NAMES
from django.utils.translation import gettext as _

from bookings.hours import MINUTES_A_DAY, WEEKDAYS, Range
from bookings.week import within

if TYPE_CHECKING:
    from bookings.forms.rows import DateRow, TimeRange

# As far ahead as anything can be set.
FARTHEST = timedelta(days=366)
_CLOCK = re.compile(r"([0-9]{1,2})[:.h]([0-9]{2})(?::00)?")


class Wrong(ValueError):
    """What cannot be read, in words; at the end of a range or at its beginning."""

    def __init__(self, text: str, *, at_end: bool = False) -> None:
        self.at_end = at_end
        super().__init__(text)


def day_names() -> dict[str, str]:
    """The days of the week, Monday first, as the reader calls them."""
    return {weekday: str(NAMES[number]).capitalize() for number, weekday in enumerate(WEEKDAYS)}


def read_times(start: str, end: str) -> Range | None:
    """From a time up to another; none where nothing was typed."""
    if not start and not end:
        return None
    if not start:
        raise Wrong(_("Say when it begins."))
    first = _minute(start)
    if not end:
        raise Wrong(_("Say when it ends."), at_end=True)
    # Midnight at the end is the day's end.
    last = _minute(end, at_end=True) or MINUTES_A_DAY
    if first == MINUTES_A_DAY:
        raise Wrong(_("The day ends at 24:00: nothing begins then."))
    if last <= first:
        raise Wrong(_("It ends before it begins. What goes on past midnight belongs to the next day."), at_end=True)
    return Range(first, last)


def _minute(text: str, *, at_end: bool = False) -> int:
    match = _CLOCK.fullmatch(text) if text.isascii() else None
    if match is None or int(match[2]) > 59 or int(match[1]) * 60 + int(match[2]) > MINUTES_A_DAY:
        raise Wrong(_("A time has hours and minutes, such as 18:30."), at_end=at_end)
    return int(match[1]) * 60 + int(match[2])


def read_date(row: DateRow, since: dt.date, known: set[dt.date]) -> dt.date | None:
    """The date of a row; none for one in which nothing was typed."""
    text = row.day.value
    if not text:
        if row.start.value or row.end.value:
            raise Wrong(_("Say which date."))
        return None
    try:
        day = dt.date.fromisoformat(text)
    except ValueError:
        raise Wrong(_("A date has year, month and day, such as 2026-03-29.")) from None
    if day in known:
        return day
    if day < since:
        raise Wrong(_("This is in the past."))
    if day > since + FARTHEST:
        raise Wrong(_("This is too far away: a year ahead at the most."))
    return day


def within_hours(rows: Sequence[TimeRange], breaks: Sequence[Range | None], ranges: Sequence[Range]) -> None:
    """A break outside of the hours of its day says so."""
    for row, each in zip(rows, breaks, strict=True):
        if each is not None and not row.start.error and not within(each, ranges):
            row.start.error = _("A break lies within the hours of its day.")
