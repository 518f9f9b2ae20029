"""Which version is live, and which versions were."""

from __future__ import annotations

from pynamodb.attributes import NumberAttribute, UnicodeAttribute

from branding import tokens
from dashboard.table import keys
from dashboard.table.attributes import LenientNumberAttribute, LenientUnicodeAttribute, PlainListAttribute
from dashboard.table.items import Item
from dashboard.table.timestamps import TimestampAttribute


class PublishedMarker(Item):
    """The live version."""

    key_pattern = keys.PUBLISHED

    type = LenientUnicodeAttribute(null=True)
    version = LenientNumberAttribute(null=True)
    published_at = TimestampAttribute(null=True, attr_name="publishedAt")
    published_by = LenientUnicodeAttribute(null=True, attr_name="publishedBy")
    # The version that the attributes below describe: outside writers change `version` and not these.
    described_version = NumberAttribute(null=True, attr_name="toldOf")
    published_by_name = UnicodeAttribute(null=True, attr_name="publishedByName")
    title = UnicodeAttribute(null=True)
    swatches = PlainListAttribute(null=True)
    # The last version of an outside writer that webhooks were told about.
    reported_version = NumberAttribute(null=True, attr_name="reportedVersion")

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
