"""What a trail can be asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.accounts import emails
from dashboard.audit.queries import ALL, Wanted
from dashboard.audit.vocabulary import ABOUT, INSIDE, ONLY_INSIDE, SENTENCES
from dashboard.audit.words import Named
from dashboard.table.timestamps import to_wire
from dashboard.ui.forms import Form

Choice = tuple[str, str | Promise]
# Years that can be turned into any zone's and back.
FIRST_YEAR, LAST_YEAR = 1970, 9998
# An action of another service: we have no words for it, but it can be looked for.
_ACTION = re.compile(r"[\w.:-]{1,100}(\.\*)?")


def actions(tenant: str) -> Iterator[tuple[str | Promise, list[Choice]]]:
    """Every action that has words and can stand in this trail, by what it is about."""
    groups: dict[str, list[Choice]] = {}
    for name, sentence in SENTENCES.items():
        about = name.partition(".")[0]
        if about in ONLY_INSIDE if not tenant else about not in INSIDE:
            continue
        groups.setdefault(name.partition(".")[0], []).append((name, str(sentence) % Named()))
    for about, choices in groups.items():
        label = ABOUT.get(about, about)
        yield label, [(about + ALL, _("%(about)s: everything") % {"about": label}), *choices]


class ActionField(forms.ChoiceField):
    def valid_value(self, value: str) -> bool:
        return super().valid_value(value) or _ACTION.fullmatch(value) is not None


class DayField(forms.DateField):
    """A day of the reader's calendar."""

    default_error_messages = {"invalid": gettext_lazy("Write the day as year-month-day, like 2026-03-31.")}

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


class TrailForm(Form):
    person = forms.CharField(
        label=gettext_lazy("By whom (e-mail)"),
        max_length=emails.MAX_LENGTH,
        required=False,
        widget=forms.TextInput(
            attrs={"spellcheck": "false", "data-key": "/", "data-key-label": gettext_lazy("By whom (e-mail)")}
        ),
    )
    target = forms.CharField(
        label=gettext_lazy("Done to (e-mail or id)"),
        max_length=400,
        required=False,
        widget=forms.TextInput(attrs={"spellcheck": "false"}),
    )
    action = ActionField(label=gettext_lazy("Action"), required=False)
    since = DayField(gettext_lazy("From"))
    until = DayField(gettext_lazy("To"))

    def __init__(self, *args: Any, tenant: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices: list[Any] = [("", _("Everything")), *actions(tenant)]
        asked = str(self.data.get("action", ""))
        known = {value for _label, group in choices[1:] for value, _words in group}
        if asked and asked not in known and _ACTION.fullmatch(asked):
            choices.append((asked, asked))
        self.fields["action"].choices = choices  # type: ignore[attr-defined]
        for field in self.fields.values():
            field.widget.attrs |= {"autocomplete": "off", "class": "input"}

    def clean_person(self) -> str:
        return emails.normalise(self.cleaned_data["person"])

    def clean(self) -> dict[str, Any]:
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and since > until:
            self.add_error("until", _("This day is before the first one."))
        for name in ("since", "until"):
            if self.has_error(name, "invalid"):
                # A date input shows nothing that is no date: what was typed stays.
                self.fields[name].widget.attrs["type"] = "text"
        return self.cleaned_data

    @property
    def wanted(self) -> Wanted:
        """What was asked for, once it is known to be good."""
        given = self.cleaned_data
        since, until = given["since"], given["until"]
        return Wanted(
            given["person"],
            given["target"],
            given["action"],
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
