"""The filter form of a trail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.platform.accounts import emails
from dashboard.platform.audit.labels import KINDS
from dashboard.platform.audit.queries import ALL, AuditFilter
from dashboard.platform.audit.sentences import Named
from dashboard.web.ranges import RangeForm

Choice = tuple[str, str | Promise]
# An action of an outside writer has no label but can be a filter.
_ACTION = re.compile(r"[\w.:-]{1,100}(\.\*)?")


def actions(business: str) -> Iterator[tuple[str | Promise, list[Choice]]]:
    """The actions that this trail can have, by their kind."""
    for kind, labels in KINDS.items():
        if labels.in_business if business else labels.on_platform:
            choices = [(f"{kind}.{verb}", str(sentence) % Named()) for verb, sentence in labels.actions.items()]
            yield labels.title, [(kind + ALL, _("%(about)s: all actions") % {"about": labels.title}), *choices]


class ActionField(forms.ChoiceField):
    def valid_value(self, value: str) -> bool:
        return super().valid_value(value) or _ACTION.fullmatch(value) is not None


class TrailForm(RangeForm):
    person = forms.CharField(
        label=gettext_lazy("Person (e-mail)"),
        max_length=emails.MAX_LENGTH,
        required=False,
        widget=forms.TextInput(
            attrs={"spellcheck": "false", "data-key": "/", "data-key-label": gettext_lazy("Person (e-mail)")}
        ),
    )
    target = forms.CharField(
        label=gettext_lazy("Target (e-mail or ID)"),
        max_length=400,
        required=False,
        widget=forms.TextInput(attrs={"spellcheck": "false"}),
    )
    action = ActionField(label=gettext_lazy("Action"), required=False)

    def __init__(self, *args: Any, business: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices: list[Any] = [("", _("All actions")), *actions(business)]
        selected = str(self.data.get("action", ""))
        known = {value for _label, group in choices[1:] for value, _words in group}
        if selected and selected not in known and _ACTION.fullmatch(selected):
            choices.append((selected, selected))
        self.fields["action"].choices = choices  # type: ignore[attr-defined]

    def clean_person(self) -> str:
        return emails.normalise(self.cleaned_data["person"])

    @property
    def filters(self) -> AuditFilter:
        """The filters of a valid form."""
        data = self.cleaned_data
        return AuditFilter(data["person"], data["target"], data["action"], *self.bounds)
