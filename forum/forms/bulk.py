"""Why many are banned: one of the presets, or in one's own words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.ui.forms import Form, LineField
from forum.services.deciding import MAX_REASON, NO_REASON
from forum.states import Action

MAX_ID = 100


class ReasonForm(Form):
    """`reason` is a preset's id, or a text; `own` a text beside the select, and counts where both are there."""

    reason = forms.CharField(label=_("Reason"), max_length=MAX_ID, required=False, widget=forms.Select)
    own = LineField(
        label=_("In your own words"),
        max_length=MAX_REASON,
        required=False,
        error_messages={"max_length": _("A reason has at most %(limit_value)d characters.")},
    )

    def __init__(self, data: Mapping[str, Any], action: Action, presets: Mapping[str, str]) -> None:
        given = str(data.get("own", "")).strip() or str(data.get("reason", "")).strip()
        known = given in presets
        super().__init__({"reason": given if known else "", "own": "" if known else given})
        self.action = action
        choices = [("", _("Choose one, or write it below")), *presets.items()]
        self.fields["reason"].widget.choices = choices

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        if self.action is Action.BAN and not self.errors and not self.given:
            self.add_error("reason", NO_REASON)
        return given

    @property
    def given(self) -> str:
        return str(self.cleaned_data.get("reason") or self.cleaned_data.get("own") or "")
