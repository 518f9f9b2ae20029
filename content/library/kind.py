"""One kind of the library or of the shop: its fields, its list, its texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from django.utils.functional import Promise

from content.items import LibraryItem
from content.library.columns import LibraryColumn, ReadState, ReadText
from dashboard.table import schema
from dashboard.table.keypattern import BadKey, Key
from dashboard.table.masking import masked_value
from dashboard.web.fields import Fields

# What the website service writes about every item. It is never edited.
_SYSTEM = frozenset(
    {
        *("id", "tenantId", "Type", "TenantSlug", "createdAt", "createdBy", "updatedAt", "updatedBy", "updatedByName"),
        *("uploadedBy", "s3Key", "size", "fileType", "publicUrl", "url", "filename", "contentType", "slug", "ttl"),
    }
)
# What only this product writes. It is not shown.
_OWN = frozenset(
    {
        schema.PK,
        schema.SK,
        "revision",
        "updatedByName",
        *(name for each in schema.INDEXES for name in (each.pk, each.sk) if each.sk),
    }
)


@dataclass(frozen=True)
class LibraryTexts:
    """The texts of one kind on its pages."""

    title: Promise
    empty: Promise
    about: Promise
    search: Promise
    new: Promise | str = ""


@dataclass(frozen=True)
class LibraryKind:
    """One kind: `key` is its name in addresses, `name` in audit entries.

    `list_name` is in the keys of its list, and `type_name` is what the website service calls it.
    """

    key: str
    name: str
    list_name: str
    type_name: str
    item_class: type[Any]
    fields: Fields
    # The attribute that names the item.
    title: str
    columns: tuple[LibraryColumn, ...]
    texts: LibraryTexts
    icon: str
    # What the list reads besides the fields: names on the table.
    more_attributes: tuple[str, ...] = ()
    # The second line of a row, and its badge.
    sub: ReadText | None = None
    state: ReadState | None = None
    statuses: Mapping[str, str | Promise] = field(default_factory=dict)
    # The attribute that a field without an attribute of its own edits: names on the table.
    edited_through: Mapping[str, str] = field(default_factory=dict)
    # Labels of attributes that are no fields: names on the table.
    labels: Mapping[str, Promise] = field(default_factory=dict)
    can_create: bool = True
    can_delete: bool = True
    # Whether a new item is a form of fields, and not an uploaded file.
    has_form: bool = True
    # Its tab; empty for one of its own.
    tab: str = ""
    # Whether its list follows the keys, and not an index: the newest first would need a time, which not all have.
    is_listed_by_key: bool = False
    is_editable: bool = True
    # Whether it tells about visitors: only those who may see visitors see it.
    is_personal: bool = False
    # Attributes that the website service finds other items by. They are only shown.
    relied_on: frozenset[str] = frozenset()
    # What a missing status means.
    default_status: str = ""
    # Attributes with the address of the thing elsewhere; the first that is one is linked.
    addresses: tuple[str, ...] = ()

    @property
    def has_state(self) -> bool:
        """Whether its list shows a status. A template would call `state`."""
        return self.state is not None

    @property
    def tab_name(self) -> str:
        return self.tab or self.key

    @property
    def list_attributes(self) -> tuple[str, ...]:
        return self.fields.list_attributes("createdAt", *self.more_attributes)

    def wire_name(self, field_name: str) -> str:
        """The name on the table of the attribute that a field edits."""
        if field_name in self.edited_through:
            return self.edited_through[field_name]
        attribute = self.fields[field_name].item_attribute
        return str(self.item_class.get_attributes()[attribute].attr_name)

    def masked(self, name: str, value: dict[str, Any]) -> dict[str, Any]:
        """A stored value without secrets."""
        return masked_value(name, value, self.item_class.key_pattern.kind)

    def title_of(self, item: LibraryItem) -> str:
        """The title of an item; its id if it has none."""
        return str((self.title and getattr(item, self.title, None)) or self.id_of(item))

    def id_of(self, item: LibraryItem) -> str:
        """The id of an item in addresses: what follows its business and its kind in the key."""
        names = self.item_class.key_pattern.sk.fields
        return "#".join(str(item.key_parts[name]) for name in names) if item.key_parts else ""

    def key_of(self, business: str, item_id: str) -> Key:
        """Raises BadKey for what is no id of this kind."""
        names, parts = list(self.item_class.key_pattern.sk.fields), item_id.split("#")
        if len(names) != len(parts):
            raise BadKey(f"an id of {self.key} has {len(names)} parts")
        return cast(Key, self.item_class.key_pattern.key(tenant=business, **dict(zip(names, parts, strict=True))))

    def address_of(self, item: LibraryItem) -> str:
        """The address of the thing elsewhere; empty if it has none that a link may have."""
        found = [str(getattr(item, name) or "") for name in self.addresses]
        return next((each for each in found if each.startswith(("https://", "http://"))), "")

    def field_names(self) -> dict[str, str]:
        """The fields by the names of their attributes on the table."""
        return {self.wire_name(each.name): each.name for each in self.fields}

    def label_of(self, name: str) -> str:
        return str(self.labels.get(name, name))

    def other_names(self, item: LibraryItem) -> list[str]:
        """The attributes of an item that no field edits, by their names on the table, those of the system last."""
        named = self.field_names()
        names = [name for name in item.raw if name not in _OWN and name not in named]
        return sorted(names, key=lambda name: (self.is_system(name), name))

    def is_system(self, name: str) -> bool:
        return name in _SYSTEM or name in self.relied_on
