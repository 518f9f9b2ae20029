"""Files of a brand, and the versions that use them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from django.utils.translation import gettext_lazy as _

from branding import storage, tokens
from dashboard.core.clock import now
from dashboard.table import keys
from dashboard.table.attributes import LenientNumberAttribute, LenientUnicodeAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.nested import StoredMap
from dashboard.table.timestamps import TimestampAttribute

_MAX_DIGITS = len(str(tokens.VERSION_LIMIT - 1))


class AssetRole(StrEnum):
    """The purpose of a file; the attribute is `assetType`."""

    LOGO = "logo"
    BANNER = "banner"
    ICON = "icon"


ROLE_LABELS = {AssetRole.LOGO: _("Logo"), AssetRole.BANNER: _("Banner"), AssetRole.ICON: _("Icon")}


class Asset(Item):
    """A file: a logo, a banner or an icon. A deleted one stays for 30 days and can be restored."""

    key_pattern = keys.ASSET

    type = LenientUnicodeAttribute(null=True)
    business_id = LenientUnicodeAttribute(null=True, attr_name="businessId")
    asset_type = LenientUnicodeAttribute(null=True, attr_name="assetType")
    uri = LenientUnicodeAttribute(null=True)
    checksum = LenientUnicodeAttribute(null=True)
    name = LenientUnicodeAttribute(null=True)
    content_type = LenientUnicodeAttribute(null=True, attr_name="contentType")
    width = LenientNumberAttribute(null=True)
    height = LenientNumberAttribute(null=True)
    size = LenientNumberAttribute(null=True)
    # The main colours of a transparent picture, with their shares in percent.
    colors = PlainMapAttribute(null=True, attr_name="visibleColors")
    deleted_at = TimestampAttribute(null=True, attr_name="deletedAt")
    due_at = TimestampAttribute(null=True, attr_name="dueAt")
    # Set when the removal of its files has started: it cannot be restored any more.
    purging = LenientNumberAttribute(null=True)

    def index_keys(self) -> Iterator[IndexKey]:
        """A deleted file is a due task: its content is removed later."""
        if self.deleted_at:
            yield from keys.DUE.optional_key(due_at=self.due_at)

    @property
    def id(self) -> str:
        return str(self.key_parts["asset"])

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def role(self) -> AssetRole:
        """A role that we do not know counts as logo."""
        return AssetRole(self.asset_type) if self.asset_type in set(AssetRole) else AssetRole.LOGO

    @property
    def is_deleted(self) -> bool:
        return self.deleted_at is not None

    @property
    def file_name(self) -> str | None:
        """Its name in our storage; None if an outside writer stores it elsewhere."""
        return storage.find_name(self.uri, self.id, self.business_id)


class AssetLink(Item):
    """A file in the list of its business, with the versions that use it."""

    key_pattern = keys.ASSET_LINK
    needs_key_parts = True

    type = LenientUnicodeAttribute(null=True)
    scope = LenientUnicodeAttribute(null=True)
    asset_type = LenientUnicodeAttribute(null=True, attr_name="assetType")
    uri = LenientUnicodeAttribute(null=True)
    name = LenientUnicodeAttribute(null=True)
    content_type = LenientUnicodeAttribute(null=True, attr_name="contentType")
    width = LenientNumberAttribute(null=True)
    height = LenientNumberAttribute(null=True)
    size = LenientNumberAttribute(null=True)
    # The main colours of a transparent picture, with their shares in percent.
    colors = PlainMapAttribute(null=True, attr_name="visibleColors")
    # Version → when that version expires, 0 for never. An expired draft does not count.
    used_by = PlainMapAttribute(null=True, attr_name="usedBy")
    # Incremented with every change of `usedBy`: deleting requires that it has not changed since it was read.
    usage_revision = LenientNumberAttribute(null=True, attr_name="moves")

    @property
    def id(self) -> str:
        return str(self.key_parts["asset"])

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def file_name(self) -> str | None:
        """Its name in our storage; None if an outside writer stores it elsewhere."""
        return storage.find_name(self.uri, self.id, str(self.key_parts["tenant"]))

    def recorded_end(self, version: int) -> int | None:
        """Until when this version uses it, 0 for ever; None if it is not recorded that the version uses it."""
        return StoredMap.of(self.used_by).whole_number(str(version))

    @property
    def used_by_versions(self) -> list[int]:
        """The versions that use it and still exist, newest first."""
        uses = StoredMap.of(self.used_by)
        versions = (int(version) for version in uses if _is_version(version) and _is_current(uses.number(version)))
        return sorted(versions, reverse=True)


def _is_version(name: str) -> bool:
    return name.isascii() and name.isdigit() and len(name) <= _MAX_DIGITS


def _is_current(ends: float | None) -> bool:
    return not ends or ends > now().timestamp()
