"""The form of an item of the library: its documented fields, and all its other attributes."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from content.files import MAX_BYTES
from content.items import Context, LibraryItem
from content.library import attribute_texts as texts
from content.library.attribute_texts import FALSE, TRUE, Shape, Value
from content.library.digests import digest_of
from content.library.fields import SIGNAL_STATUSES, YES
from content.library.kinds import CONTEXTS, FILES, PRODUCTS, RESOURCES, SIGNALS, LibraryKind
from content.plain_blocks import is_plain
from dashboard.table.items import Item
from dashboard.table.masking import masked_value
from dashboard.web.fields import ItemForm
from dashboard.web.forms import Form, LineField, RevisionForm

# The prefix of the inputs of other attributes.
OTHER = "attribute-"
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


def input_name(name: str) -> str:
    """The name of the input of an attribute. Names of attributes may have any characters."""
    is_simple = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return OTHER + (name if is_simple else f"-{name.encode().hex()}")


class LibraryItemForm(ItemForm):
    """The fields of a kind, then its other attributes. Only what the person changed is saved."""

    kind: ClassVar[LibraryKind]

    def __init__(self, data: Any = None, *, item: LibraryItem | None = None, **options: Any) -> None:
        super().__init__(data, item=item, **options)
        self.main_names = [name for name in self.fields if name != "revision"]
        if item is None:
            return
        if isinstance(item, Context) and not is_plain(item.blocks):
            self._drop_field("text")
        self.fields["digest"] = LineField(max_length=64, required=False, widget=forms.HiddenInput)
        self.fields["digest"].initial = digest_of(item)
        self._add_others(item)

    def _drop_field(self, name: str) -> None:
        del self.fields[name]
        self.main_names.remove(name)

    def _add_others(self, item: LibraryItem) -> None:
        """An input for each attribute that a form can change; the others are shown."""
        self.locked: list[tuple[str, str]] = []
        total, data = 0, cast(Any, self.data)
        for name in self._other_names(item):
            value = item.raw[name]
            shape = Shape.LOCKED if self.kind.is_system(name) else texts.shape_of(name, value)
            total += len(texts.to_text(value))
            count = len(self.fields) - len(self.main_names)
            if shape == Shape.LOCKED or total > MAX_TOTAL or count >= MAX_INPUTS:
                self.locked.append((self.kind.label_of(name), texts.to_text(masked_value(name, value))))
                continue
            field = AttributeField(name, self.kind.label_of(name), value, shape)
            self.fields[input_name(name)] = field
            field.initial = self.stored[input_name(name)] = field.shown
            if self.is_bound and input_name(name) not in self.data:
                data[input_name(name)] = field.shown

    def _other_names(self, item: LibraryItem) -> list[str]:
        """Also attributes that a field would edit if they had its type."""
        names = self.kind.field_names()
        shown = {name for name, field in names.items() if field in self.fields and name not in item.mistyped}
        hidden = [name for name in names if name in item.raw and name not in shown]
        return [*hidden, *self.kind.other_names(item)]

    @property
    def main_fields(self) -> list[BoundField]:
        return [self[name] for name in self.main_names]

    @property
    def other_fields(self) -> list[BoundField]:
        return [self[name] for name, field in self.fields.items() if isinstance(field, AttributeField)]

    @property
    def has_other_errors(self) -> bool:
        return any(field.errors for field in self.other_fields)

    @property
    def current_digest(self) -> str:
        """The content that the page shows, for its buttons."""
        return digest_of(self.item) if self.item is not None else ""

    def clean(self) -> dict[str, Any] | None:
        """A value that an outside writer stored stays if it is unchanged, also if it is invalid as input."""
        cleaned = super().clean()
        for name in self.main_names:
            if self._is_as_shown(name):
                self.errors.pop(name, None)
                self.cleaned_data.pop(name, None)
        return cleaned

    def _is_as_shown(self, name: str) -> bool:
        return self.item is not None and texts.is_same_text(str(self.data.get(name, "")), str(self.stored[name]))

    @property
    def attributes(self) -> dict[str, Value]:
        """The changed other attributes, by their names on the table."""
        others = [(name, field) for name, field in self.fields.items() if isinstance(field, AttributeField)]
        found = {field.name: self.cleaned_data.get(name) for name, field in others}
        return {name: value for name, value in found.items() if value is not None}

    @property
    def digest(self) -> str:
        return str(self.cleaned_data.get("digest") or "")

    def value_in(self, item: Item, name: str) -> Any:
        field = self.fields.get(name)
        if isinstance(field, AttributeField):
            return texts.to_text(item.raw[field.name]) if field.name in item.raw else None
        return super().value_in(item, name)

    def renewed_fields(self, item: Item) -> dict[str, str]:
        return {"digest": digest_of(item)}


class SeenForm(RevisionForm):
    """A button that acts on the revision and the content that the person saw."""

    digest = LineField(max_length=64, required=False, widget=forms.HiddenInput)

    @property
    def seen_digest(self) -> str:
        return str(self.cleaned_data.get("digest") or "") if self.is_valid() else ""

    def renewed_fields(self, item: Item) -> dict[str, str]:
        return {"digest": digest_of(item)}


class MarkForm(SeenForm):
    """The status that a button gives a signal."""

    status = forms.ChoiceField(choices=list(SIGNAL_STATUSES.items()), widget=forms.HiddenInput)


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


class SiteProductForm(LibraryItemForm):
    item_fields, kind = PRODUCTS.fields, PRODUCTS


class SiteResourceForm(LibraryItemForm):
    item_fields, kind = RESOURCES.fields, RESOURCES


class SiteContextForm(LibraryItemForm):
    item_fields, kind = CONTEXTS.fields, CONTEXTS


class SiteFileForm(LibraryItemForm):
    item_fields, kind = FILES.fields, FILES


class SiteSignalForm(LibraryItemForm):
    item_fields, kind = SIGNALS.fields, SIGNALS

    def __init__(self, data: Any = None, **options: Any) -> None:
        super().__init__(data, **options)
        if self.item is None:
            self._drop_field("status")

    def clean_wallet_signal(self) -> bool | None:
        chosen = self.cleaned_data["wallet_signal"]
        return chosen == YES if chosen else None


FORMS: dict[str, type[LibraryItemForm]] = {
    form.kind.key: form for form in (SiteProductForm, SiteResourceForm, SiteContextForm, SiteSignalForm, SiteFileForm)
}
