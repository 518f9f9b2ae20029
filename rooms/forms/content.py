"""The form for a version of a room's content."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.core import clock
from dashboard.web.forms import Form
from dashboard.web.local_times import DATE, FARTHEST, TIME, Moment, MomentForm, Skipped, fields_of, moment_at
from dashboard.web.locale import ZONES
from dashboard.web.time_zones import ZoneSelect
from rooms.fields import CONTENT_FIELDS, TYPES
from rooms.items import Room, RoomContent

# There were no videos on Vimeo before.
EARLIEST = dt.date(2004, 1, 1)


class ContentForm(Form):
    """A version, prefilled from the version it copies."""

    title = CONTENT_FIELDS["title"].form_field
    type = CONTENT_FIELDS["type"].form_field
    address = CONTENT_FIELDS["address"].form_field
    # `open_at` is a date, a time and a time zone.
    date = forms.DateField(
        label=gettext_lazy("Date"),
        required=False,
        input_formats=[DATE],
        widget=forms.DateInput(format=DATE, attrs={"type": "date"}),
        error_messages=MomentForm.base_fields["date"].error_messages,
    )
    time = forms.TimeField(
        label=gettext_lazy("Time"),
        required=False,
        input_formats=[TIME, "%H:%M:%S"],
        widget=forms.TimeInput(format=TIME, attrs={"type": "time"}),
        error_messages=MomentForm.base_fields["time"].error_messages,
    )
    zone = forms.ChoiceField(label=gettext_lazy("Time zone"), widget=ZoneSelect)

    moment: Moment | None = None

    def __init__(self, data: Any = None, *, room: Room, source: RoomContent | None, **options: Any) -> None:
        super().__init__(data, initial=_initial(room, source), **options)
        self.fields["type"].add_stored_choice(source.type if source else None)  # type: ignore[attr-defined]
        self.fields["zone"].choices = MomentForm.base_fields["zone"].choices  # type: ignore[attr-defined]
        self.fields["address"].stored_address = (source.vimeo_url or "").strip() if source else ""  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        day, time = given.get("date"), given.get("time")
        if day and time and given.get("zone"):
            self._set_moment(day, time.replace(second=0), ZoneInfo(given["zone"]))
        elif day and "time" in given:
            self.add_error("time", _("Enter a time too, or leave both empty."))
        elif time and "date" in given:
            self.add_error("date", _("Enter a date too, or leave both empty."))
        return given

    def _set_moment(self, day: dt.date, time: dt.time, time_zone: ZoneInfo) -> None:
        """Set the moment. Dates at the ends of the calendar cannot be converted into every time zone."""
        if day > (clock.now() + FARTHEST).date():
            self.add_error("date", _("Choose a date within one year."))
        elif day < EARLIEST:
            self.add_error("date", _("Choose a later date."))
        else:
            try:
                self.moment = moment_at(day, time, time_zone)
            except Skipped as skipped:
                self.add_error("time", skipped.in_words(day, time))

    @property
    def values(self) -> dict[str, Any]:
        """The valid values of the fields (`CONTENT_FIELDS`), and the time zone of the opening."""
        given = self.cleaned_data
        moment = self.moment.utc if self.moment else None
        values = {name: given[name] for name in CONTENT_FIELDS.names if name in given}
        return values | {"open_at": moment, "open_zone": given["zone"] if moment else None}


def _initial(room: Room, source: RoomContent | None) -> dict[str, str]:
    """The copied version's values; its time zone, else the room's, else the person's."""
    zones = [source.open_zone if source else None, room.open_zone]
    zone = next((each for each in zones if each in ZONES), None) or timezone.get_current_timezone_name()
    defaults = {"type": next(iter(TYPES)), "zone": zone}
    if source is None:
        return defaults
    values = {name: value for name, value in CONTENT_FIELDS.values_of(source).items() if value}
    return defaults | values | (fields_of(source.open_at, zone) if source.open_at else {})
