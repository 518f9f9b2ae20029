"""Points in time as people enter and read them: a date, a time and a time zone."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from dashboard.core import clock
from dashboard.web.forms import Form
from dashboard.web.locale import ZONES, zone
from dashboard.web.templatetags.ui import day_format, zone_name
from dashboard.web.time_zones import ZoneSelect, zone_choices

# The last moment that can be chosen.
FARTHEST = timedelta(days=366)
DATE, TIME = "%Y-%m-%d", "%H:%M"
# The format of a field for date and time.
LOCAL = f"{DATE}T{TIME}"
FIRST_YEAR, LAST_YEAR = 1999, 2101
_YEARS = {"first": FIRST_YEAR + 1, "last": LAST_YEAR - 1}


@dataclass(frozen=True)
class Moment:
    """A local time in UTC."""

    utc: datetime
    # The local time occurs twice that night because the clocks go back: the first one is used.
    twice: bool = False


class Skipped(ValueError):
    """A local time that does not exist because the clocks go forward."""

    def __init__(self, following: datetime) -> None:
        # The first local time that exists after it.
        self.following = following
        super().__init__(f"skipped; the next is {following}")

    def in_words(self, day: dt.date, time: dt.time) -> str:
        text = _("%(time)s does not exist that day because the clocks go forward. The next time is %(next)s.")
        following = date_format(self.following, "H:i" if self.following.date() == day else "j M, H:i")
        return text % {"time": time.strftime(TIME), "next": following}


def moment_at(day: dt.date, time: dt.time, time_zone: ZoneInfo) -> Moment:
    """The moment of a local time in a time zone."""
    shown = datetime.combine(day, time, tzinfo=time_zone).replace(fold=0)
    again = shown.replace(fold=1)
    before, after = shown.astimezone(UTC), again.astimezone(UTC)
    if before == after:
        return Moment(before)
    if before < after:
        return Moment(before, twice=True)
    # With the offset after the change the time is earlier than with the one before: it does not exist.
    raise Skipped(_change_between(after, before, time_zone).astimezone(time_zone))


def read_moment(text: str, time_zone: ZoneInfo) -> Moment:
    """The moment of a form's `2026-03-29T18:30` in a time zone. A text may also have its own offset.

    Raises ValidationError with a text that says what to enter instead.
    """
    try:
        given = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ValidationError(_("Enter year-month-day and hours:minutes, for example 2026-03-29T18:30.")) from None
    if not FIRST_YEAR < given.year < LAST_YEAR:
        raise ValidationError(_("Choose a year between %(first)s and %(last)s.") % _YEARS)
    if given.tzinfo is not None:
        return Moment(given.astimezone(UTC).replace(microsecond=0))
    time = given.time().replace(second=0, microsecond=0)
    try:
        return moment_at(given.date(), time, time_zone)
    except Skipped as skipped:
        raise ValidationError(skipped.in_words(given.date(), time)) from skipped


def _change_between(early: datetime, late: datetime, time_zone: ZoneInfo) -> datetime:
    """The moment of a change of the clocks, to the second."""
    old = early.astimezone(time_zone).utcoffset()
    while late - early > timedelta(seconds=1):
        middle = early + timedelta(seconds=(late - early) // timedelta(seconds=2))
        if middle.astimezone(time_zone).utcoffset() == old:
            early = middle
        else:
            late = middle
    return late


def fields_of(moment: datetime, time_zone: str | None) -> dict[str, str]:
    """A moment as values for the fields of `MomentForm`."""
    local = moment.astimezone(zone(time_zone))
    return {"date": local.strftime(DATE), "time": local.strftime(TIME), "zone": zone(time_zone).key}


def moment_text(moment: datetime, time_zone: str | None) -> str:
    """A moment in a time zone as a short text with the zone."""
    local = moment.astimezone(zone(time_zone))
    return f"{date_format(local, f'{day_format()}, H:i')} {zone_name(local)}"


def as_local(moment: datetime | None, time_zone: str | None) -> str:
    """A moment as the value of a field for date and time; empty for None."""
    return moment.astimezone(zone(time_zone)).strftime(LOCAL) if moment is not None else ""


def zones() -> list[tuple[str, str]]:
    """The choices of a select of time zones."""
    return zone_choices()


class MomentForm(Form):
    """Date, time and time zone of a future moment. If the form is valid, `moment` is set."""

    date = forms.DateField(
        label=_("Date"),
        input_formats=[DATE],
        widget=forms.DateInput(format=DATE, attrs={"type": "date"}),
        error_messages={"invalid": _("Enter a date as year-month-day, for example 2026-03-29.")},
    )
    time = forms.TimeField(
        label=_("Time"),
        input_formats=[TIME, "%H:%M:%S"],
        widget=forms.TimeInput(format=TIME, attrs={"type": "time"}),
        error_messages={"invalid": _("Enter a time as hours:minutes, for example 18:30.")},
    )
    zone = forms.ChoiceField(label=_("Time zone"), choices=zones, widget=ZoneSelect)

    moment: Moment

    def __init__(self, data: Any = None, *, time_zone: str | None = None, **options: Any) -> None:
        """`where` is the default time zone."""
        default_zone = time_zone if time_zone in ZONES else timezone.get_current_timezone_name()
        options["initial"] = {"zone": default_zone} | options.get("initial", {})
        super().__init__(data, **options)
        today = clock.now().astimezone(zone(default_zone)).date()
        picker = self.fields["date"].widget.attrs
        picker["min"], picker["max"] = today.isoformat(), (today + FARTHEST).isoformat()

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        if {"date", "time", "zone"} <= given.keys():
            try:
                self.moment = self._moment(given["date"], given["time"].replace(second=0), ZoneInfo(given["zone"]))
            except _FieldError as error:
                self.add_error(error.field, error.text)
        return given

    def _moment(self, day: dt.date, time: dt.time, time_zone: ZoneInfo) -> Moment:
        now = clock.now()
        # Checked first: the ends of the calendar cannot be converted to every time zone.
        if day < now.date() - timedelta(days=2):
            raise _FieldError("date", _("This is in the past."))
        if day > (now + FARTHEST).date():
            raise _FieldError("date", _("Choose a date within the next year."))
        try:
            found = moment_at(day, time, time_zone)
        except Skipped as skipped:
            raise _FieldError("time", skipped.in_words(day, time)) from skipped
        if found.utc <= now:
            raise _FieldError("time" if day >= now.astimezone(time_zone).date() else "date", _("This is in the past."))
        return found


class _FieldError(Exception):
    def __init__(self, field: str, text: Any) -> None:
        self.field, self.text = field, str(text)
        super().__init__(self.text)
