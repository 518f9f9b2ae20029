"""The form fields of attributes that have no documented field: to change, remove or add one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from content.library import attribute_texts as texts
from content.library.attribute_texts import FALSE, TRUE, Shape, Value
from content.library.new_attributes import MAX_NAME, TYPE_LABELS
from dashboard.web.forms import LineField

# The prefixes of the inputs of other attributes, and of the boxes that remove them.
OTHER, REMOVE = "attribute-", "remove-"
# The id of the form in the page.
FORM_ID = "library-item"
NEW_FIELDS = NEW_NAME, NEW_TYPE, NEW_VALUE = "new-name", "new-type", "new-value"
# More attributes, or more text, could not be sent: the others are only shown.
MAX_INPUTS, MAX_TOTAL = 150, 150_000


class AttributeField(forms.CharField):
    """Another attribute of an item, as text. An unchanged text keeps the stored value."""

    def __init__(self, name: str, label: str, value: Value, shape: Shape) -> None:
        self.name, self.value, self.shape, self.shown = name, value, shape, texts.to_text(value)
        super().__init__(
            label=label,
            required=False,
            strip=False,
            widget=_widget(shape, self.shown),
            help_text=_HELP.get(shape, ""),
        )

    def clean(self, text: Any) -> Value | None:
        """The new value; None if it stays."""
        sent = str(text or "")
        if len(sent) > MAX_TOTAL:
            raise ValidationError(_("This is too long."))
        return None if texts.is_same_text(sent, self.shown) else texts.from_text(super().clean(sent), self.value)


_HELP = {Shape.LINES: _("One per line."), Shape.JSON: _("As JSON. It is saved only if it is valid.")}
_NO_SPELLING = {"autocomplete": "off", "spellcheck": "false"}
# A longer text has several lines.
_LINE = 80


def _widget(shape: Shape, text: str) -> forms.Widget:
    if shape == Shape.TRUTH:
        return forms.Select(choices=[(TRUE, _("Yes")), (FALSE, _("No"))])
    if shape == Shape.NUMBER:
        return forms.TextInput(attrs=_NO_SPELLING | {"inputmode": "decimal"})
    if shape == Shape.TEXT and len(text) <= _LINE and "\n" not in text:
        return forms.TextInput(attrs=_NO_SPELLING)
    rows = min(max(text.count("\n") + 1, 3), 16)
    attributes: dict[str, Any] = {"rows": rows} | (_NO_SPELLING if shape == Shape.JSON else {})
    return forms.Textarea(attrs=attributes)


class RemovalField(forms.BooleanField):
    """A box that removes an attribute. It may be outside of the form."""

    def __init__(self, name: str, label: str) -> None:
        self.name = name
        widget = forms.CheckboxInput(attrs={"form": FORM_ID})
        super().__init__(label=_("Remove %(name)s") % {"name": label}, required=False, widget=widget)


def input_name(name: str, prefix: str = OTHER) -> str:
    """The name of the input of an attribute. Names of attributes may have any characters."""
    is_simple = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return prefix + (name if is_simple else f"-{name.encode().hex()}")


@dataclass(frozen=True)
class LockedAttribute:
    """An attribute that is only shown, with its box if it can be removed."""

    label: str
    text: str
    removal: BoundField | None


def new_attribute_fields() -> dict[str, forms.Field]:
    no_spelling = forms.TextInput(attrs=_NO_SPELLING)
    return {
        NEW_NAME: LineField(label=_("Name"), max_length=MAX_NAME, required=False, widget=no_spelling),
        NEW_TYPE: forms.ChoiceField(label=_("Type"), choices=list(TYPE_LABELS.items()), required=False),
        NEW_VALUE: forms.CharField(
            label=_("Value"), required=False, strip=False, widget=forms.Textarea(attrs={"rows": 3} | _NO_SPELLING)
        ),
    }
