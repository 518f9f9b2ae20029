"""The fields that people edit on an item, each declared once.

    SERVICE_FIELDS = Fields(
        Service,
        Field("name", LineField(label=_("Name"), max_length=100), audit_label=_("name")),
        Field("price", LineField(label=_("Price"), max_length=40), audit_label=_("price"), form_value=typed_price),
    )

    class ServiceForm(ItemForm):
        item_fields = SERVICE_FIELDS

The form, the conflict page, the projection of lists, the audit labels and the values in audit entries all read this
declaration. To add a field, add an attribute to the item and a `Field` here. No other code changes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from dashboard.table.items import Item
from dashboard.table.timestamps import to_wire
from dashboard.web.forms import Form, RevisionField

# The empty choice of an optional field.
EMPTY_CHOICE = ("", _("Not set"))


@dataclass(frozen=True)
class Field:
    """One field. `name` is its name in the form, in audit entries and in the form that Undo sends."""

    name: str
    form_field: forms.Field
    audit_label: Promise
    # The attribute or property of the item. Needed only if its name is not `name`.
    attribute: str = ""
    # The name in audit entries. Needed only if it is not `name`; Undo cannot send such a field.
    audit_name: str = ""
    # Computes the value in the form from the item. Needed only if it differs from the attribute.
    form_value: Callable[[Any], Any] | None = None
    # Whether lists read the field. A property is not an attribute on the table, so its field needs `in_lists=False`.
    in_lists: bool = True

    @property
    def item_attribute(self) -> str:
        return self.attribute or self.name

    @property
    def name_in_audit(self) -> str:
        return self.audit_name or self.name

    def value_of(self, item: Item) -> Any:
        return self.form_value(item) if self.form_value else getattr(item, self.item_attribute)


class Fields:
    """All fields of one kind of item, in the order of the form. A field that the item lacks raises TypeError."""

    def __init__(self, item_class: type[Item], *fields: Field) -> None:
        self.item_class, self._fields = item_class, fields
        wire_names = {name: each.attr_name for name, each in item_class.get_attributes().items()}
        for field in fields:
            if not hasattr(item_class, field.item_attribute):
                raise TypeError(f"{item_class.__name__} has no attribute {field.item_attribute}.")
            if field.in_lists and field.item_attribute not in wire_names:
                raise TypeError(f"{item_class.__name__}.{field.item_attribute} is not on the table: in_lists=False.")
        self._in_lists = tuple(wire_names[field.item_attribute] for field in fields if field.in_lists)

    def __iter__(self) -> Iterator[Field]:
        return iter(self._fields)

    def __getitem__(self, name: str) -> Field:
        return next(field for field in self if field.name == name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self)

    @property
    def audit_labels(self) -> dict[str, Promise]:
        return {field.name_in_audit: field.audit_label for field in self}

    def list_attributes(self, *more: str) -> tuple[str, ...]:
        """The attribute names on the table that a list reads: the fields in lists, `more` and the revision."""
        return (*self._in_lists, *more, "revision")

    def values_of(self, item: Item) -> dict[str, Any]:
        """The values of an item as its form shows them."""
        return {field.name: field.value_of(item) for field in self}

    def audit_values(self, item: Item) -> dict[str, Any]:
        """The values of an item for audit entries and Undo, without empty values."""
        values = {field.name_in_audit: getattr(item, field.item_attribute) for field in self}
        return {name: _as_text(value) for name, value in values.items() if value not in _EMPTY}

    def apply(self, item: Item, values: Mapping[str, Any]) -> None:
        """Set the given values. An empty value removes the attribute. An equal value does not change it."""
        for field in self:
            if field.name not in values:
                continue
            value = _empty_as_none(values[field.name])
            if value != _empty_as_none(getattr(item, field.item_attribute)):
                setattr(item, field.item_attribute, value)


_EMPTY: tuple[Any, ...] = (None, "", [])


def _empty_as_none(value: Any) -> Any:
    return None if value in _EMPTY else value


def _as_text(value: Any) -> Any:
    """Audit entries contain amounts as text, with all digits, and times as on the table."""
    if isinstance(value, datetime):
        return to_wire(value)
    return format(value, "f") if isinstance(value, Decimal) else value


class LenientChoiceField(forms.ChoiceField):
    """A choice that also accepts the stored value, because outside writers store values that are not choices.

    `also_accepts` is a regular expression for further values; `stored_label` names a stored value.
    """

    # The default `(?!)` matches nothing.
    def __init__(self, *, also_accepts: str = "(?!)", stored_label: Callable[[str], str] = str, **options: Any) -> None:
        self.also_accepts, self.stored_label = re.compile(also_accepts), stored_label
        super().__init__(**options)

    def add_stored_choice(self, stored: str | None) -> None:
        choices: list[Any] = list(self.choices)  # type: ignore[arg-type]
        if stored and stored not in {str(key) for key, _label in choices}:
            self.choices = [*choices, (stored, self.stored_label(stored))]

    def valid_value(self, value: str) -> bool:
        return super().valid_value(value) or bool(self.also_accepts.fullmatch(value))


class LenientNumberField(forms.IntegerField):
    """A whole number within bounds, or the stored value."""

    stored: Any = None

    def clean(self, value: Any) -> Any:
        if self.stored is not None and str(value) == str(self.stored):
            return self.stored
        return super().clean(value)


class ItemForm(Form):
    """A form for the declared fields of an item. Without an item, it is the form for a new one.

    A field that is not sent keeps its value, so Undo sends only the changed fields. A value that an outside writer
    stored is accepted if it is unchanged, even if it is invalid as new input.
    """

    item_fields: ClassVar[Fields]

    def __init_subclass__(cls) -> None:
        if "item_fields" in cls.__dict__:
            # Django collects the fields of a form from this dict, after `__init_subclass__`.
            cls.declared_fields |= {field.name: field.form_field for field in cls.item_fields}
            cls.declared_fields["revision"] = RevisionField()
        super().__init_subclass__()

    def __init__(self, data: Any = None, *, item: Any = None, **options: Any) -> None:
        self.item = item
        values = self.item_fields.values_of(item) if item is not None else {}
        self.stored = {name: "" if value is None else value for name, value in values.items()}
        if data is not None:
            data = data.copy()
            for name in self.stored:
                if not self.is_sent(data, name):
                    data[name] = str(self.stored[name])
        else:
            revision = {"revision": item.revision} if item is not None else {}
            options["initial"] = self.stored | revision | options.get("initial", {})
        super().__init__(data, **options)
        if item is None:
            del self.fields["revision"]
        for name, field in self.fields.items():
            if isinstance(field, LenientChoiceField):
                field.add_stored_choice(str(self.stored.get(name) or ""))
            elif isinstance(field, LenientNumberField):
                field.stored = values.get(name)

    def is_sent(self, data: Any, name: str) -> bool:
        return name in data

    @property
    def values(self) -> dict[str, Any]:
        """The values to save, by the names of the fields."""
        return {name: self.cleaned_data[name] for name in self.item_fields.names if name in self.cleaned_data}

    @property
    def revision(self) -> int:
        """The revision that the person saw."""
        return int(self.cleaned_data["revision"])

    def is_unchanged(self, name: str) -> bool:
        """Whether the sent text equals the stored one. Unchanged values of outside writers are not validated again."""
        sent = str(self.cleaned_data.get(name) or "")
        return bool(sent) and sent == str(self.stored.get(name) or "").strip()

    def value_in(self, item: Item, name: str) -> Any:
        return self.item_fields.values_of(item).get(name) if isinstance(item, self.item_fields.item_class) else None
