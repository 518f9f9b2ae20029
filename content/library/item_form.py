"""The form of an item of the library: its documented fields, and all its other attributes."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from django import forms
from django.core.exceptions import ValidationError
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from content.items import Context, LibraryItem
from content.library import attribute_texts as texts
from content.library.attribute_fields import (
    MAX_INPUTS,
    MAX_TOTAL,
    NEW_FIELDS,
    NEW_NAME,
    NEW_TYPE,
    NEW_VALUE,
    REMOVE,
    AttributeField,
    LockedAttribute,
    RemovalField,
    input_name,
    new_attribute_fields,
)
from content.library.attribute_texts import MAX_LENGTH, Shape, Value
from content.library.digests import digest_of
from content.library.kind import LibraryKind
from content.library.new_attributes import AttributeType, check_name, read_value
from content.plain_blocks import is_plain
from dashboard.table.items import Item, Raw
from dashboard.web.fields import ItemForm
from dashboard.web.forms import LineField, display_value


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
        self.fields |= new_attribute_fields()

    def _drop_field(self, name: str) -> None:
        del self.fields[name]
        self.main_names.remove(name)

    def _add_others(self, item: LibraryItem) -> None:
        """An input for each attribute that a form can change; the others are shown."""
        self._locked: dict[str, str] = {}
        total, count, data = 0, 0, cast(Any, self.data)
        for name in self._other_names(item):
            value, label = item.raw[name], self.kind.label_of(name)
            shape = Shape.LOCKED if self.kind.is_system(name) else texts.shape_of(name, value)
            total += len(texts.to_text(value))
            count += 1
            if self._can_be_removed(name, value) and count <= MAX_INPUTS:
                self.fields[input_name(name, REMOVE)] = RemovalField(name, label)
            if shape == Shape.LOCKED or total > MAX_TOTAL or count > MAX_INPUTS:
                self._locked[name] = texts.to_text(self.kind.masked(name, value))
                continue
            field = AttributeField(name, label, value, shape)
            self.fields[input_name(name)] = field
            field.initial = self.stored[input_name(name)] = field.shown
            if self.is_bound and input_name(name) not in self.data:
                data[input_name(name)] = field.shown

    def _can_be_removed(self, name: str, value: Value) -> bool:
        """Not what the website service relies on, and no secret."""
        return not self.kind.is_system(name) and self.kind.masked(name, value) == value

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
    def other_fields(self) -> list[tuple[BoundField, BoundField | None]]:
        """Each other attribute with the box that removes it."""
        names = [(name, field.name) for name, field in self.fields.items() if isinstance(field, AttributeField)]
        return [(self[name], self._removal_of(attribute)) for name, attribute in names]

    def _removal_of(self, attribute: str) -> BoundField | None:
        name = input_name(attribute, REMOVE)
        return self[name] if name in self.fields else None

    @property
    def locked(self) -> list[LockedAttribute]:
        """The attributes that are only shown."""
        return [
            LockedAttribute(self.kind.label_of(name), text, self._removal_of(name))
            for name, text in self._locked.items()
        ]

    @property
    def has_locked_removals(self) -> bool:
        return any(each.removal for each in self.locked)

    @property
    def new_fields(self) -> list[BoundField]:
        return [self[name] for name in NEW_FIELDS]

    @property
    def has_other_errors(self) -> bool:
        return any(field.errors for field, _removal in self.other_fields)

    @property
    def has_new_errors(self) -> bool:
        return any(field.errors for field in self.new_fields)

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
        if self.item is not None:
            self._clean_new_attribute(self.item)
        return cleaned

    def _clean_new_attribute(self, item: LibraryItem) -> None:
        """The attribute to add, if there is one."""
        name, text = self.cleaned_data.get(NEW_NAME, ""), str(self.cleaned_data.get(NEW_VALUE) or "")
        self._added: Raw = {}
        if NEW_NAME in self.errors or NEW_TYPE in self.errors or not (name or text.strip()):
            return
        try:
            at = NEW_NAME
            check_name(self.kind, item, name)
            at = NEW_VALUE
            if len(text) > MAX_LENGTH:
                raise ValidationError(_("This is too long."))
            self._added = {name: read_value(AttributeType(self.cleaned_data[NEW_TYPE] or AttributeType.TEXT), text)}
        except ValidationError as error:
            self.add_error(at, error)

    def _is_as_shown(self, name: str) -> bool:
        return self.item is not None and texts.is_same_text(str(self.data.get(name, "")), str(self.stored[name]))

    @property
    def attributes(self) -> dict[str, Value | None]:
        """The changed other attributes, by their names on the table; None for one to remove."""
        changed: dict[str, Value | None] = {}
        for name, field in self.fields.items():
            value = self.cleaned_data.get(name)
            if isinstance(field, AttributeField) and value is not None:
                changed[field.name] = value
        boxes = [(name, field) for name, field in self.fields.items() if isinstance(field, RemovalField)]
        removed = [field.name for name, field in boxes if self.cleaned_data.get(name)]
        return changed | dict.fromkeys(removed) | self._added

    @property
    def digest(self) -> str:
        return str(self.cleaned_data.get("digest") or "")

    def value_in(self, item: Item, name: str) -> Any:
        field = self.fields.get(name)
        if isinstance(field, AttributeField):
            return texts.to_text(item.raw[field.name]) if field.name in item.raw else None
        if isinstance(field, RemovalField):
            return False
        return None if name in NEW_FIELDS else super().value_in(item, name)

    def display(self, name: str, item: Item | None) -> str | None:
        """The conflict page leaves out what the person neither removes nor adds."""
        if not self._is_about_attributes(name):
            return super().display(name, item)
        if item is not None or not self.data.get(name) or (name == NEW_TYPE and not self.data.get(NEW_NAME)):
            return ""
        return display_value(self[name], self[name].data)

    def _is_about_attributes(self, name: str) -> bool:
        return name in NEW_FIELDS or isinstance(self.fields[name], RemovalField)

    def read_only_rows(self) -> list[tuple[str, str]]:
        bounds = [bound for bound in self.visible_fields() if not self._is_about_attributes(bound.name)]
        return [(str(bound.label), display_value(bound, bound.value())) for bound in bounds]

    def renewed_fields(self, item: Item) -> dict[str, str]:
        return {"digest": digest_of(item)}
