"""Date ranges in the reader's time zone, for filters and exports of logs."""

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

# Years that can be converted to every time zone.
FIRST_YEAR, LAST_YEAR = 1970, 9998


class DayField(forms.DateField):
    """A day in the reader's time zone."""

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
    """Filters of a log. The date fields come after those of subclasses."""

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
                # A date input would not show an invalid text.
                self.fields[name].widget.attrs["type"] = "text"
        return self.cleaned_data

    @property
    def bounds(self) -> tuple[str | None, str | None]:
        """The prefixes of the first and the last sort key of the range, inclusive."""
        since, until = self.cleaned_data["since"], self.cleaned_data["until"]
        return (
            _first_prefix(day_start(since)) if since else None,
            _second_prefix(day_start(until + timedelta(days=1)) - timedelta(seconds=1)) if until else None,
        )


def day_start(day: date) -> datetime:
    """The start of a day in the reader's time zone. If that time does not exist, the first one that does."""
    local = datetime.combine(day, time(), timezone.get_current_timezone())
    return local.astimezone(UTC)


def _second_prefix(moment: datetime) -> str:
    """The prefix of all keys of this second, including those with fractions of it."""
    return to_wire(moment).removesuffix("Z")


def _first_prefix(moment: datetime) -> str:
    """The prefix that includes keys with only a date, which means midnight."""
    return _second_prefix(moment).removesuffix("T00:00:00")


def file_name(name: str, filters: dict[str, Any]) -> str:
    """The name of an export with its days: `audit-andina-2026-11-01-to-2026-11-16.csv`."""
    last: date = filters["until"] or timezone.localtime(now()).date()
    first = [filters["since"].isoformat()] if filters["since"] else []
    return "-".join([name, *first, "to", last.isoformat()]) + ".csv"


def with_filters(request: HttpRequest, url: str, filters: Collection[str]) -> str:
    """The URL of another page with the same filters, without empty ones and other parameters."""
    query = request.GET.copy()
    for name in [name for name in query if name not in filters or not query.get(name)]:
        query.pop(name, None)
    return url + (f"?{query.urlencode()}" if query else "")
