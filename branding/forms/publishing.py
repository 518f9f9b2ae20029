"""Forms for creating, publishing, scheduling, sharing and comparing versions."""

from __future__ import annotations

import re
from typing import Any, Self

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from branding.paths import ScheduleConverter
from branding.services.schedules import MAX_SCHEDULES
from branding.services.shares import LIFETIME_DAYS
from branding.tokens import VERSION_LIMIT
from dashboard.web.forms import Form, LineField, RevisionField
from dashboard.web.local_times import MomentForm

MAX_PUBLISH_NOTE = 300
MAX_NOTE = 200
# The value of the field `contrast` once the person has confirmed publishing with too little contrast.
ACCEPTED = "accepted"
_NOT_A_VERSION = _("Enter a version number, for example 7.")


def _note_field(max_length: int, help_text: Any) -> LineField:
    widget = forms.TextInput(attrs={"autocomplete": "off"})
    return LineField(label=_("Note"), max_length=max_length, required=False, widget=widget, help_text=help_text)


class VersionField(forms.IntegerField):
    """A version number; None if the field is empty."""

    default_error_messages = {
        "required": _NOT_A_VERSION,
        "invalid": _NOT_A_VERSION,
        "min_value": _NOT_A_VERSION,
        "max_value": _NOT_A_VERSION,
    }

    def __init__(self, label: Any, *, required: bool = False) -> None:
        super().__init__(label=label, min_value=0, max_value=VERSION_LIMIT - 1, required=required)


class OptionalRevisionField(RevisionField):
    """The revision that the person saw; None if the form does not send it."""

    def clean(self, value: Any) -> int | None:  # type: ignore[override]
        return None if value in self.empty_values else super().clean(value)


class WithdrawForm(Form):
    """The Undo of the first publication: `restore` is the command whose schedules come back."""

    restore = forms.CharField(max_length=200, required=False)


class SourceForm(Form):
    """The version that a new draft copies."""

    source = VersionField(_("Made from"))


class SchedulesField(forms.Field):
    """The ids of schedules: ticked boxes, or separated by commas in an Undo."""

    widget = forms.SelectMultiple

    def clean(self, value: Any) -> list[str]:
        sent = [each for text in value or [] for each in str(text).split(",") if each]
        return [each for each in sent[:MAX_SCHEDULES] if re.fullmatch(ScheduleConverter.regex, each)]


class PublishForm(Form):
    expected = VersionField(_("Live"))
    revision = OptionalRevisionField()
    note = _note_field(MAX_PUBLISH_NOTE, _("What changes and why. Shown in the timeline, not to customers."))
    contrast = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)
    # The schedules of other versions to cancel.
    cancel = SchedulesField(required=False)
    # For Undo: the action that is undone, and the command whose schedules come back.
    undo = forms.CharField(max_length=20, required=False)
    restore = forms.CharField(max_length=200, required=False)


class ScheduleForm(MomentForm):
    note = _note_field(MAX_NOTE, _("What changes and why. Shown in the timeline, not to customers."))
    revision = RevisionField()

    def with_revision(self, revision: int) -> Self:
        """The same form with the newest revision."""
        data = {name: self.data.get(name) for name in self.data} | {"revision": str(revision)}
        return type(self)(data, time_zone=self.initial["zone"])


def _lifetimes() -> list[tuple[str, str]]:
    return [(str(days), ngettext("%(days)s day", "%(days)s days", days) % {"days": days}) for days in LIFETIME_DAYS]


class ShareForm(Form):
    days = forms.TypedChoiceField(label=_("Expires after"), choices=_lifetimes, coerce=int, initial="7")
    note = _note_field(MAX_NOTE, _("Who the link is for. Only your team sees this."))


class CompareForm(Form):
    a = VersionField(_("This version"), required=True)
    b = VersionField(_("with this one"), required=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs |= {"list": "versions", "inputmode": "numeric", "autocomplete": "off"}
