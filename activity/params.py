"""The URL parameters of the activity pages: days, filters, and the part of a number that a link drills into."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from activity.visits import VisitStep
from dashboard.core.names import folded
from dashboard.platform.event.domains import MAX_DOMAIN_LENGTH, normalise_domain

# The country of events without one, in the archive and in every result.
NO_COUNTRY = "unknown"
# The longest range of days. Within it a time zone changes its clocks at most twice.
MAX_DAYS = 92
FIRST_YEAR, LAST_YEAR = 2000, 2100
MAX_TEXT = 200
DAY_PARAMS = ("day", "first", "last", "other", "hour", "step")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


class Filters(NamedTuple):
    """Which events count. An empty text means all."""

    country: str = ""
    domain: str = ""
    room: str = ""
    action: str = ""

    def __bool__(self) -> bool:
        return any(self)

    @property
    def values(self) -> dict[str, str]:
        """The filters that are set, by name."""
        return {name: value for name, value in self._asdict().items() if value}


NO_FILTERS = Filters()


class DayRange(NamedTuple):
    """Local days in the event's time zone, both included."""

    first: dt.date
    last: dt.date
    zone: ZoneInfo

    @classmethod
    def of_day(cls, day: dt.date, zone: ZoneInfo) -> DayRange:
        return cls(day, day, zone)

    @property
    def start(self) -> datetime:
        return day_start(self.first, self.zone)

    @property
    def end(self) -> datetime:
        """The first moment after the range."""
        return day_start(self.last + timedelta(days=1), self.zone)

    @property
    def is_one_day(self) -> bool:
        return self.first == self.last

    @property
    def days(self) -> list[dt.date]:
        return [self.first + timedelta(days=each) for each in range((self.last - self.first).days + 1)]

    @property
    def hours(self) -> int:
        """The number of hours that results count: 23, 24 or 25 of one day, and the 24 of the clock for several."""
        return -(-int((self.end - self.start).total_seconds()) // 3600) if self.is_one_day else 24

    def hour_start(self, hour: int) -> datetime:
        """The local time at which an hour of one day begins. On a day of 25 hours one clock time occurs twice."""
        return (self.start + timedelta(hours=hour)).astimezone(self.zone)

    @property
    def utc_dates(self) -> tuple[dt.date, dt.date]:
        """The first and the last date in UTC that the range touches."""
        return self.start.date(), (self.end - timedelta(microseconds=1)).date()


def day_start(day: dt.date, zone: ZoneInfo) -> datetime:
    """The first moment of a local day, in UTC."""
    return datetime.combine(day, dt.time(), zone).astimezone(UTC)


@dataclass(frozen=True)
class ActivityParams:
    """The parameters of a page, parsed. `errors` has a text for each parameter that could not be used."""

    days: DayRange
    filters: Filters = NO_FILTERS
    # A day to compare with.
    other: dt.date | None = None
    # An hour as results count it (of one day from its start, of several by the clock), and a step of a visit.
    hour: int | None = None
    step: VisitStep | None = None
    errors: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, query: Mapping[str, Any], zone: ZoneInfo, today: dt.date) -> ActivityParams:
        reader = _Reader(query)
        first = reader.day("first") or reader.day("day") or today
        last = reader.day("last") or (first if "first" not in reader.given else max(first, today))
        if last < first:
            reader.errors["last"] = _("The end date is before the start date.")
            last = first
        elif (last - first).days >= MAX_DAYS:
            reader.errors["last"] = _("Choose at most %(days)s days.") % {"days": MAX_DAYS}
            last = first + timedelta(days=MAX_DAYS - 1)
        days = DayRange(first, last, zone)
        return cls(days, reader.filters(), reader.day("other"), reader.hour(days), reader.step(), reader.errors)

    def with_filters(self, **changes: str) -> ActivityParams:
        return replace(self, filters=self.filters._replace(**changes))

    def query(self, **changes: Any) -> str:
        """The query string, with changes. None and an empty text remove a parameter."""
        values: dict[str, Any] = {"day": self.days.first} if self.days.is_one_day else {}
        if not self.days.is_one_day:
            values = {"first": self.days.first, "last": self.days.last}
        values |= {"other": self.other, **self.filters._asdict(), "hour": self.hour, "step": self.step} | changes
        query = urlencode({name: str(each) for name, each in values.items() if each is not None and each != ""})
        return f"?{query}" if query else ""


class _Reader:
    """Reads the parameters of a URL and collects what is wrong with them."""

    def __init__(self, query: Mapping[str, Any]) -> None:
        names = (*DAY_PARAMS, *Filters._fields)
        self.given = {name: text for name in names if (text := str(query.get(name) or "").strip())}
        self.errors: dict[str, str] = {}

    def day(self, name: str) -> dt.date | None:
        if name not in self.given:
            return None
        try:
            day = dt.datetime.strptime(self.given[name], "%Y-%m-%d").date()
        except ValueError:
            self.errors[name] = _("Enter the day as year-month-day, for example 2026-03-31.")
            return None
        if not FIRST_YEAR <= day.year < LAST_YEAR:
            self.errors[name] = _("Choose a year between %(first)s and %(last)s.") % {
                "first": FIRST_YEAR,
                "last": LAST_YEAR - 1,
            }
            return None
        return day

    def hour(self, days: DayRange) -> int | None:
        text = self.given.get("hour", "")
        if not text:
            return None
        if re.fullmatch(r"[0-9]{1,2}", text) and int(text) < days.hours:
            return int(text)
        self.errors["hour"] = _("This day does not have that hour.")
        return None

    def step(self) -> VisitStep | None:
        text = self.given.get("step", "")
        if text and text not in set(VisitStep):
            self.errors["step"] = _("There is no such step of a visit.")
            return None
        return VisitStep(text) if text else None

    def filters(self) -> Filters:
        return Filters(
            folded(self._text("country")),
            normalise_domain(self._text("domain", MAX_DOMAIN_LENGTH)),
            self._text("room"),
            self._text("action"),
        )

    def _text(self, name: str, most: int = MAX_TEXT) -> str:
        text = self.given.get(name, "")
        if len(text) > most:
            self.errors[name] = _("Enter at most %(most)s characters.") % {"most": most}
            return ""
        if _UNPRINTABLE.search(text):
            self.errors[name] = _("This contains characters that cannot be searched for.")
            return ""
        return text
