"""The form of the booking rules."""

from __future__ import annotations

from bookings.fields import RULE_FIELDS
from dashboard.web.fields import ItemForm


class RulesForm(ItemForm):
    item_fields = RULE_FIELDS

    def clean_step_minutes(self) -> int | None:
        step: str = self.cleaned_data["step_minutes"]
        return int(step) if step else None
