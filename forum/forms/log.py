"""The filters of the moderation log."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.platform.accounts import emails
from dashboard.web.ranges import RangeForm
from forum.actions import ACTIONS
from forum.queries.log import LogFilter

_PLAIN = {"spellcheck": "false"}
# An action of an outside writer has no label, but can be searched for.
_ACTION = re.compile(r"[\w.:-]{1,60}")
MAX_ID = 400


def _text(label: Any, most: int = MAX_ID, **attrs: Any) -> forms.CharField:
    return forms.CharField(label=label, max_length=most, required=False, widget=forms.TextInput(attrs=_PLAIN | attrs))


class LogForm(RangeForm):
    moderator = _text(
        gettext_lazy("Moderator (e-mail)"),
        emails.MAX_LENGTH,
        **{"data-key": "/", "data-key-label": gettext_lazy("Moderator (e-mail)")},
    )
    action = forms.CharField(label=gettext_lazy("Action"), max_length=60, required=False, widget=forms.Select)
    author = _text(gettext_lazy("Author (e-mail)"), emails.MAX_LENGTH)
    target = _text(gettext_lazy("Post or comment (id)"))
    operation = _text(gettext_lazy("Bulk action (id)"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        given = str(self.data.get("action", ""))
        labels = {name: spec.label for name, spec in ACTIONS.items()}
        if _ACTION.fullmatch(given):
            labels.setdefault(given, given)
        self.fields["action"].widget.choices = [("", _("Everything")), *labels.items()]
        if not self.data.get("operation"):
            # Nobody types such an id: it comes from the link of an entry.
            del self.fields["operation"]

    def clean_moderator(self) -> str:
        return emails.normalise(self.cleaned_data["moderator"])

    def clean_action(self) -> str:
        action: str = self.cleaned_data["action"]
        if action and not _ACTION.fullmatch(action):
            raise forms.ValidationError(_("Choose one of the actions."))
        return action

    @property
    def log_filter(self) -> LogFilter:
        """Only for a valid form."""
        given, (since, until) = self.cleaned_data, self.bounds
        return LogFilter(
            given["moderator"],
            given["action"],
            given["author"],
            given["target"],
            given.get("operation", ""),
            since=since,
            until=until,
        )
