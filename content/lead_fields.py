"""The fields of a lead that people edit, and its forms."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from content.items import LeadState
from content.lead_stages import STAGE_LABELS
from dashboard.web.fields import Field, Fields, ItemForm
from dashboard.web.forms import Form, LineField, RevisionForm
from dashboard.web.ranges import DayField


class StepDayField(DayField):
    """A day as text, as it is stored."""

    def clean(self, value: Any) -> Any:
        day = super().clean(value)
        return day.isoformat() if day else ""


LEAD_FIELDS = Fields(
    LeadState,
    Field(
        "next_step",
        LineField(label=_("Next step"), max_length=200, required=False),
        audit_label=_("next step"),
    ),
    Field("next_step_on", StepDayField(label=_("Date")), audit_label=_("day of the next step")),
)


class NextStepForm(ItemForm):
    item_fields = LEAD_FIELDS


class StageForm(RevisionForm):
    stage = forms.ChoiceField(choices=[(stage.value, label) for stage, label in STAGE_LABELS.items()])


class NoteForm(Form):
    text = forms.CharField(label=_("Note"), max_length=2000, widget=forms.Textarea(attrs={"rows": 3}), strip=True)
