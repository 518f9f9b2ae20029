"""The form with the key of an item."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.table.keypattern import MAX_PK, MAX_SK, Key


def _field(label: Any, **attrs: Any) -> forms.CharField:
    widget = forms.TextInput(attrs={"spellcheck": "false", "autocapitalize": "none", "class": "mono", **attrs})
    # Spaces may be part of a key.
    return forms.CharField(label=label, strip=False, widget=widget)


class ItemKeyForm(forms.Form):
    pk = _field(gettext_lazy("Partition key (PK)"), **{"data-key": "/", "data-key-label": gettext_lazy("Find an item")})
    sk = _field(gettext_lazy("Sort key (SK)"))

    def clean_pk(self) -> str:
        return _ensure_length(self.cleaned_data["pk"], MAX_PK)

    def clean_sk(self) -> str:
        return _ensure_length(self.cleaned_data["sk"], MAX_SK)

    @property
    def key(self) -> Key:
        """The key of a valid form."""
        return Key(self.cleaned_data["pk"], self.cleaned_data["sk"])


def _ensure_length(text: str, limit: int) -> str:
    if len(text.encode()) > limit:
        raise forms.ValidationError(_("A key can have at most %(limit)s bytes.") % {"limit": limit})
    return text
