"""The fields of the form of a version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from branding.forms.assets import ACCEPTED
from branding.paths import file_url
from branding.samples import PART_OF_FIELD
from branding.tokens import Token
from dashboard.platform.businesses.fields import PLAIN_TEXT
from dashboard.web.forms import LineField

TEMPLATE = "branding/token.html"


class ColorField(LineField):
    """A colour. An unknown value of an outside writer may stay; an empty one means the default."""

    def __init__(self, token: Any, stored: str) -> None:
        self.token: Token
        self.token, self.stored = token, stored
        attrs = PLAIN_TEXT | {"placeholder": token.default, "data-color": "", "data-token": "", "size": "9"}
        attrs["data-part"] = PART_OF_FIELD[token.name]
        super().__init__(
            label=token.label,
            help_text=token.hint,
            max_length=80,
            required=False,
            widget=forms.TextInput(attrs=attrs),
        )
        self.template_name = TEMPLATE

    def clean(self, value: Any) -> str:
        if value == self.stored:
            return self.stored
        typed: str = super().clean(value)
        if not typed:
            return typed
        found = self.token.clean(typed)
        if found is None:
            raise ValidationError(_("Enter a colour as # and six digits or letters from a to f, for example #1a2b3c."))
        return found


class TokenField(forms.ChoiceField):
    """A value of the list, or the unknown one that an outside writer stored."""

    def __init__(self, token: Any, stored: str) -> None:
        options = [(option.value, option.label) for option in token.options or ()]
        if stored and token.clean(stored) is None:
            label = _("%(value)s (unknown, shown as %(shown)s)")
            options.insert(0, (stored, label % {"value": stored, "shown": token.display(token.default)}))
        super().__init__(
            label=token.label,
            help_text=token.hint,
            choices=options,
            required=False,
            widget=forms.Select(attrs={"data-token": "", "data-part": PART_OF_FIELD[token.name]}),
        )
        self.template_name = TEMPLATE


class FileField(forms.ChoiceField):
    """One of the business's files, or none."""

    default_error_messages = {"invalid_choice": gettext_lazy("This file no longer exists. Choose another.")}


@dataclass(frozen=True)
class FileChoice:
    """A file to choose."""

    id: str
    name: str
    # Uploaded for another role, for example an icon among the logos.
    is_for_other_role: bool
    # In our storage, so that its thumbnail can be shown.
    is_stored_here: bool

    @property
    def thumbnail(self) -> str:
        return f"{file_url(self.id)}?size=thumb"


@dataclass(frozen=True)
class FilePicker:
    """The field of one role: the chosen id, the files of this role, and the other files."""

    field: forms.BoundField
    chosen: str
    choices: list[FileChoice]
    other_choices: list[FileChoice]
    # The page of the chosen file, if an outside writer stores it.
    outside_url: str = ""

    accepted = ACCEPTED

    @property
    def part(self) -> str:
        """The part of the sample screen that shows the file."""
        return PART_OF_FIELD[self.field.name]

    @property
    def is_other_chosen(self) -> bool:
        return self.chosen in {each.id for each in self.other_choices}
