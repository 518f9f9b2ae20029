"""The files of a look, and which versions show them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from branding import storage, tokens
from dashboard.core.clock import now
from dashboard.table import keys
from dashboard.table.attributes import PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute

# Of the number of a version.
_DIGITS = len(str(tokens.VERSIONS - 1))


class Role(StrEnum):
    """What a file is for; the seed calls it `assetType`."""

    LOGO = "logo"
    BANNER = "banner"
    ICON = "icon"


class Asset(Item):
    """A file: a logo, a banner, an icon. One that was deleted stays for a while, so that it can come back."""

    pattern = keys.ASSET

    type = UnicodeAttribute(null=True)
    business_id = UnicodeAttribute(null=True, attr_name="businessId")
    asset_type = UnicodeAttribute(null=True, attr_name="assetType")
    uri = UnicodeAttribute(null=True)
    checksum = UnicodeAttribute(null=True)
    name = UnicodeAttribute(null=True)
    content_type = UnicodeAttribute(null=True, attr_name="contentType")
    width = NumberAttribute(null=True)
    height = NumberAttribute(null=True)
    size = NumberAttribute(null=True)
    deleted_at = TimestampAttribute(null=True, attr_name="deletedAt")
    due_at = TimestampAttribute(null=True, attr_name="dueAt")
    # Its files are being removed for good: from here on there is no way back.
    purging = NumberAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        """Deleted ones are due: their files go later."""
        if self.deleted_at:
            yield from keys.DUE.place(due_at=self.due_at)

    @property
    def id(self) -> str:
        return str(self.key_parts["asset"])

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def role(self) -> Role:
        """What it is for; one of another service's own kind counts as a logo."""
        return Role(self.asset_type) if self.asset_type in set(Role) else Role.LOGO

    @property
    def is_deleted(self) -> bool:
        return self.deleted_at is not None

    @property
    def file_name(self) -> str | None:
        """What its file is called in our storage; none where another service keeps it."""
        return storage.name_of(self.uri, self.id, self.business_id)


class AssetLink(Item):
    """A file of a business, with what a list of them shows and which versions show it."""

    pattern = keys.ASSET_LINK

    type = UnicodeAttribute(null=True)
    scope = UnicodeAttribute(null=True)
    asset_type = UnicodeAttribute(null=True, attr_name="assetType")
    uri = UnicodeAttribute(null=True)
    name = UnicodeAttribute(null=True)
    content_type = UnicodeAttribute(null=True, attr_name="contentType")
    width = NumberAttribute(null=True)
    height = NumberAttribute(null=True)
    size = NumberAttribute(null=True)
    # Version → when that one expires, 0 for never. A draft that is gone uses nothing.
    used_by = PlainMapAttribute(null=True, attr_name="usedBy")
    # Moved with every change of `usedBy`: whoever deletes insists that nothing moved since they looked.
    moves = NumberAttribute(null=True)

    @property
    def id(self) -> str:
        return str(self.key_parts["asset"])

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def file_name(self) -> str | None:
        """What its file is called in our storage; none where another service keeps it."""
        return storage.name_of(self.uri, self.id, str(self.key_parts["tenant"]))

    @property
    def users(self) -> list[int]:
        """The versions that show it and still are, the newest first."""
        return sorted((int(version) for version, ends in _uses(self.used_by) if _lasts(ends)), reverse=True)


def _uses(used_by: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(used_by, dict):
        yield from (
            (version, ends)
            for version, ends in used_by.items()
            if version.isascii() and version.isdigit() and len(version) <= _DIGITS
        )


def _lasts(ends: Any) -> bool:
    return not isinstance(ends, int | float) or not ends or ends > now().timestamp()
