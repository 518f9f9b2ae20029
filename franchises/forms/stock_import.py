"""The form that uploads a file of stock."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from dashboard.web.forms import Form, SheetInput
from franchises.stock_file import MAX_BYTES


class StockImportForm(Form):
    file = forms.FileField(
        label=_("CSV file"),
        required=False,
        max_length=255,
        help_text=_("From Excel or another spreadsheet. Up to 20,000 lines and 4 MB."),
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,text/csv,text/plain"}),
    )
    text = forms.CharField(
        label=_("Or paste the lines"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        help_text=_("The first line names the columns: branch, product, SKU, name, stock, minimum, price."),
        widget=SheetInput(attrs={"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        file, text = given.get("file"), (given.get("text") or "").strip()
        if not self.errors and bool(file) == bool(text):
            raise ValidationError(_("Choose a file or paste the lines, not both."))
        return given
