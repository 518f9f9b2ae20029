"""The fields of a lead that people edit, and its forms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from content.items import LeadState
from content.lead_stages import STAGE_LABELS
from dashboard.web.fields import Field, Fields, ItemForm, LenientChoiceField
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
    Field(
        "step_for",
        LenientChoiceField(label=_("Who does it"), required=False),
        audit_label=_("who does the next step"),
    ),
)


class NextStepForm(ItemForm):
    item_fields = LEAD_FIELDS

    def __init__(self, data: Any = None, *, people: Sequence[tuple[str, str]], **options: Any) -> None:
        """`people` are the addresses and names of those who may take the step."""
        super().__init__(data, **options)
        field = cast(LenientChoiceField, self.fields["step_for"])
        field.choices = [("", _("Whoever saves it")), *people]
        field.add_stored_choice(str(self.stored.get("step_for") or ""))


class StageForm(RevisionForm):
    stage = forms.ChoiceField(choices=[(stage.value, label) for stage, label in STAGE_LABELS.items()])


class NoteForm(Form):
    text = forms.CharField(label=_("Note"), max_length=2000, widget=forms.Textarea(attrs={"rows": 3}), strip=True)
