"""A business's look: themes, which of them is published, and their files (seed 000)."""

from __future__ import annotations

from collections.abc import Iterator

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from dashboard.table import keys
from dashboard.table.attributes import PlainListAttribute, PlainMapAttribute
from dashboard.table.items import Item
from dashboard.table.keypattern import IndexKey
from dashboard.table.timestamps import TimestampAttribute

DRAFT, PUBLISHED = "draft", "published"


class Business(Item):
    """A business as its themes know it, and the number of its newest one."""

    pattern = keys.BUSINESS

    type = UnicodeAttribute(null=True)
    name = UnicodeAttribute(null=True)
    last_version = NumberAttribute(null=True, attr_name="lastVersion")


class Theme(Item):
    """One version of a look."""

    pattern = keys.THEME

    type = UnicodeAttribute(null=True)
    version = NumberAttribute(null=True)
    status = UnicodeAttribute(null=True)
    metadata = PlainMapAttribute(null=True)
    assets = PlainListAttribute(null=True)
    first_published_at = TimestampAttribute(null=True, attr_name="firstPublishedAt")
    time_to_archive = NumberAttribute(null=True, attr_name="timeToArchive")

    def expiry(self) -> int | None:
        """Old drafts go by themselves; what is or was published never does."""
        if self.status != DRAFT or self.first_published_at or self.time_to_archive is None:
            return None
        return int(self.time_to_archive)


class PublishedMarker(Item):
    """Which version the world sees."""

    pattern = keys.PUBLISHED

    type = UnicodeAttribute(null=True)
    version = NumberAttribute(null=True)
    published_at = TimestampAttribute(null=True, attr_name="publishedAt")
    published_by = UnicodeAttribute(null=True, attr_name="publishedBy")


class Publication(Item):
    """A version went live: the timeline."""

    pattern = keys.PUBLICATION
    editable = False

    version = NumberAttribute(null=True)
    published_at = TimestampAttribute(null=True, attr_name="publishedAt")
    published_by = UnicodeAttribute(null=True, attr_name="publishedBy")


class ScheduledPublication(Item):
    """A version that goes live later."""

    pattern = keys.SCHEDULED

    version = NumberAttribute(null=True)
    due_at = TimestampAttribute(null=True, attr_name="dueAt")

    def index_keys(self) -> Iterator[IndexKey]:
        yield from keys.DUE.place(**self.key_parts)


class ShareLink(Item):
    """A preview for whoever has its link. Only a hash of the secret is stored."""

    pattern = keys.SHARE
    editable = False

    version = NumberAttribute(null=True)


class Asset(Item):
    """A file: a logo, a banner, an icon."""

    pattern = keys.ASSET

    type = UnicodeAttribute(null=True)
    business_id = UnicodeAttribute(null=True, attr_name="businessId")
    asset_type = UnicodeAttribute(null=True, attr_name="assetType")
    uri = UnicodeAttribute(null=True)
    checksum = UnicodeAttribute(null=True)


class AssetLink(Item):
    """A file of a business, with what a list of them shows."""

    pattern = keys.ASSET_LINK

    type = UnicodeAttribute(null=True)
    scope = UnicodeAttribute(null=True)
    asset_type = UnicodeAttribute(null=True, attr_name="assetType")
    uri = UnicodeAttribute(null=True)
