"""Reads times and dates as people type them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from django.utils.dates import WEEKDAYS as NAMES
from django.utils.translation import gettext as _

from bookings.hours import MINUTES_A_DAY, WEEKDAYS, Range
from bookings.week import is_within

if TYPE_CHECKING:
    from bookings.forms.rows import DateRow, TimeRange

FARTHEST = timedelta(days=366)
_CLOCK = re.compile(r"([0-9]{1,2})[:.h]([0-9]{2})(?::00)?")


class InvalidTime(ValueError):
    """The error of a row, for its end or for its start."""

    def __init__(self, text: str, *, at_end: bool = False) -> None:
        self.at_end = at_end
        super().__init__(text)


def day_names() -> dict[str, str]:
    """The weekdays in the reader's language, Monday first."""
    return {weekday: str(NAMES[number]).capitalize() for number, weekday in enumerate(WEEKDAYS)}


def read_times(start: str, end: str) -> Range | None:
    """The range that was typed; None where nothing was typed."""
    if not start and not end:
        return None
    if not start:
        raise InvalidTime(_("Enter a start time."))
    first = _minute(start)
    if not end:
        raise InvalidTime(_("Enter an end time."), at_end=True)
    # As an end, midnight is the end of the day.
    last = _minute(end, at_end=True) or MINUTES_A_DAY
    if first == MINUTES_A_DAY:
        raise InvalidTime(_("The day ends at 24:00, so nothing can start then."))
    if last <= first:
        raise InvalidTime(_("The end must be after the start. Add hours past midnight to the next day."), at_end=True)
    return Range(first, last)


def _minute(text: str, *, at_end: bool = False) -> int:
    match = _CLOCK.fullmatch(text) if text.isascii() else None
    if match is None or int(match[2]) > 59 or int(match[1]) * 60 + int(match[2]) > MINUTES_A_DAY:
        raise InvalidTime(_("Enter a time with hours and minutes, such as 18:30."), at_end=at_end)
    return int(match[1]) * 60 + int(match[2])


def read_date(row: DateRow, since: dt.date, known: set[dt.date]) -> dt.date | None:
    """The date of a row; None where nothing was typed."""
    text = row.day.value
    if not text:
        if row.start.value or row.end.value:
            raise InvalidTime(_("Enter a date."))
        return None
    try:
        day = dt.date.fromisoformat(text)
    except ValueError:
        raise InvalidTime(_("Enter a date with year, month and day, such as 2026-03-29.")) from None
    if day in known:
        return day
    if day < since:
        raise InvalidTime(_("This is in the past."))
    if day > since + FARTHEST:
        raise InvalidTime(_("This is more than a year ahead."))
    return day


def check_breaks(rows: Sequence[TimeRange], breaks: Sequence[Range | None], ranges: Sequence[Range]) -> None:
    """Set an error on each break outside the hours of its day."""
    for row, each in zip(rows, breaks, strict=True):
        if each is not None and not row.start.error and not is_within(each, ranges):
            row.start.error = _("A break must be within the hours of its day.")
