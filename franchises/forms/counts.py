"""The forms of count sheets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dashboard.core.errors import Refused
from dashboard.web.forms import Form, LineField, RevisionForm
from franchises.items import Branch
from franchises.units import read_units

MAX_TYPED = 20_000


class StartCountForm(Form):
    """A branch, and the products to count if not all of them."""

    branch = forms.ChoiceField(label=_("Branch"), error_messages={"required": _("Choose a branch.")})
    products = forms.CharField(
        label=_("Only these products"),
        required=False,
        max_length=MAX_TYPED,
        help_text=_("A part of the name, a SKU or an id in each line. Empty: all products of the branch."),
        widget=forms.Textarea({"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, data: Any = None, *, branches: Sequence[Branch], **options: Any) -> None:
        super().__init__(data, **options)
        choices: Any = self.fields["branch"]
        choices.choices = [("", _("Choose a branch"))] + [(each.id, each.title) for each in branches]

    @property
    def texts(self) -> list[str]:
        return [line.strip() for line in self.cleaned_data["products"].splitlines() if line.strip()]


class CountLineForm(RevisionForm):
    """The counted quantity of one line; empty if it is not counted."""

    counted = LineField(label=_("Counted"), max_length=20, required=False)

    def clean_counted(self) -> int | None:
        try:
            return read_units(self.cleaned_data["counted"])
        except Refused as refusal:
            raise ValidationError(str(refusal.text)) from refusal
