"""The form that shifts opening times."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from dashboard.web.forms import Form
from rooms.presenters.rooms import RoomRow
from rooms.shifts import MAX_MINUTES
from rooms.timeline import is_supported_date

CHOSEN, COMING, DAY = "chosen", "coming", "day"


class ShiftForm(Form):
    """Minutes, direction, and rooms: the selected ones, those still to open that day, or all of that day."""

    minutes = forms.IntegerField(
        label=gettext_lazy("Minutes"),
        min_value=-MAX_MINUTES,
        max_value=MAX_MINUTES,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "step": "5"}),
        initial=15,
        error_messages={
            "required": gettext_lazy("Enter the number of minutes."),
            "invalid": gettext_lazy("Enter whole minutes."),
        },
    )
    way = forms.ChoiceField(
        label=gettext_lazy("Direction"),
        required=False,
        choices=[("later", pgettext_lazy("time", "later")), ("earlier", pgettext_lazy("time", "earlier"))],
    )
    which = forms.ChoiceField(
        label=gettext_lazy("Rooms"),
        required=False,
        choices=[
            (COMING, gettext_lazy("still to open that day")),
            (DAY, gettext_lazy("of that day")),
            (CHOSEN, gettext_lazy("selected")),
        ],
    )
    day = forms.DateField(required=False, input_formats=["%Y-%m-%d"], widget=forms.HiddenInput)

    def clean_day(self) -> dt.date | None:
        """Dates at the ends of the calendar cannot be converted into every time zone."""
        given: dt.date | None = self.cleaned_data["day"]
        return given if given is not None and is_supported_date(given) else None

    @staticmethod
    def default_choice(rows: Sequence[RoomRow]) -> str:
        """On a running day the rooms still to open are the default."""
        return COMING if any(row.opening_minute is not None and row.upcoming_opening for row in rows) else DAY

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if given.get("minutes") == 0:
            self.add_error("minutes", _("Enter a number other than 0."))
        if given.get("which") in {COMING, DAY} and not given.get("day") and not self.has_error("day"):
            self.add_error(None, _("Choose a day."))
        return given

    @property
    def signed_minutes(self) -> int:
        """The minutes; negative for earlier."""
        minutes = int(self.cleaned_data["minutes"])
        return -minutes if self.cleaned_data["way"] == "earlier" else minutes

    @property
    def date(self) -> dt.date | None:
        found: dt.date | None = self.cleaned_data.get("day")
        return found
