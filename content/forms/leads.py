"""The filters of leads, and the form that erases one."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from content.items.lists import folded_email
from content.lead_lists import DUE_LABELS, LeadList
from dashboard.platform.accounts import emails
from dashboard.web.forms import Form

FILTERS = ("q", "words", "source", "due", "person")
_PLAIN = {"spellcheck": "false", "autocomplete": "off", "class": "input"}


class LeadFilterForm(Form):
    words = forms.CharField(
        label=gettext_lazy("Words (name, e-mail, source, next step)"),
        max_length=100,
        required=False,
        widget=forms.TextInput(_PLAIN),
    )
    source = forms.CharField(
        label=gettext_lazy("Source"), max_length=100, required=False, widget=forms.TextInput(_PLAIN)
    )
    due = forms.ChoiceField(
        label=gettext_lazy("Next step"),
        required=False,
        choices=[("", gettext_lazy("Any")), *DUE_LABELS.items()],
        widget=forms.Select({"class": "input"}),
    )
    person = forms.CharField(
        label=gettext_lazy("Who does it (e-mail)"),
        max_length=emails.MAX_LENGTH,
        required=False,
        widget=forms.TextInput(_PLAIN),
    )

    def clean_person(self) -> str:
        return emails.normalise(self.cleaned_data["person"])

    def lead_list(self, show: str, q: str) -> LeadList:
        """The list with the valid filters. An invalid one is shown with its error and does not filter."""
        self.is_valid()
        return LeadList(show, q, **{name: self.cleaned_data.get(name) or "" for name in self.fields})


class ErasureForm(Form):
    """The person types the id of what is erased."""

    confirm = forms.CharField(label="", max_length=400, required=True, widget=forms.TextInput(_PLAIN))
    with_comments = forms.BooleanField(
        label=gettext_lazy("Also remove the author from their comments. The texts stay."), required=False
    )

    def __init__(self, data: Any = None, *, expected: str, has_comments: bool = False) -> None:
        super().__init__(data)
        self.expected = expected
        self.fields["confirm"].label = _("Type %(text)s to confirm") % {"text": expected}
        if not has_comments:
            del self.fields["with_comments"]

    def clean_confirm(self) -> str:
        typed = str(self.cleaned_data["confirm"])
        if folded_email(typed) != folded_email(self.expected):
            raise forms.ValidationError(_("This is not what is to be erased."))
        return typed
