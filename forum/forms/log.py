"""The filters of the moderation log."""

from __future__ import annotations

import re
from datetime import UTC
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.platform.accounts import emails
from dashboard.web.ranges import RangeForm
from forum.actions import ACTIONS
from forum.queries.log import LogFilter
from forum.statistics.counted_entries import part_labels

_PLAIN = {"spellcheck": "false"}
# An action of an outside writer has no label, but can be searched for.
_ACTION = re.compile(r"[\w.:-]{1,60}")
MAX_ID = 400
UTC_DAYS = "utc"


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
    # Comes from a number of the statistics.
    counted = forms.ChoiceField(label=gettext_lazy("Counted as"), choices=part_labels, required=False)
    # The statistics count days in UTC, and link to the entries of such a day.
    zone = forms.ChoiceField(
        label=gettext_lazy("Days in"),
        choices=[("", gettext_lazy("Your time zone")), (UTC_DAYS, "UTC")],
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        given = str(self.data.get("action", ""))
        labels = {name: spec.label for name, spec in ACTIONS.items()}
        if _ACTION.fullmatch(given):
            labels.setdefault(given, given)
        self.fields["action"].widget.choices = [("", _("Everything")), *labels.items()]
        for name in ("operation", "counted", "zone"):
            # Nobody starts with these: they come from the links of an entry and of the statistics.
            if not self.data.get(name):
                del self.fields[name]

    def clean_moderator(self) -> str:
        return emails.normalise(self.cleaned_data["moderator"])

    def clean_action(self) -> str:
        action: str = self.cleaned_data["action"]
        if action and not _ACTION.fullmatch(action):
            raise forms.ValidationError(_("Choose one of the actions."))
        return action

    @property
    def bounds(self) -> tuple[str | None, str | None]:
        if self.cleaned_data.get("zone") != UTC_DAYS:
            return super().bounds
        with timezone.override(UTC):
            return super().bounds

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
            counted=given.get("counted", ""),
        )
