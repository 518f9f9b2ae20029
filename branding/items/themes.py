"""Versions of a theme."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from branding import metadata as metadata_forms
from branding import tokens
from branding.items import statuses, theme_assets
from branding.items.assets import AssetRole
from branding.items.statuses import ThemeStatus
from dashboard.core.clock import now
from dashboard.table import keys
from dashboard.table.attributes import (
    LenientNumberAttribute,
    LenientUnicodeAttribute,
    PlainListAttribute,
    PlainMapAttribute,
)
from dashboard.table.items import Item
from dashboard.table.nested import StoredMap, texts_in
from dashboard.table.timestamps import TimestampAttribute

# The parameter of a URL that names the form of a version's key, so that its page reads it at once.
UNPADDED = "unpadded"


class BrandMeta(Item):
    """The `META` item of a business: its name and its highest version number."""

    key_pattern = keys.BRAND_META

    type = LenientUnicodeAttribute(null=True)
    name = LenientUnicodeAttribute(null=True)
    last_version = LenientNumberAttribute(null=True, attr_name="lastVersion")


class Theme(Item):
    """One version of a theme, complete. A version that was ever live never changes again."""

    key_pattern = keys.THEME
    shared_maps = frozenset({"metadata"})

    type = LenientUnicodeAttribute(null=True)
    version = LenientNumberAttribute(null=True)
    status = LenientUnicodeAttribute(null=True)
    name = LenientUnicodeAttribute(null=True)
    metadata = PlainMapAttribute(null=True)
    # `assets` holds `ASSET#<id>` for each file, as in the seed, or a map, as the branding service writes it.
    # `assetRoles` maps a role to an id; a map has its role in `assetType`.
    assets = PlainListAttribute(null=True)
    asset_roles = PlainMapAttribute(null=True, attr_name="assetRoles")
    # The version it was copied from.
    made_from = NumberAttribute(null=True, attr_name="madeFrom")
    created_by_name = UnicodeAttribute(null=True, attr_name="createdByName")
    first_published_at = TimestampAttribute(null=True, attr_name="firstPublishedAt")
    # Only in the format of the branding service, which has no status for a discarded version.
    discarded_at = TimestampAttribute(null=True, attr_name="discardedAt")
    # Only in the format of the branding service, while the version is live.
    published_at = TimestampAttribute(null=True, attr_name="publishedAt")
    published_by = LenientUnicodeAttribute(null=True, attr_name="publishedBy")
    time_to_archive = LenientNumberAttribute(null=True, attr_name="timeToArchive")

    # The attributes that lists show: of `metadata`, only the colours of the swatches.
    IN_LISTS: tuple[str | tuple[str, ...], ...] = (
        "version",
        "status",
        "name",
        "madeFrom",
        "createdAt",
        "updatedAt",
        "updatedBy",
        "updatedByName",
        "firstPublishedAt",
        "discardedAt",
        "timeToArchive",
        "revision",
        *(("metadata", *location) for name in tokens.SWATCHES for location in metadata_forms.locations(name)),
    )

    def expiry(self) -> int | None:
        """Drafts expire; versions that are or were live never do."""
        if not self.is_editable or self.first_published_at or self.time_to_archive is None:
            return None
        return int(self.time_to_archive)

    @property
    def business(self) -> str:
        return str(self.key_parts["tenant"])

    @property
    def number(self) -> int:
        """The version in its key."""
        return int(self.key_parts["version"])

    @property
    def label(self) -> str:
        """A short name that is the same in every language."""
        return f"v{self.number}"

    @property
    def title(self) -> str:
        return f"{self.label} {self.name}" if self.name else self.label

    @property
    def has_unpadded_key(self) -> bool:
        """Whether an outside writer left out the zeros: readers that know only the number do not find it."""
        number = self.number
        return number >= tokens.VERSION_LIMIT or self.key != keys.THEME.key(tenant=self.business, version=number)

    @property
    def key_query(self) -> str:
        """The query of links to its pages that read nothing else. It tells the form of the key: `is_unpadded`."""
        return f"?{UNPADDED}=1" if self.has_unpadded_key else ""

    @property
    def must_be_copied_to_publish(self) -> bool:
        """Apps read the padded key, so such a draft is copied before it is published."""
        return self.is_editable and self.has_unpadded_key

    @property
    def is_written_for_branding_service(self) -> bool:
        """Whether its status has the form of the branding service, whose conditions compare upper case."""
        return (self.status or "").isupper()

    @property
    def current_status(self) -> ThemeStatus | None:
        """In the service's format, a `DRAFT` with `firstPublishedAt` was live; with `discardedAt` it is discarded."""
        status = statuses.parse(self.status)
        if status != ThemeStatus.DRAFT:
            return status
        if self.first_published_at:
            return ThemeStatus.SUPERSEDED
        return ThemeStatus.DISCARDED if self.discarded_at else ThemeStatus.DRAFT

    def set_status(self, status: ThemeStatus, *, in_service_format: bool | None = None) -> None:
        """Set the status, in the format that it has already unless `in_service_format` is given."""
        if self.is_written_for_branding_service if in_service_format is None else in_service_format:
            self.status = statuses.in_service_format(status)
            self.discarded_at = now() if status == ThemeStatus.DISCARDED else None
        else:
            self.status, self.discarded_at = status.value, None

    @property
    def is_editable(self) -> bool:
        """Whether it can change: it was never live."""
        return self.current_status in {ThemeStatus.DRAFT, ThemeStatus.DISCARDED} and self.first_published_at is None

    @property
    def is_draft(self) -> bool:
        return self.current_status == ThemeStatus.DRAFT

    @property
    def is_discarded(self) -> bool:
        return self.current_status == ThemeStatus.DISCARDED

    @property
    def is_kept_forever(self) -> bool:
        return self.time_to_archive is None

    @property
    def expires_at(self) -> datetime | None:
        """When it is deleted automatically; None if it is not."""
        expiry = self.expiry()
        try:
            return datetime.fromtimestamp(expiry, tz=now().tzinfo) if expiry is not None else None
        except (OverflowError, ValueError, OSError):
            return None

    @property
    def swatches(self) -> list[str]:
        return tokens.swatches(self.metadata)

    @property
    def style(self) -> tokens.Style:
        """A valid value for each token."""
        return tokens.Style.of(self.metadata)

    def asset_for(self, role: str) -> str | None:
        """The id of its file in this role. The seed has no roles: there the id begins with the role."""
        entries: list[Any] = self.assets or []
        for entry in entries:
            if theme_assets.role_of(entry) == role and (asset := theme_assets.asset_id(entry)):
                return asset
        roles: dict[str, Any] | None = self.asset_roles
        if roles is not None:
            found = roles.get(role)
            return found if keys.can_be_asset(found) else None
        references = [theme_assets.asset_id(each) for each in texts_in(entries)]
        return next((each for each in references if each and each.startswith(f"{role}-")), None)

    @property
    def assets_by_role(self) -> dict[str, str]:
        """Its logo, banner and icon, if it has them."""
        return {role.value: asset for role in AssetRole if (asset := self.asset_for(role))}

    @property
    def asset_ids(self) -> list[str]:
        """The ids of all its files."""
        return [asset for each in self.assets or [] if (asset := theme_assets.asset_id(each))]

    @property
    def has_asset_maps(self) -> bool:
        """Whether its files are maps, as the branding service writes them."""
        return theme_assets.has_maps(self.assets or []) or (not self.assets and self.is_written_for_branding_service)

    def asset_map(self, asset: str) -> StoredMap:
        """The map of one of its files; empty if the branding service did not write it."""
        return theme_assets.find_map(self.assets or [], asset)

    def set_assets(self, roles: dict[str, str], uris: Mapping[str, str] | None = None) -> None:
        """Set the file of each role, in the form of the others. Files without a role of ours stay in the list."""
        if self.has_asset_maps:
            self._set_asset_maps(roles, uris or {})
            return
        previous = [keys.asset_reference(each) for each in self.assets_by_role.values()]
        without_role = [each for each in self.assets or [] if each not in previous]
        self.asset_roles = {role.value: roles[role] for role in AssetRole if roles.get(role)}
        with_role = list(dict.fromkeys(keys.asset_reference(each) for each in self.asset_roles.values()))
        self.assets = [*with_role, *(each for each in without_role if each not in with_role)]

    def _set_asset_maps(self, roles: dict[str, str], uris: Mapping[str, str]) -> None:
        """The service leaves out an empty list, and knows no `assetRoles`."""
        entries: list[Any] = list(self.assets or [])
        for role in AssetRole:
            old, new = self.asset_for(role), roles.get(role) or None
            if old != new:
                entries = theme_assets.replace_file(entries, role.value, old, new, uris)
        if self.asset_roles is not None:
            self.asset_roles = {name: asset for name, asset in self.asset_roles.items() if roles.get(name) == asset}
        self.assets = entries or None
