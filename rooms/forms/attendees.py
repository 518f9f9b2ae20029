"""What the list of the event's people can be asked for, and what its buttons send."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.platform.accounts import emails
from dashboard.web.forms import Form, LineField
from rooms.queries.attendees import AttendeeFilter

MAX_COUNTRY = 100
# A name that another service left in somebody's progress may be longer than ours.
MAX_ROOM = 1000


class AttendeesForm(Form):
    q = LineField(label=_("Name or e-mail"), max_length=emails.MAX_LENGTH, required=False)
    country = LineField(label=_("Country"), max_length=MAX_COUNTRY, required=False)

    @property
    def to_filter(self) -> AttendeeFilter:
        """What was asked for, once it is known to be good."""
        return AttendeeFilter(self.cleaned_data["q"], self.cleaned_data["country"])


class ExportForm(Form):
    """Of which country, as the table writes it; of all without one."""

    country = LineField(max_length=MAX_COUNTRY, required=False)


class ProgressForm(Form):
    """A room, as its name stands in the list, and what to say of it."""

    room = forms.CharField(max_length=MAX_ROOM, strip=False)
    completed = forms.ChoiceField(choices=[("1", ""), ("0", "")])

    def clean_room(self) -> str:
        # A browser sends the ends of lines in its own way.
        return str(self.cleaned_data["room"]).replace("\r\n", "\n")

    def clean_completed(self) -> bool:
        return str(self.cleaned_data["completed"]) == "1"
