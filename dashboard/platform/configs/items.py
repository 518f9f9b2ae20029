"""A config as the platform reads it, its history, and what people are about to change (seed 002)."""

from __future__ import annotations

from typing import Any

from pynamodb.attributes import BinaryAttribute, NumberAttribute, UnicodeAttribute

from dashboard.platform.configs import changes
from dashboard.platform.configs.changes import Changes
from dashboard.table import keys
from dashboard.table.attributes import PlainListAttribute, PlainMapAttribute, as_plain
from dashboard.table.items import Item

Body = dict[str, Any]
# Versions have eight digits.
HIGHEST = 10**8
# So near the end nobody comes by saving: it is no number of ours.
_NEAR_THE_END = HIGHEST - 1000


class Config(Item):
    """A config as the apps read it: the domains let in, the rooms' times, the words that are not wanted."""

    pattern = keys.CONFIG

    version = NumberAttribute(null=True)
    # Of what stood in it when we saved it: another service has changed it where this does not fit any more.
    digest = UnicodeAttribute(null=True)
    whitelist = PlainListAttribute(null=True)
    sala_open_times = PlainMapAttribute(null=True, attr_name="salaOpenTimes")
    blacklist = PlainListAttribute(null=True)
    severity = PlainMapAttribute(null=True)
    matching = PlainMapAttribute(null=True)
    allowlist = PlainListAttribute(null=True)
    auto_moderation_threshold = NumberAttribute(null=True, attr_name="autoModerationThreshold")
    reasons = PlainListAttribute(null=True)

    @property
    def number(self) -> int:
        """The version that it is; 0 where it is none, or says something that none can be."""
        said = self.version or 0
        return int(said) if 0 < said < _NEAR_THE_END else 0

    def plain(self, name: str) -> Any:
        """What an attribute holds, whatever its type: a list of words may be a set, or a text."""
        value = getattr(self, name)
        attribute = self.get_attributes()[name]
        there = self.raw.get(str(attribute.attr_name), {})
        return as_plain(there) if value is None and there and attribute.attr_type not in there else value


class ConfigVersion(Item):
    """That a config was changed, in what a list of its history shows."""

    pattern = keys.CONFIG_VERSION
    editable = False

    version = NumberAttribute(null=True)
    by = UnicodeAttribute(null=True)
    by_name = UnicodeAttribute(null=True, attr_name="byName")
    note = UnicodeAttribute(null=True)
    # Why there is a version that nobody of us saved: it stood there before, or another service wrote it.
    origin = UnicodeAttribute(null=True)
    # How many entries were added, changed and removed, and how many of which kind there are.
    counts = PlainMapAttribute(null=True)
    totals = PlainMapAttribute(null=True)
    # The first of the changed entries, by name.
    sample = PlainListAttribute(null=True)
    # The version that this one brought back, or whose changes it took back.
    restored = NumberAttribute(null=True)
    reverted = NumberAttribute(null=True)

    @property
    def number(self) -> int:
        return int(str(self.key_parts["version"]))

    @property
    def who(self) -> str:
        return self.by_name or self.by or ""


class ConfigBody(Item):
    """A config as it was at a version, packed: it is read when somebody compares or goes back."""

    pattern = keys.CONFIG_BODY
    editable = False

    packed = BinaryAttribute(legacy_encoding=False, null=True)
    # As the design first had it; still read.
    body = PlainMapAttribute(null=True)

    @property
    def content(self) -> Body | None:
        """None where nobody can read it."""
        found = self.body if self.packed is None else changes.unpacked(self.packed)
        return found if isinstance(found, dict) else None


class ConfigDraft(Item):
    """What one person is about to change. Nobody else sees it, and nothing reads it but their own pages."""

    pattern = keys.CONFIG_DRAFT

    packed = BinaryAttribute(legacy_encoding=False, null=True)
    # The changes as they were one step before: the way back from a stroke that took or added hundreds.
    before = BinaryAttribute(legacy_encoding=False, null=True)

    @property
    def staged(self) -> Changes:
        return changes.unpack_changes(self.packed)
