"""What is sent when a version is made, acted on, published or compared."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from branding.tokens import VERSIONS
from dashboard.web.forms import Form, LineField, RevisionField

LONGEST_NOTE = 300
ACCEPTED = "accepted"


class NumberField(forms.IntegerField):
    """The number of a version; none where nothing was sent."""

    default_error_messages = {"invalid": _("Write the number of a version, like 7.")}

    def __init__(self, label: Any, *, required: bool = False) -> None:
        said = _("Write the number of a version, like 7.")
        messages = {"required": said, "min_value": said, "max_value": said}
        super().__init__(label=label, min_value=0, max_value=VERSIONS - 1, required=required, error_messages=messages)


class OptionalRevisionField(RevisionField):
    """The revision of what the person saw; none where the button does not say."""

    def clean(self, value: Any) -> int | None:  # type: ignore[override]
        return None if value in self.empty_values else super().clean(value)


class SourceForm(Form):
    """What a new draft begins as."""

    source = NumberField(_("Made from"))


class PublishForm(Form):
    expected = NumberField(_("Live"))
    revision = OptionalRevisionField()
    note = LineField(
        label=_("Note"),
        max_length=LONGEST_NOTE,
        required=False,
        help_text=_("What changes and why, for the timeline. Customers do not see it."),
    )
    contrast = forms.CharField(max_length=20, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["note"].widget.attrs["autocomplete"] = "off"


class CompareForm(Form):
    a = NumberField(_("This version"), required=True)
    b = NumberField(_("with this one"), required=True)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs |= {"list": "versions", "inputmode": "numeric", "autocomplete": "off"}
