"""Forms for uploading and replacing files."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from branding.items import ROLE_LABELS, AssetRole
from branding.paths import AssetConverter
from dashboard.web.forms import Form, LineField

MAX_FILES_AT_ONCE = 10
MAX_NAME = 80
ACCEPTED = "image/png,image/jpeg,image/webp,image/gif"
HELP = _("PNG, JPEG, WebP or GIF, up to 5 MB and 25 megapixels. Location and camera data are removed.")


class PicturesInput(forms.FileInput):
    allow_multiple_selected = True

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return files.getlist(name) if hasattr(files, "getlist") else files.get(name)


class PicturesField(forms.FileField):
    """One or several files. Their type is checked when they are decoded."""

    widget = PicturesInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        files = data if isinstance(data, list) else [data] if data else []
        if not files:
            raise ValidationError(_("Choose a file."))
        if len(files) > MAX_FILES_AT_ONCE:
            raise ValidationError(_("Upload at most %(most)s files at a time."), params={"most": MAX_FILES_AT_ONCE})
        return [super(PicturesField, self).clean(each, initial) for each in files]


class UploadForm(Form):
    assetType = forms.ChoiceField(
        label=_("Use as"), choices=list(ROLE_LABELS.items()), initial=AssetRole.LOGO, widget=forms.RadioSelect
    )
    file = PicturesField(
        label=_("Choose files"),
        allow_empty_file=True,
        help_text=HELP,
        widget=PicturesInput(attrs={"accept": ACCEPTED, "multiple": True}),
    )

    def clean_assetType(self) -> AssetRole:
        return AssetRole(self.cleaned_data["assetType"])


class ReplaceForm(Form):
    file = PicturesField(
        label=_("New file"),
        allow_empty_file=True,
        help_text=HELP,
        widget=PicturesInput(attrs={"accept": ACCEPTED, "multiple": False}),
    )


class UndoReplaceForm(Form):
    """The Undo of a replacement: `instead` is the new file, `versions` are the changed drafts."""

    instead = forms.CharField(max_length=128)
    versions = forms.RegexField(r"\A[0-9]{1,8}(?:,[0-9]{1,8}){0,99}\Z", max_length=900)

    def clean_instead(self) -> str:
        if not re.fullmatch(AssetConverter.regex, self.cleaned_data["instead"]):
            raise ValidationError(_("This file does not exist."))
        return str(self.cleaned_data["instead"])

    def clean_versions(self) -> list[int]:
        return [int(each) for each in self.cleaned_data["versions"].split(",")]


def clean_file_name(name: str | None) -> str:
    """The name of a file in one line, without its path, shortened, with its extension."""
    base = unicodedata.normalize("NFC", (name or "").replace("\\", "/").rpartition("/")[2]).replace("\x00", "")
    line = LineField(max_length=255).to_python(base)
    if len(line) <= MAX_NAME:
        return line
    stem, dot, extension = line.rpartition(".")
    suffix = f"{dot}{extension}" if stem and len(extension) <= 5 else ""
    return f"{line[: MAX_NAME - 1 - len(suffix)].strip()}…{suffix}"
