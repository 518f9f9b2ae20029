"""The forms with which files are uploaded."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from branding.public import pictures_field
from content.files import MAX_BYTES
from dashboard.web.forms import Form


class UploadResourceForm(Form):
    """A private file. Its type does not matter: it is only ever downloaded."""

    file = forms.FileField(
        label=_("File"), max_length=255, help_text=_("Up to 10 MB. Only people of this business can download it here.")
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MAX_BYTES:
            raise ValidationError(_("This file is larger than 10 MB."))
        return file


class UploadMediaForm(Form):
    """Pictures for pages. They are decoded and encoded again, each on its own."""

    file = pictures_field(_("Choose pictures"))
