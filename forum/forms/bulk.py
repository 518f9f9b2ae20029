"""The reason of a bulk action: a preset or an own text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.web.forms import Form, LineField
from forum.actions import ACTIONS, Action
from forum.services.decisions import MAX_REASON, NO_REASON

MAX_ID = 100


class ReasonForm(Form):
    """`reason` is the id of a preset or a text; `own` is a text, which has priority."""

    # A browser would require the select, although the text is enough.
    use_required_attribute = False

    reason = forms.CharField(
        label=_("Reason"), max_length=MAX_ID, widget=forms.Select, error_messages={"required": NO_REASON}
    )
    own = LineField(
        label=_("Other reason…"),
        max_length=MAX_REASON,
        required=False,
        error_messages={"max_length": _("Use at most %(limit_value)d characters.")},
    )

    def __init__(self, data: Mapping[str, Any], action: Action, presets: Mapping[str, str]) -> None:
        given = str(data.get("own", "")).strip() or str(data.get("reason", "")).strip()
        known = given in presets
        super().__init__({"reason": given if known else "", "own": "" if known else given})
        # One of the two is enough.
        self.fields["reason"].required = ACTIONS[action].needs_reason and not given
        choices = [("", _("Choose a reason")), *presets.items()]
        self.fields["reason"].widget.choices = choices

    @property
    def given(self) -> str:
        return str(self.cleaned_data.get("reason") or self.cleaned_data.get("own") or "")
