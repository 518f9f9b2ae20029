"""Forms of the attendees: filter, export and progress."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.platform.accounts import emails
from dashboard.web.forms import Form, LineField
from rooms.queries.attendees import AttendeeFilter

MAX_COUNTRY = 100
# Outside writers may store longer names than ours.
MAX_ROOM = 1000


class AttendeesForm(Form):
    q = LineField(label=_("Name or e-mail"), max_length=emails.MAX_LENGTH, required=False)
    country = LineField(label=_("Country"), max_length=MAX_COUNTRY, required=False)

    @property
    def to_filter(self) -> AttendeeFilter:
        """The valid filter."""
        return AttendeeFilter(self.cleaned_data["q"], self.cleaned_data["country"])


class ExportForm(Form):
    """The country as stored; empty for all attendees."""

    country = LineField(max_length=MAX_COUNTRY, required=False)


class ProgressForm(Form):
    """A room and whether it is completed."""

    room = forms.CharField(max_length=MAX_ROOM, strip=False)
    completed = forms.ChoiceField(choices=[("1", ""), ("0", "")])

    def clean_room(self) -> str:
        # Browsers send line breaks as CRLF.
        return str(self.cleaned_data["room"]).replace("\r\n", "\n")

    def clean_completed(self) -> bool:
        return str(self.cleaned_data["completed"]) == "1"
