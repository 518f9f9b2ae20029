"""The renderer of forms, the base class of forms, and fields that all apps use."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from django import forms
from django.forms.renderers import DjangoTemplates, TemplatesSetting
from django.forms.utils import flatatt
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dashboard.table.items import Item


class Renderer(TemplatesSetting):
    """Renders forms and fields from `templates/ui/`, and inputs from the templates of Django."""

    form_template_name = "ui/form.html"
    field_template_name = "ui/field.html"
    widgets = DjangoTemplates()

    def get_template(self, template_name: str) -> Any:
        if template_name.startswith("django/forms/"):
            return self.widgets.get_template(template_name)
        return super().get_template(template_name)


class Switch(forms.CheckboxInput):
    """A checkbox that reads as on or off."""

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__({"role": "switch", **(attrs or {})})


# The prefix of the hidden input with the value that a field had when the form was opened.
OPENED_PREFIX = "was_"


class LineField(forms.CharField):
    """One line of text, without control characters and characters that change the direction of text."""

    def to_python(self, value: Any) -> str:
        text: str = super().to_python(value) or ""
        return "".join(
            char for char in text if unicodedata.category(char) not in _INVISIBLE or char in _JOINERS
        ).strip()


# Control characters and those that turn the direction of text.
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# Joiners are part of emoji and of some scripts. A NUL is refused later, not dropped.
_JOINERS = "\u200c\u200d\x00"


class SheetInput(forms.Textarea):
    """Lines from a spreadsheet. The widget shows no character count."""


class LongSelect(forms.Select):
    """A select with hundreds of options. Django would render a template for each option."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        attributes = flatatt(self.build_attrs(self.attrs, attrs))
        options = self.render_options([(str(key), str(label)) for key, label in self.choices], str(value or ""))
        return format_html('<select name="{}"{}>{}</select>', name, attributes, options)

    def render_options(self, choices: Sequence[tuple[str, str]], value: str) -> SafeString:
        """The options. `format_html` would take most of the time of a page with a select of time zones."""
        return SafeString(
            "".join(
                f'<option value="{escape(key)}"{" selected" if key == value else ""}>{escape(label)}</option>'
                for key, label in choices
            )
        )


class Form(forms.Form):
    """The base of every form: its texts are bounded and its labels end without a colon.

    A form that saves an item can meet a conflict. The conflict page reads the form through `item_names`, `item_title`,
    `value_in`, `display`, `color_of` and `renewed_fields`; a form overrides those whose defaults do not fit.
    """

    # The attributes of the item, by the names of the fields, where they differ.
    item_names: Mapping[str, str] = {}

    def __init_subclass__(cls) -> None:
        for name, field in cls.declared_fields.items():
            if isinstance(field, forms.CharField) and field.max_length is None:
                raise TypeError(f"{cls.__name__}.{name} needs a max_length: every text is bounded.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)

    def opened_values(self) -> list[tuple[str, str]]:
        """The values of the fields when the form was opened, as hidden inputs that a conflict needs."""
        if "revision" not in self.fields:
            return []
        visible = [bound for bound in self if not bound.is_hidden]
        return [(f"{OPENED_PREFIX}{bound.name}", self._opened_value(bound)) for bound in visible]

    def _opened_value(self, bound: forms.BoundField) -> str:
        opened = self.data.get(f"{OPENED_PREFIX}{bound.name}") if self.is_bound else bound.value()
        return str(opened or "")

    def read_only_rows(self) -> list[tuple[str, str]]:
        """The label and the text of each field, for a page on which nothing can be changed."""
        return [(str(bound.label), display_value(bound, bound.value())) for bound in self.visible_fields()]

    def item_title(self, item: Item) -> str:
        """The name of the item on the conflict page; empty where the page of the form names it."""
        return ""

    def conflict_zone(self, item: Item) -> str:
        """The time zone of the conflict page; empty for the person's own."""
        return ""

    def value_in(self, item: Item, name: str) -> Any:
        """The value of a field in the item as it is saved now, as the form would send it."""
        return getattr(item, self.item_names.get(name, name), None)

    def display(self, name: str, item: Item | None) -> str | None:
        """The text of a field in an item, or without an item the text of what was sent.

        None: the field displays its value. A field whose texts are all empty is left out of the conflict page.
        """
        return None

    def color_of(self, name: str, value: Any) -> str | None:
        """The colour `#rrggbb` of a value, for a swatch on the conflict page; None if it is not a colour."""
        return None

    def renewed_fields(self, item: Item) -> dict[str, str]:
        """Hidden fields, other than the revision, that get a new value when the person sends the form again."""
        return {}


def display_value(bound: forms.BoundField, value: Any) -> str:
    """A value as text: the label of a choice, "yes" or "no" for a checkbox."""
    if isinstance(bound.field, forms.BooleanField):
        return _("yes") if value else _("no")
    choices = {str(key): str(label) for key, label in getattr(bound.field, "choices", [])}
    if isinstance(value, list):
        return ", ".join(choices.get(str(each), str(each)) for each in value)
    text = "" if value is None else str(value)
    return choices.get(text, text)


def submitted_revision(data: Mapping[str, Any]) -> str:
    """The revision that a form sent. Pages that were open during a deploy still send it as `version`."""
    return str(data.get("revision", data.get("version", "")))


class RevisionInput(forms.HiddenInput):
    def value_from_datadict(self, data: Any, files: Any, name: str) -> str:
        return submitted_revision(data)


class RevisionField(forms.IntegerField):
    """The revision that the person saw. It is 0 for an item that nobody has edited."""

    def __init__(self) -> None:
        super().__init__(min_value=0, max_value=10**12, required=False, widget=RevisionInput)

    def clean(self, value: Any) -> int:
        return super().clean(value) or 0


class RevisionForm(Form):
    """A button that acts on the revision that the person saw."""

    revision = RevisionField()

    @property
    def number(self) -> int:
        """The revision; 0 where none or an invalid one was sent."""
        return int(self.cleaned_data["revision"]) if self.is_valid() else 0
