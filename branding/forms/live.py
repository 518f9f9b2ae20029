"""What people type about going live later, and about showing a draft."""

from __future__ import annotations

from typing import Any, Self

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from branding.services.shares import DAYS
from dashboard.web.forms import Form, LineField, RevisionField
from dashboard.web.moments import MomentForm

MAX_NOTE = 200


def note_field(help_text: Any) -> LineField:
    widget = forms.TextInput(attrs={"autocomplete": "off"})
    return LineField(label=_("Note"), max_length=MAX_NOTE, required=False, widget=widget, help_text=help_text)


class ScheduleForm(MomentForm):
    note = note_field(_("For the timeline: why, or for what."))
    revision = RevisionField()

    def knowing(self, revision: int) -> Self:
        """The same, sent by someone who has seen the newest revision."""
        data = {name: self.data.get(name) for name in self.data} | {"revision": str(revision)}
        return type(self)(data, where=self.initial["zone"])


def _days() -> list[tuple[str, str]]:
    return [(str(days), ngettext("%(days)s day", "%(days)s days", days) % {"days": days}) for days in DAYS]


class ShareForm(Form):
    days = forms.TypedChoiceField(label=_("Works for"), choices=_days, coerce=int, initial="7")
    note = note_field(_("Whom it is for. Only you and your colleagues read this."))
