"""From one day to another, by the reader's calendar: what logs are asked for, on their pages and in their files."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.core.clock import now
from dashboard.table.timestamps import to_wire
from dashboard.web.forms import Form

# Years that can be turned into any zone's and back.
FIRST_YEAR, LAST_YEAR = 1970, 9998


class DayField(forms.DateField):
    """A day of the reader's calendar."""

    default_error_messages = {"invalid": gettext_lazy("Enter the day as year-month-day, for example 2026-03-31.")}

    def __init__(self, label: Any) -> None:
        widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
        super().__init__(label=label, required=False, input_formats=["%Y-%m-%d"], widget=widget)

    def to_python(self, value: Any) -> date | None:
        day = super().to_python(value)
        if day is not None and not FIRST_YEAR <= day.year <= LAST_YEAR:
            raise ValidationError(
                _("Choose a year between %(first)s and %(last)s.") % {"first": FIRST_YEAR, "last": LAST_YEAR},
                code="year",
            )
        return day


class RangeForm(Form):
    """Filters of a log: the days, after whatever else it can be asked for."""

    since = DayField(gettext_lazy("From"))
    until = DayField(gettext_lazy("To"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields([name for name in self.fields if name not in {"since", "until"}])
        for field in self.fields.values():
            field.widget.attrs |= {"autocomplete": "off", "class": "input"}

    def clean(self) -> dict[str, Any]:
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and since > until:
            self.add_error("until", _("The end date is before the start date."))
        for name in ("since", "until"):
            if self.has_error(name, "invalid"):
                # A date input shows nothing that is no date: what was typed stays.
                self.fields[name].widget.attrs["type"] = "text"
        return self.cleaned_data

    @property
    def bounds(self) -> tuple[str | None, str | None]:
        """How the sort keys of these days begin, both included."""
        since, until = self.cleaned_data["since"], self.cleaned_data["until"]
        return (
            _beginning(begins(since)) if since else None,
            _to_the_second(begins(until + timedelta(days=1)) - timedelta(seconds=1)) if until else None,
        )


def begins(day: date) -> datetime:
    """When a day begins on the reader's wall clock; where that hour is skipped, the first one that is not."""
    local = datetime.combine(day, time(), timezone.get_current_timezone())
    return local.astimezone(UTC)


def _to_the_second(moment: datetime) -> str:
    """How all keys of this second begin, also of services that write fractions of it."""
    return to_wire(moment).removesuffix("Z")


def _beginning(moment: datetime) -> str:
    """Where another service wrote only a date, that is its midnight."""
    return _to_the_second(moment).removesuffix("T00:00:00")


def file_name(what: str, asked: dict[str, Any]) -> str:
    """What it is, and of which days: `audit-andina-2026-11-01-to-2026-11-16.csv`."""
    last: date = asked["until"] or timezone.localtime(now()).date()
    first = [asked["since"].isoformat()] if asked["since"] else []
    return "-".join([what, *first, "to", last.isoformat()]) + ".csv"


def with_filters(request: HttpRequest, url: str, filters: Collection[str]) -> str:
    """Another page with the same filters, without those that are empty and without anything else."""
    query = request.GET.copy()
    for name in [name for name in query if name not in filters or not query.get(name)]:
        query.pop(name, None)
    return url + (f"?{query.urlencode()}" if query else "")
