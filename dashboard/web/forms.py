"""How forms look: one renderer, one field template, one base class."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms.renderers import DjangoTemplates, TemplatesSetting
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString


class Renderer(TemplatesSetting):
    """Forms and fields from `templates/ui/`, the bare inputs from Django itself."""

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


# Before the name of a field: what it held when the form was opened.
WAS = "was_"


class LineField(forms.CharField):
    """One line that a person wrote: without characters that would rewrite the sentences it stands in."""

    def to_python(self, value: Any) -> str:
        text: str = super().to_python(value) or ""
        return "".join(char for char in text if unicodedata.category(char) not in _UNSEEN or char in _KEPT).strip()


# Control characters and those that turn the direction of text.
_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# Joiners belong to emoji and to some scripts; a NUL is not dropped but refused.
_KEPT = "\u200c\u200d\x00"


class LongSelect(forms.Select):
    """A select with hundreds of options: Django renders a template for each, this one a line."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        chosen = SafeString(" selected")
        options = format_html_join(
            "",
            '<option value="{}"{}>{}</option>',
            ((key, chosen if str(key) == str(value or "") else "", label) for key, label in self.choices),
        )
        final = self.build_attrs(self.attrs, attrs)
        return format_html('<select name="{}"{}>{}</select>', name, flatatt(final), options)


class Form(forms.Form):
    """A form whose texts are bounded and whose labels carry no colon."""

    def __init_subclass__(cls) -> None:
        for name, field in cls.declared_fields.items():
            if isinstance(field, forms.CharField) and field.max_length is None:
                raise TypeError(f"{cls.__name__}.{name} needs a max_length: every text is bounded.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)

    def loaded(self) -> list[tuple[str, str]]:
        """What the fields held when the form was opened, for a form that can meet a conflict."""
        if "revision" not in self.fields:
            return []
        visible = [bound for bound in self if not bound.is_hidden]
        return [(f"{WAS}{bound.name}", self._when_opened(bound)) for bound in visible]

    def _when_opened(self, bound: forms.BoundField) -> str:
        opened = self.data.get(f"{WAS}{bound.name}") if self.is_bound else bound.value()
        return str(opened or "")


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
