"""The filters of comments on pages, and of the log of decisions."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from content.comment_lists import CommentList
from content.comment_statuses import DECISIONS
from content.services.comments import UNDO
from dashboard.platform.accounts import emails
from dashboard.web.ranges import RangeForm

MAX_AUTHOR = 300
LOG_FILTERS = ("person", "decision", "since", "until")
_PLAIN = {"spellcheck": "false", "autocapitalize": "none"}


class CommentFilterForm(RangeForm):
    by = forms.CharField(
        label=_("Author (e-mail or name)"), max_length=MAX_AUTHOR, required=False, widget=forms.TextInput(_PLAIN)
    )

    def comment_list(self, q: str, **place: str) -> CommentList:
        """The list at a place, with the valid filters. An invalid one is shown with its error and does not filter."""
        self.is_valid()
        self.cleaned_data = {"since": None, "until": None} | self.cleaned_data
        since, until = self.bounds
        return CommentList(q=q, by=self.cleaned_data.get("by") or "", since=since, until=until, **place)

    @property
    def is_set(self) -> bool:
        return any(self.cleaned_data.get(name) for name in self.fields)


class CommentLogForm(RangeForm):
    person = forms.CharField(
        label=_("Person (e-mail)"),
        max_length=emails.MAX_LENGTH,
        required=False,
        widget=forms.TextInput({"spellcheck": "false", "data-key": "/", "data-key-label": _("Person (e-mail)")}),
    )
    decision = forms.ChoiceField(
        label=_("Decision"),
        required=False,
        choices=[
            ("", _("All decisions")),
            *((each.name, each.label) for each in DECISIONS.values()),
            (UNDO, _("Undo")),
        ],
    )

    def clean_person(self) -> str:
        return emails.normalise(self.cleaned_data["person"])

    @property
    def given(self) -> dict[str, Any]:
        """The filters of a valid form, as `decisions_of` takes them."""
        since, until = self.bounds
        data = self.cleaned_data
        return {"person": data["person"], "decision": data["decision"] or "*", "since": since, "until": until}
