"""The filter form of the security log."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.platform.accounts import emails
from dashboard.platform.security_log.kinds import KIND_LABELS
from dashboard.platform.security_log.queries import EventFilter
from dashboard.web.ranges import RangeForm


class EventsForm(RangeForm):
    person = forms.CharField(
        label=gettext_lazy("Person (e-mail)"),
        max_length=emails.MAX_LENGTH,
        required=False,
        widget=forms.TextInput(
            attrs={"spellcheck": "false", "data-key": "/", "data-key-label": gettext_lazy("Person (e-mail)")}
        ),
    )
    kind = forms.ChoiceField(label=gettext_lazy("Event"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [("", _("All events")), *((kind.value, label.text) for kind, label in KIND_LABELS.items())]
        self.fields["kind"].choices = choices  # type: ignore[attr-defined]

    def clean_person(self) -> str:
        return emails.normalise(self.cleaned_data["person"])

    @property
    def filters(self) -> EventFilter:
        """The filters of a valid form."""
        data = self.cleaned_data
        return EventFilter(data["person"], data["kind"], *self.bounds)
