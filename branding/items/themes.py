"""Versions of a theme, and which of them is live."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from branding import tokens
from branding.items.assets import AssetRole
from dashboard.core.clock import now
from dashboard.table import keys
from dashboard.table.attributes import PlainListAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.timestamps import TimestampAttribute


class ThemeStatus(StrEnum):
    """`draft` and `published` come from the seed. A version that was live before is `superseded`."""

    DRAFT = "draft"
    PUBLISHED = "published"
    SUPERSEDED = "superseded"
    DISCARDED = "discarded"


class BrandMeta(Item):
    """The `META` item of a business: its name and its highest version number."""

    key_pattern = keys.BUSINESS

    type = UnicodeAttribute(null=True)
    name = UnicodeAttribute(null=True)
    last_version = NumberAttribute(null=True, attr_name="lastVersion")


class Theme(Item):
    """One version of a theme, complete. A version that was ever live never changes again."""

    key_pattern = keys.THEME
    shared_maps = frozenset({"metadata"})

    type = UnicodeAttribute(null=True)
    version = NumberAttribute(null=True)
    status = UnicodeAttribute(null=True)
    name = UnicodeAttribute(null=True)
    metadata = PlainMapAttribute(null=True)
    # `assets` holds `ASSET#<id>` for each file, as in the seed; `assetRoles` maps a role to an id.
    assets = PlainListAttribute(null=True)
    asset_roles = PlainMapAttribute(null=True, attr_name="assetRoles")
    # The version it was copied from.
    made_from = NumberAttribute(null=True, attr_name="madeFrom")
    created_by_name = UnicodeAttribute(null=True, attr_name="createdByName")
    first_published_at = TimestampAttribute(null=True, attr_name="firstPublishedAt")
    time_to_archive = NumberAttribute(null=True, attr_name="timeToArchive")

    # The attributes that lists show: of `metadata`, only the colours of the swatches.
    CARD = (
        "version",
        "status",
        "name",
        "madeFrom",
        "createdAt",
        "updatedAt",
        "updatedBy",
        "updatedByName",
        "firstPublishedAt",
        "timeToArchive",
        "revision",
        *(f"metadata.{name}" for name in tokens.SWATCHES),
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
    def is_editable(self) -> bool:
        """Whether it can change: it was never live."""
        return self.status in {ThemeStatus.DRAFT, ThemeStatus.DISCARDED, None} and self.first_published_at is None

    @property
    def is_draft(self) -> bool:
        return self.is_editable and self.status != ThemeStatus.DISCARDED

    @property
    def is_discarded(self) -> bool:
        return self.status == ThemeStatus.DISCARDED

    @property
    def never_expires(self) -> bool:
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
        roles: dict[str, Any] | None = self.asset_roles
        if roles is not None:
            asset = roles.get(role)
            return asset if keys.can_be_asset(asset) else None
        return next((each for each in self.asset_ids if each.startswith(f"{role}-")), None)

    @property
    def assets_by_role(self) -> dict[str, str]:
        """Its logo, banner and icon, if it has them."""
        return {role.value: asset for role in AssetRole if (asset := self.asset_for(role))}

    @property
    def asset_ids(self) -> list[str]:
        """The ids of all its files."""
        found = [keys.asset_of(each) for each in self.assets or [] if isinstance(each, str)]
        return [each for each in found if each and keys.can_be_asset(each)]

    def set_assets(self, roles: dict[str, str]) -> None:
        """Set the file of each role. Files of outside writers, which have no role, stay in the list."""
        previous = [keys.asset_reference(each) for each in self.assets_by_role.values()]
        without_role = [each for each in self.assets or [] if each not in previous]
        self.asset_roles = {role.value: roles[role] for role in AssetRole if roles.get(role)}
        with_role = list(dict.fromkeys(keys.asset_reference(each) for each in self.asset_roles.values()))
        self.assets = [*with_role, *(each for each in without_role if each not in with_role)]


class PublishedMarker(Item):
    """The live version."""

    key_pattern = keys.PUBLISHED

    type = UnicodeAttribute(null=True)
    version = NumberAttribute(null=True)
    published_at = TimestampAttribute(null=True, attr_name="publishedAt")
    published_by = UnicodeAttribute(null=True, attr_name="publishedBy")
    # The version that the attributes below describe: outside writers change `version` and not these.
    described_version = NumberAttribute(null=True, attr_name="toldOf")
    published_by_name = UnicodeAttribute(null=True, attr_name="publishedByName")
    title = UnicodeAttribute(null=True)
    swatches = PlainListAttribute(null=True)

    @property
    def number(self) -> int | None:
        """The live version; None if the attribute is not a version number."""
        return tokens.to_version(self.version)

    @property
    def describes_live_version(self) -> bool:
        """Whether its description belongs to the version that it names."""
        return self.described_version is not None and self.described_version == self.version


class Publication(Item):
    """A row of the timeline: a version went live or was withdrawn."""

    key_pattern = keys.PUBLICATION
    editable = False

    version = NumberAttribute(null=True)
    # The version that was live before.
    previous = NumberAttribute(null=True)
    withdrawn = NumberAttribute(null=True)
    published_at = TimestampAttribute(null=True, attr_name="publishedAt")
    published_by = UnicodeAttribute(null=True, attr_name="publishedBy")
    published_by_name = UnicodeAttribute(null=True, attr_name="publishedByName")
    note = UnicodeAttribute(null=True)
    title = UnicodeAttribute(null=True)
    swatches = PlainListAttribute(null=True)
    # It was scheduled.
    scheduled = NumberAttribute(null=True)
    # Pairs of colours below AA that the person has accepted.
    below_aa = PlainListAttribute(null=True, attr_name="belowAA")
