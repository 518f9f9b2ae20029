"""The versions of a look, and which of them is in force."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from branding import tokens
from branding.items.assets import Role
from dashboard.core.clock import now
from dashboard.table import keys
from dashboard.table.attributes import PlainListAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.timestamps import TimestampAttribute


class Status(StrEnum):
    """`draft` and `published` are the seed's; a version that was in force once is neither again."""

    DRAFT = "draft"
    PUBLISHED = "published"
    SUPERSEDED = "superseded"
    DISCARDED = "discarded"


class BrandMeta(Item):
    """A business as its themes know it, and the number of its newest one."""

    pattern = keys.BUSINESS

    type = UnicodeAttribute(null=True)
    name = UnicodeAttribute(null=True)
    last_version = NumberAttribute(null=True, attr_name="lastVersion")


class Theme(Item):
    """One version of a look: a whole snapshot. One that was ever in force never changes again."""

    pattern = keys.THEME
    shared_maps = frozenset({"metadata"})

    type = UnicodeAttribute(null=True)
    version = NumberAttribute(null=True)
    status = UnicodeAttribute(null=True)
    # What people call it.
    name = UnicodeAttribute(null=True)
    metadata = PlainMapAttribute(null=True)
    # `ASSET#<id>` each, as the seed has them; which is what stands in `assetRoles`: logo → id.
    assets = PlainListAttribute(null=True)
    asset_roles = PlainMapAttribute(null=True, attr_name="assetRoles")
    # The version it was made from.
    made_from = NumberAttribute(null=True, attr_name="madeFrom")
    created_by_name = UnicodeAttribute(null=True, attr_name="createdByName")
    first_published_at = TimestampAttribute(null=True, attr_name="firstPublishedAt")
    time_to_archive = NumberAttribute(null=True, attr_name="timeToArchive")

    # What lists show: the colours of the swatches, and no other part of the look.
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
        """Old drafts go by themselves; what is or was published never does."""
        if not self.is_open or self.first_published_at or self.time_to_archive is None:
            return None
        return int(self.time_to_archive)

    @property
    def business(self) -> str:
        return str(self.key_parts["tenant"])

    @property
    def number(self) -> int:
        """Its version, as its key says."""
        return int(self.key_parts["version"])

    @property
    def label(self) -> str:
        """Short, and the same in every language."""
        return f"v{self.number}"

    @property
    def title(self) -> str:
        return f"{self.label} {self.name}" if self.name else self.label

    @property
    def is_open(self) -> bool:
        """Whether it can still change: it was never in force."""
        return self.status in {Status.DRAFT, Status.DISCARDED, None} and self.first_published_at is None

    @property
    def is_draft(self) -> bool:
        return self.is_open and self.status != Status.DISCARDED

    @property
    def is_discarded(self) -> bool:
        return self.status == Status.DISCARDED

    @property
    def is_kept(self) -> bool:
        return self.time_to_archive is None

    @property
    def archives_at(self) -> datetime | None:
        """When it goes by itself; none where it stays."""
        expiry = self.expiry()
        try:
            return datetime.fromtimestamp(expiry, tz=now().tzinfo) if expiry is not None else None
        except (OverflowError, ValueError, OSError):
            return None

    @property
    def swatches(self) -> list[str]:
        return tokens.swatches(self.metadata)

    @property
    def look(self) -> tokens.Look:
        """What it looks like, each value one of those we know to be harmless."""
        return tokens.Look.of(self.metadata)

    def file(self, role: str) -> str | None:
        """The id of the file it shows as this; the seeds name only files, and their names begin with what they are."""
        roles: dict[str, Any] | None = self.asset_roles
        if roles is not None:
            named = roles.get(role)
            return named if keys.can_be_asset(named) else None
        return next((each for each in self.files if each.startswith(f"{role}-")), None)

    @property
    def shown_files(self) -> dict[str, str]:
        """Logo, banner and icon, as far as it has them."""
        return {role.value: found for role in Role if (found := self.file(role))}

    @property
    def files(self) -> list[str]:
        """The ids of all its files."""
        found = [keys.asset_of(each) for each in self.assets or [] if isinstance(each, str)]
        return [each for each in found if each and keys.can_be_asset(each)]

    def show_files(self, roles: dict[str, str]) -> None:
        """Say which file is what. What has no part here, another service's, stays in the list, whatever it is."""
        before = [keys.asset_reference(each) for each in self.shown_files.values()]
        others = [each for each in self.assets or [] if each not in before]
        self.asset_roles = {role.value: roles[role] for role in Role if roles.get(role)}
        ours = list(dict.fromkeys(keys.asset_reference(each) for each in self.asset_roles.values()))
        self.assets = [*ours, *(each for each in others if each not in ours)]


class PublishedMarker(Item):
    """Which version the world sees."""

    pattern = keys.PUBLISHED

    type = UnicodeAttribute(null=True)
    version = NumberAttribute(null=True)
    published_at = TimestampAttribute(null=True, attr_name="publishedAt")
    published_by = UnicodeAttribute(null=True, attr_name="publishedBy")
    # Of the version that we put in force: another service moves `version` and leaves these behind.
    told_of = NumberAttribute(null=True, attr_name="toldOf")
    published_by_name = UnicodeAttribute(null=True, attr_name="publishedByName")
    title = UnicodeAttribute(null=True)
    swatches = PlainListAttribute(null=True)

    @property
    def number(self) -> int | None:
        """The version in force; none where the marker says nothing that could be one."""
        whole = self.version is not None and 0 <= self.version < tokens.VERSIONS and int(self.version) == self.version
        return int(self.version) if whole else None

    @property
    def is_ours(self) -> bool:
        """Whether what it says of the version is said of the one it names."""
        return self.told_of is not None and self.told_of == self.version


class Publication(Item):
    """A version went live, or was withdrawn: the timeline."""

    pattern = keys.PUBLICATION
    editable = False

    version = NumberAttribute(null=True)
    # What was in force until then.
    previous = NumberAttribute(null=True)
    withdrawn = NumberAttribute(null=True)
    published_at = TimestampAttribute(null=True, attr_name="publishedAt")
    published_by = UnicodeAttribute(null=True, attr_name="publishedBy")
    published_by_name = UnicodeAttribute(null=True, attr_name="publishedByName")
    note = UnicodeAttribute(null=True)
    title = UnicodeAttribute(null=True)
    swatches = PlainListAttribute(null=True)
    # Someone had set it for this time.
    scheduled = NumberAttribute(null=True)
    # Pairs of colours that people may not be able to read, accepted on purpose.
    below_aa = PlainListAttribute(null=True, attr_name="belowAA")
