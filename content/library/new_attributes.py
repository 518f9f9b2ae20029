"""New attributes of an item: which names they may have, and their values as typed."""

from __future__ import annotations

import re
from enum import StrEnum

from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from content.items import LibraryItem
from content.library.attribute_texts import FALSE, TRUE, Value, from_text
from content.library.kind import LibraryKind
from dashboard.table import schema
from dashboard.table.masking import is_secret, masked_value

MAX_NAME = 100
_NAME = re.compile(rf"[A-Za-z][A-Za-z0-9_.-]{{0,{MAX_NAME - 1}}}")
# The index keys of the website service. Ours have other names.
_OUTSIDE_INDEX_KEYS = frozenset({"domain", "type", "createdat", "status", "scheduledfor", "tenantslug"})
_OWN_INDEX_KEYS = frozenset(name.lower() for index in schema.INDEXES for name in index.key_attributes)
# What the table and this product rely on, in any letter case.
_RESERVED = (
    _OUTSIDE_INDEX_KEYS
    | _OWN_INDEX_KEYS
    | {schema.PK.lower(), schema.SK.lower(), schema.TTL, "revision", "indexlayout", "updatedbyname"}
)


class AttributeType(StrEnum):
    """The types of a new attribute."""

    TEXT = "text"
    NUMBER = "number"
    TRUTH = "truth"
    LIST = "list"
    MAP = "map"


TYPE_LABELS: dict[str, Promise] = {
    AttributeType.TEXT: _("Text"),
    AttributeType.NUMBER: _("Number"),
    AttributeType.TRUTH: _("Yes or no"),
    AttributeType.LIST: _("List, one per line"),
    AttributeType.MAP: _("Map, as JSON"),
}
# A value of each type, from which the reader of texts knows the type.
_EXAMPLES: dict[AttributeType, Value] = {
    AttributeType.TEXT: {"S": ""},
    AttributeType.NUMBER: {"N": "0"},
    AttributeType.LIST: {"L": [{"S": "a"}]},
    AttributeType.MAP: {"M": {}},
}
_TRUTHS = {"yes": TRUE, "sí": TRUE, "si": TRUE, TRUE: TRUE, "no": FALSE, FALSE: FALSE}


def check_name(kind: LibraryKind, item: LibraryItem, name: str) -> None:
    """Refuse a name that an item of this kind cannot get here."""
    if not _NAME.fullmatch(name):
        raise ValidationError(
            _("Use letters without accents, digits, “_”, “-” and “.”; begin with a letter."), code="invalid"
        )
    if name.lower() in _RESERVED or kind.is_system(name):
        raise ValidationError(_("The services that share this table use this name. Choose another one."))
    if is_secret(name):
        raise ValidationError(_("A secret cannot be kept here: everybody who manages the site would see it."))
    if name in kind.field_names():
        raise ValidationError(_("There is a field for this above."))
    if name in item.raw:
        raise ValidationError(_("There is an attribute with this name already."))


def read_value(attribute_type: AttributeType, text: str) -> Value:
    """The value that a text means in this type."""
    if attribute_type == AttributeType.TRUTH:
        truth = _TRUTHS.get(text.strip().lower())
        if truth is None:
            raise ValidationError(_("Write yes or no."))
        return {"BOOL": truth == TRUE}
    if not text.strip():
        raise ValidationError(_("Enter a value."))
    value = from_text(text, _EXAMPLES[attribute_type])
    if masked_value("", value) != value:
        raise ValidationError(_("This contains a secret. It cannot be kept here."))
    return value
